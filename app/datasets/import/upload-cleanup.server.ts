import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { STALE_DAYS } from './upload.ts'

const DAY_MS = 24 * 3_600_000

/** Deletes stale uploads, those of erased products, and temporary files that killed processes left. */
export async function deleteStaleUploads(): Promise<void> {
  const erased = db.selectFrom('dataProducts').select('id').where('erasedAt', 'is not', null)
  const stale = await db
    .selectFrom('datasetUploads')
    .selectAll()
    .where((where) => where.or([where('updatedAt', '<', daysAgo(STALE_DAYS)), where('productId', 'in', erased)]))
    .execute()
  const { discardUpload } = await import('./upload.server.ts')
  for (const upload of stale) await discardUpload(upload)
  // A file without a prefix was being moved to the storage.
  await removeStale('unfinished', /^(upload|reading|making)-|^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  // A complete file of changes has its extension, and stays.
  await removeStale('cache/changes', /(?<!\.parquet)$/)
  await removeStale('cache/pages', /./)
}

async function removeStale(folder: string, unfinished: RegExp): Promise<void> {
  const names = await readdir(path.resolve(env.DATA_DIR, folder)).catch(() => [])
  for (const name of names.filter((each) => unfinished.test(each))) {
    const place = path.resolve(env.DATA_DIR, folder, name)
    const left = await stat(place).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > STALE_DAYS * DAY_MS) await rm(place, { recursive: true, force: true })
  }
}

defineJob('datasets.uploads.sweep', z.null(), deleteStaleUploads, { every: 'day' })
