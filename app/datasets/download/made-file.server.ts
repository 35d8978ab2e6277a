import { setTimeout as after } from 'node:timers/promises'
import { madeName } from '#app/datasets/catalog/version-files.server.ts'
import type { FileFormat, MadeFormat } from '#app/datasets/catalog/format.ts'
import { db } from '#app/platform/database/db.server.ts'
import { enqueue, retryJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { findFile } from './download-record.server.ts'

/** The job that generates a file of a version. */
export const JOB = 'dataset-file'
/** Less than the timeout of common proxies. */
const WAIT_MS = 25_000
const LOOK_MS = 100

type Version = Pick<Row<'datasetVersions'>, 'id'>

/**
 * Returns a file of a version. A job generates it on first use, once for all simultaneous requests of all processes. Throws if that takes
 * too long; the job continues, and a later request finds the file.
 */
export async function fileOf(version: Version, format: FileFormat): Promise<Row<'datasetFiles'>> {
  const known = await findFile(version.id, format)
  if (known) return known
  if (format === 'original') throw new Error('A version of a dataset has lost its file.')
  await askFor(version.id, format)
  const end = Date.now() + WAIT_MS
  while (Date.now() < end) {
    const made = await findFile(version.id, format)
    if (made) return made
    await after(LOOK_MS)
  }
  return stop('unavailable', 'We are preparing this file. Please try again in a minute.', {
    code: 'being_made',
    retryAfter: 30,
  })
}

/** A failed job is retried immediately. */
async function askFor(versionId: string, format: MadeFormat): Promise<void> {
  const dedupeKey = `${JOB}:${versionId}:${madeName(format)}`
  await enqueue(db, { kind: JOB, payload: { versionId, format }, dedupeKey })
  const waiting = await db
    .selectFrom('jobs')
    .select('id')
    .where('dedupeKey', '=', dedupeKey)
    .where('doneAt', 'is', null)
    .where('attempts', '>', 0)
    .executeTakeFirst()
  if (waiting) await retryJob(JOB, waiting.id)
}
