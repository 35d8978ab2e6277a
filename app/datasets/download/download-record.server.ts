import { rawOf } from '#app/datasets/catalog/format.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

/** A recorded download. `file` is missing if only some rows were selected. */
export type DownloadRecord = Pick<Row<'downloads'>, 'userId' | 'format' | 'choice'> & {
  product: Row<'dataProducts'>
  version: Row<'datasetVersions'>
  file: Row<'datasetFiles'> | undefined
}

/** A download with its product and file; undefined if either is gone, or is `hidden` from the user. */
export async function findDownloadRecord(
  download: string,
  { hidden, raw }: { hidden: boolean; raw?: '0' | '1' | undefined },
): Promise<DownloadRecord | undefined> {
  const row = await db.selectFrom('downloads').selectAll().where('id', '=', download).executeTakeFirst()
  if (!row?.versionId) return undefined
  const { userId, productId, versionId, choice } = row
  const format = row.format && rawOf(row.format, raw)
  const [entry, version, file] = await Promise.all([
    findCatalogEntry(productId, { hidden }),
    db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).where('state', '=', 'published').executeTakeFirst(),
    findFile(versionId, format),
  ])
  return entry && version && { userId, format, choice, product: entry.product, version, file }
}

/** A generated file of a version. */
export async function findFile(versionId: string, format: Row<'downloads'>['format']): Promise<Row<'datasetFiles'> | undefined> {
  if (!format) return undefined
  return db.selectFrom('datasetFiles').selectAll().where('versionId', '=', versionId).where('format', '=', format).executeTakeFirst()
}
