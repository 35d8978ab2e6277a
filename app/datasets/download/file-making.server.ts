import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeFile } from '#app/datasets/rows/rows.server.ts'
import { fileKey, madeName } from '#app/datasets/catalog/version-files.server.ts'
import { madeFormats } from '#app/datasets/catalog/format.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { putFileFrom } from '#app/platform/storage/storage.server.ts'
import { JOB } from './made-file.server.ts'
import { findFile } from './download-record.server.ts'

defineJob(JOB, z.object({ versionId: z.string(), format: z.enum(madeFormats) }), async ({ versionId, format }) => {
  const version = await db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirst()
  if (!version || (await findFile(versionId, format))) return
  const folder = path.resolve(env.DATA_DIR, 'unfinished')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = path.join(folder, `making-${newId()}.${format}`)
  try {
    await writeFile(version, { filters: [] }, format, place)
    const made = { bytes: (await stat(place)).size, sha256: await sumOf(place) }
    const storageKey = fileKey(versionId, madeName(format))
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
