import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { propertyOf } from '#app/platform/errors/property.ts'
import { BrokenCalendar } from './broken-calendar.ts'
import type { BusyTimes } from './busy-times.ts'
import type { BusyReply, BusyWork } from './busy-worker.server.ts'

/** Milliseconds. A calendar of 5 MB takes about two seconds; a rule can be written that never ends. */
const PATIENCE = 15_000
/** In megabytes. */
const MEMORY = 384

const answer = z.union([
  z.object({
    read: z.object({
      spans: z.array(z.object({ from: z.number(), until: z.number() })),
      skipped: z.number(),
      unread: z.array(z.string()),
      zones: z.array(z.string()),
    }),
  }),
  z.object({ broken: z.string() }),
]) satisfies z.ZodType<BusyReply>

let last: Promise<unknown> = Promise.resolve()

/**
 * Reads a calendar in a thread of its own, one at a time. Throws `BrokenCalendar` with a sentence where it cannot be read, or takes longer than
 * `patience` milliseconds.
 */
export function readBusyTimes(work: BusyWork, patience = PATIENCE): Promise<BusyTimes> {
  const mine = last.then(() => askAgain(work, patience))
  last = mine.catch(() => undefined)
  return mine
}

/** So many series that never end are left out one by one; more would block the other calendars for too long. */
const MOST_SKIPPED = 2
const NOWHERE = -1

/** Reads a calendar, also where one of its events takes forever: without that one. */
async function askAgain(work: BusyWork, patience: number, skip: number[] = []): Promise<BusyTimes> {
  const place = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(NOWHERE)
  try {
    return await ask({ ...work, skip, place }, patience)
  } catch (error) {
    const at = Atomics.load(place, 0)
    if (!(error instanceof SlowCalendar) || at === NOWHERE || skip.length === MOST_SKIPPED) throw error
    return askAgain(work, patience, [...skip, at])
  }
}

class SlowCalendar extends BrokenCalendar {}

async function ask(work: BusyWork, patience: number): Promise<BusyTimes> {
  const worker = new Worker(workerFile(), { workerData: work, resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
  try {
    const [message]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(patience) })
    const said = answer.parse(message)
    if ('broken' in said) throw new BrokenCalendar(said.broken)
    return said.read
  } catch (error) {
    const code = propertyOf(error, 'code')
    if (code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY') throw new SlowCalendar('The calendar takes too long to read.')
    throw error
  } finally {
    await worker.terminate()
  }
}

/** The build puts it into the folder of this code as well (`vite.config.ts`). */
function workerFile(): URL {
  return new URL(import.meta.env.PROD ? './busy-worker.js' : './busy-worker.server.ts', import.meta.url)
}
