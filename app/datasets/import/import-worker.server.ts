import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type ReadDataset, readDatasetResult } from './read-dataset.ts'
import type { ImportProgressReport, ReadingOrder } from './read-dataset.server.ts'
import { Unreadable, UnreadableHead } from './unreadable.ts'
import { headFault } from '#app/datasets/catalog/version.ts'
import { JobFailure } from '#app/platform/jobs.server.ts'
import { linesIn } from '#app/platform/text/lines.ts'
import { watchResidentMemory } from '#app/platform/process/resident-memory.server.ts'

/** What one import may use at most. The engine's own limit is lower, but it does not count everything that it holds. */
export const importLimits = { ms: 15 * 60_000, bytes: 1_350_000_000 }

const word = z.union([
  z.object({ step: z.enum(['reading', 'profiling', 'comparing']), share: z.number() }),
  z.object({ read: z.unknown() }),
  z.object({ refused: z.string(), faults: z.array(headFault).optional() }),
])

/** Imports a file in its own process, which ends on the signal, after 15 minutes, or when it needs too much memory. */
export async function readApart(
  order: ReadingOrder,
  report: ImportProgressReport,
  signal?: AbortSignal,
  limits = importLimits,
): Promise<ReadDataset> {
  const ending = AbortSignal.any([AbortSignal.timeout(limits.ms), ...(signal ? [signal] : [])])
  // No settings are passed on: the task has all that it needs.
  const child = spawn(process.execPath, [fileURLToPath(processFile())], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: ending,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.name))
    child.once('close', (code, killedBy) => resolve(killedBy ?? `code ${code}`))
  })
  let isTooLarge = false
  const memory = watchResidentMemory(child.pid, limits.bytes, () => (isTooLarge = child.kill('SIGKILL')))
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  try {
    const read = await answerOf(child.stdout.setEncoding('utf8'), report)
    const how = await ended
    if (read !== undefined) return readDatasetResult.parse(read)
    if (signal?.aborted) throw new JobFailure('The import was interrupted.')
    if (isTooLarge) throw new Unreadable(tooLarge(limits.bytes))
    throw new Unreadable(
      ending.aborted ? 'This file takes too long to import.' : `This file could not be imported. The import process ended (${how}).`,
    )
  } finally {
    memory.end()
    child.kill('SIGKILL')
  }
}

/** What the process has read, undefined if it ended before. Values of the file may hold any line separator but a line feed. */
async function answerOf(said: AsyncIterable<string>, report: ImportProgressReport): Promise<unknown> {
  let read: unknown
  for await (const line of linesIn(said)) {
    const each = word.parse(JSON.parse(line))
    if ('refused' in each) throw each.faults ? new UnreadableHead(each.refused, each.faults) : new Unreadable(each.refused)
    if ('step' in each) report(each.step, each.share)
    else ({ read } = each)
  }
  return read
}

function tooLarge(bytes: number): string {
  const limit = `${(bytes / 1e9).toLocaleString('en', { maximumFractionDigits: 2 })} GB`
  return `This file needs more memory than an import may use (${limit}). Split it into several files, or remove columns.`
}

/** The build puts it into the folder of this code as well (`vite.config.ts`). */
function processFile(): URL {
  return new URL(import.meta.env.PROD ? './import-process.js' : './import-process.server.ts', import.meta.url)
}
