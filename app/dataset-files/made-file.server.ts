import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { z } from 'zod'
import { writeFile } from '#app/dataset-rows/rows.server.ts'
import { type DataFormat, dataFormats, type FileFormat } from '#app/datasets/format.ts'
import { db, newId } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue, retryJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/stop.ts'
import { putFileFrom } from '#app/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { findFile } from './taken.server.ts'

const JOB = 'dataset-file'
/** Below the patience of common proxies. */
const WAIT_MS = 25_000
const LOOK_MS = 100

type Version = Pick<Row<'datasetVersions'>, 'id'>

/**
 * A file of a version. One that nobody has asked for before is made by a job, once, however many ask at the same moment and of whichever process; all wait for it. Stops
 * when that takes too long: it goes on, and whoever asks later finds it.
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
  return stop('unavailable', 'This file is being made at this moment. Please try again in a minute.', {
    code: 'being_made',
    retryAfter: 30,
  })
}

/** Work that has failed before is tried again at once. */
async function askFor(versionId: string, format: DataFormat): Promise<void> {
  const dedupeKey = `${JOB}:${versionId}:${format}`
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

defineJob(JOB, z.object({ versionId: z.string(), format: z.enum(dataFormats) }), async ({ versionId, format }) => {
  const version = await db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirst()
  if (!version || (await findFile(versionId, format))) return
  const folder = path.resolve(env.DATA_DIR, 'unfinished')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = path.join(folder, `${newId()}.${format}`)
  try {
    await writeFile(version, { filters: [] }, format, place)
    const made = { bytes: (await stat(place)).size, sha256: await sumOf(place) }
    const storageKey = `datasets/${versionId}/data.${format}`
    await putFileFrom(storageKey, place)
    const row = { versionId, format, storageKey, ...made }
    await db
      .insertInto('datasetFiles')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } finally {
    await rm(place, { force: true })
  }
})

async function sumOf(place: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(place, { highWaterMark: 1024 * 1024 })) sum.update(chunk)
  return sum.digest('hex')
}
