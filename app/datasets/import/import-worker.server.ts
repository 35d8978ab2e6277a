import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { readDatasetResult, type ReadDataset, type ReadingOrder, type ImportProgressReport } from './read-dataset.server.ts'
import { Unreadable } from './unreadable.ts'
import { JobFailure } from '#app/platform/jobs.server.ts'

const LONGEST_MS = 15 * 60_000

const word = z.union([
  z.object({ step: z.enum(['reading', 'profiling', 'comparing']), share: z.number() }),
  z.object({ read: z.unknown() }),
  z.object({ refused: z.string() }),
])

/** Imports a file in its own process, which ends on the signal or after 15 minutes. */
export async function readApart(order: ReadingOrder, report: ImportProgressReport, signal?: AbortSignal): Promise<ReadDataset> {
  const ending = AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])])
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
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  let read: unknown
  for await (const line of createInterface(child.stdout)) {
    const said = word.parse(JSON.parse(line))
    if ('refused' in said) throw new Unreadable(said.refused)
    if ('step' in said) report(said.step, said.share)
    else ({ read } = said)
  }
  const how = await ended
  if (read !== undefined) return readDatasetResult.parse(read)
  if (signal?.aborted) throw new JobFailure('The import was interrupted.')
  throw new Unreadable(
    ending.aborted ? 'This file takes too long to import.' : `This file could not be imported. The import process ended (${how}).`,
  )
}

/** The build puts it beside the server's entry file, or in the folder below. */
function processFile(): URL {
  if (!import.meta.env.PROD) return new URL('./import-process.server.ts', import.meta.url)
  return new URL(/\/assets\/[^/]*$/.test(import.meta.url) ? '../import-process.js' : './import-process.js', import.meta.url)
}
