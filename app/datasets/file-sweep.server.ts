import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob, type NewJob } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/storage/storage.server.ts'
import { dataFormats, type MadeFormat, madeFormats } from './format.ts'

const SWEEP_JOB = 'datasets.sweep'
const DAY_MS = 24 * 3_600_000

/** Where the files of a version lie in the storage. */
export function fileKey(versionId: string, name: string): string {
  return `datasets/${versionId}/${name}`
}

/** The name of a file that is made of a version. `data.csv` was written before cells were guarded, and is the raw one. */
export function madeName(format: MadeFormat): string {
  if (format === 'csv-raw') return 'data.csv'
  return format === 'csv' ? 'data.guarded.csv' : `data.${format}`
}

/** What a crash leaves without a row, what was refused, and what has been removed: a day later, so that a backup that is being written still finds it. */
export function sweepLater(versionId: string): NewJob {
  return { kind: SWEEP_JOB, payload: { versionId }, runAt: new Date(Date.now() + DAY_MS) }
}

// A version that has no row, that was refused, or whose product was removed, is nobody's.
defineJob(SWEEP_JOB, z.object({ versionId: z.string() }), async ({ versionId }) => {
  const kept = await db
    .selectFrom('datasetVersions')
    .innerJoin('dataProducts', 'dataProducts.id', 'productId')
    .select('datasetVersions.id')
    .where('datasetVersions.id', '=', versionId)
    .where('state', '<>', 'refused')
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (kept) return
  const names = [...dataFormats.map((format) => `original.${format}`), ...madeFormats.map(madeName)]
  for (const name of names) await removeFile(fileKey(versionId, name))
  await db.deleteFrom('datasetFiles').where('versionId', '=', versionId).execute()
})
