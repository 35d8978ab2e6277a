import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob, type NewJob } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/platform/storage/storage.server.ts'
import { forgetDerived } from '#app/platform/storage/derived-file.server.ts'
import { dataFormats, type MadeFormat, madeFormats } from './format.ts'

const CLEANUP_JOB = 'datasets.sweep'
const DAY_MS = 24 * 3_600_000

/** The storage key of a version's file. */
export function fileKey(versionId: string, name: string): string {
  return `datasets/${versionId}/${name}`
}

/** The name of a generated file. `data.csv` predates formula escaping, so it is the raw one. */
export function madeName(format: MadeFormat): string {
  if (format === 'csv-raw') return 'data.csv'
  return format === 'csv' ? 'data.guarded.csv' : `data.${format}`
}

/** Deletes files without a row, of rejected versions and of erased products. It waits a day, so that a backup in progress still finds them. */
export function deleteFilesLater(versionId: string): NewJob {
  return { kind: CLEANUP_JOB, payload: { versionId }, runAt: new Date(Date.now() + DAY_MS) }
}

// Files are orphaned if the version has no row, was rejected, or its product was erased.
defineJob(CLEANUP_JOB, z.object({ versionId: z.string() }), async ({ versionId }) => {
  const kept = await db
    .selectFrom('datasetVersions')
    .innerJoin('dataProducts', 'dataProducts.id', 'productId')
    .select('datasetVersions.id')
    .where('datasetVersions.id', '=', versionId)
    .where('state', '<>', 'refused')
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  if (kept) return
  const names = [...dataFormats.map((format) => `original.${format}`), ...madeFormats.map(madeName)]
  for (const name of names) await removeFile(fileKey(versionId, name))
  await forgetDerived(versionId)
  await db.deleteFrom('datasetFiles').where('versionId', '=', versionId).execute()
})
