import { rawOf } from '#app/datasets/catalog/format.ts'
import type { WrittenVersion } from '#app/datasets/rows/pieces.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

/** A recorded download. `file` is missing if only some rows were selected. */
export type DownloadRecord = Pick<Row<'downloads'>, 'userId' | 'organizationId' | 'format' | 'choice'> & {
  product: Pick<Row<'dataProducts'>, 'id' | 'slug' | 'isFree' | 'currentVersionId'>
  version: WrittenVersion
  file: DownloadFile | undefined
}

/** A generated file. */
type DownloadFile = Pick<Row<'datasetFiles'>, 'format' | 'storageKey' | 'sha256' | 'bytes'>

/**
 * Finds a download with its product and file; undefined if either is gone, or is `hidden` from the user. One query, because the queries are
 * most of the cost of a download behind a proxy that sends the bytes.
 */
export async function findDownloadRecord(
  download: string,
  { hidden, raw }: { hidden: boolean; raw?: '0' | '1' | undefined },
): Promise<DownloadRecord | undefined> {
  const row = await db
    .selectFrom('downloads')
    .innerJoin('dataProducts', 'dataProducts.id', 'downloads.productId')
    .innerJoin('datasetVersions', 'datasetVersions.id', 'downloads.versionId')
    .leftJoin('datasetFiles', (join) =>
      join
        .onRef('datasetFiles.versionId', '=', 'datasetVersions.id')
        .on((eb) =>
          raw === '1'
            ? eb.or([
                eb.and([eb('downloads.format', '=', 'csv'), eb('datasetFiles.format', '=', 'csv-raw')]),
                eb.and([eb('downloads.format', '!=', 'csv'), eb('datasetFiles.format', '=', eb.ref('downloads.format'))]),
              ])
            : eb('datasetFiles.format', '=', eb.ref('downloads.format')),
        ),
    )
    .select([
      'downloads.userId',
      'downloads.organizationId',
      'downloads.format as recordedFormat',
      'downloads.choice',
      'downloads.productId',
      'dataProducts.slug',
      'dataProducts.isFree',
      'dataProducts.currentVersionId',
      'datasetVersions.id',
      'columns',
      'rows',
      'originalBytes',
      'originalFormat',
      'datasetFiles.format as storedFormat',
      'storageKey',
      'sha256',
      'datasetFiles.bytes',
    ])
    .where('downloads.id', '=', download)
    .where('datasetVersions.state', '=', 'published')
    .where('dataProducts.removedAt', 'is', null)
    .$if(!hidden, (query) => query.where('dataProducts.hidden', '=', false))
    .executeTakeFirst()
  if (!row) return undefined
  const { userId, organizationId, recordedFormat, choice, productId, slug, isFree, currentVersionId, ...file } = row
  const { storedFormat, storageKey, sha256, bytes, ...version } = file
  const isStored = storedFormat !== null && storageKey !== null && sha256 !== null && bytes !== null
  return {
    userId,
    organizationId,
    format: recordedFormat && rawOf(recordedFormat, raw),
    choice,
    product: { id: productId, slug, isFree, currentVersionId },
    version,
    file: isStored ? { format: storedFormat, storageKey, sha256, bytes } : undefined,
  }
}

/** A generated file of a version. */
export async function findFile(versionId: string, format: Row<'downloads'>['format']): Promise<Row<'datasetFiles'> | undefined> {
  if (!format) return undefined
  return db.selectFrom('datasetFiles').selectAll().where('versionId', '=', versionId).where('format', '=', format).executeTakeFirst()
}
