import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { propertyOf } from '#app/platform/property.ts'
import type { Surroundings } from './enrich.server.ts'
import { type Rendered, Unrenderable } from './rendering.server.ts'

/** Milliseconds. A text of 200,000 characters takes one second, and several on a machine that is busy; one that takes longer than this was made to. */
const PATIENCE = 20_000
/** The thread ends when nothing has been rendered for so many milliseconds. */
const IDLE = 60_000
/** Megabytes. */
const MEMORY = 256

const heading = z.object({ id: z.string(), depth: z.number(), title: z.string() })
const rendered = z.object({ html: z.string(), headings: z.array(heading), words: z.number() })
const answer = z.union([z.object({ rendered }), z.object({ refused: z.string() })])

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Renders beside everything else that this process does, one text after the other. */
export function renderInThread(source: string, surroundings: Surroundings): Promise<Rendered> {
  const mine = last.then(() => ask(source, surroundings))
  last = mine.catch(() => undefined)
  return mine
}

async function ask(source: string, surroundings: Surroundings): Promise<Rendered> {
  const worker = (thread ??= start())
  clearTimeout(idle)
  worker.ref()
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage({ source, surroundings })
    const [message]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE) })
    const said = answer.parse(message)
    if ('refused' in said) throw new Unrenderable(said.refused)
    return said.rendered
  } catch (error) {
    if (error instanceof Unrenderable) throw error
    await end(worker)
    if (isTooMuch(error)) {
      throw new Unrenderable('This text takes too long to be made into a page. Make it shorter, or simpler.')
    }
    throw error
  } finally {
    // A process that has nothing else to do may end.
    worker.unref()
    idle = setTimeout(() => void end(worker), IDLE).unref()
  }
}

/** It took too long, or more memory than there is for it; anything else is a bug. */
function isTooMuch(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  return code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function start(): Worker {
  return new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY }, stdout: false, stderr: false })
}

/** The build puts it beside the server's first file; what runs here lies there as well, or in the folder below. */
function workerFile(): URL {
  if (!import.meta.env.PROD) return new URL('./render-worker.server.ts', import.meta.url)
  return new URL(/\/assets\/[^/]*$/.test(import.meta.url) ? '../render-worker.js' : './render-worker.js', import.meta.url)
}

async function end(worker: Worker) {
  if (thread === worker) thread = undefined
  await worker.terminate()
}
