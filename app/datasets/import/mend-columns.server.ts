import { audit } from '#app/auth/users/audit.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { fileKey } from '#app/datasets/catalog/version-files.server.ts'
import type { ColumnReading } from '#app/datasets/catalog/version.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { hasFile, importJob } from './import.server.ts'
import { type By, changing } from './publish.server.ts'

export type ColumnNaming = { column: number; name: string }

/** Gives columns of a rejected version other names, and imports its file again. */
export async function mendColumns(versionId: string, given: readonly ColumnNaming[], by: By): Promise<void> {
  await checkFile(versionId)
  await changing(versionId, async (trx, product, version) => {
    if (version.state !== 'refused' || version.headFaults.length === 0) {
      stop('conflict', 'The columns of this version need no other names.', { code: 'no_faults' })
    }
    const names = { ...version.columnNames, ...Object.fromEntries(given.map(({ column, name }) => [column, name])) }
    await importAgain(trx, versionId, { columnNames: JSON.stringify(names) })
    await audit(trx, 'dataset_columns_named', { actorId: by.id, detail: { product: product.id, number: version.number } })
  })
}

type ReadingChoice = { column: string; reading: ColumnReading | null }

/** Has columns of a version that is not published read in another way, and imports its file again. */
export async function rereadColumns(versionId: string, given: readonly ReadingChoice[], by: By): Promise<void> {
  await checkFile(versionId)
  await changing(versionId, async (trx, product, version) => {
    // A version whose rows fit none of the choices was rejected, and can be read in another way again.
    const isMendable = version.state === 'ready' || (version.state === 'refused' && version.columns.length > 0)
    if (!isMendable) stop('conflict', 'Only a version that is ready and not published can be read again.', { code: 'not_ready' })
    if (version.originalFormat === 'parquet') stop('conflict', 'The columns of a Parquet file have their types.', { code: 'typed' })
    const types = new Map(version.columns.map(({ name, type }) => [name, type]))
    for (const { column } of given) {
      const type = types.get(column) ?? stop('unprocessable', `There is no column “${column}”.`, { code: 'no_column' })
      if (type === 'list' || type === 'object') stop('unprocessable', `“${column}” is JSON and has no other reading.`, { code: 'typed' })
    }
    const readings = new Map(Object.entries(version.columnReadings))
    for (const { column, reading } of given) if (reading) readings.set(column, reading)
    const left = new Set(given.flatMap(({ column, reading }) => (reading ? [] : [column])))
    const chosen = Object.fromEntries([...readings].filter(([column]) => !left.has(column)))
    await importAgain(trx, versionId, { columnReadings: JSON.stringify(chosen) })
    await audit(trx, 'dataset_columns_read', { actorId: by.id, detail: { product: product.id, number: version.number } })
  })
}

async function checkFile(versionId: string): Promise<void> {
  const { originalFormat = '' } =
    (await db.selectFrom('datasetVersions').select('originalFormat').where('id', '=', versionId).executeTakeFirst()) ?? {}
  if (await hasFile(fileKey(versionId, `original.${originalFormat}`))) return
  stop('conflict', 'The file of this version has been deleted. Upload it again.', { code: 'no_file' })
}

async function importAgain(trx: Trx, versionId: string, changes: { columnNames: string } | { columnReadings: string }): Promise<void> {
  await trx
    .updateTable('datasetVersions')
    .set({ state: 'processing', step: 'waiting', progress: 0, failure: null, headFaults: '[]', ...changes })
    .where('id', '=', versionId)
    .execute()
  await enqueue(trx, importJob(versionId))
}
