import { rawOf } from '#app/datasets/format.ts'
import { findShelved } from '#app/datasets/shelf.server.ts'
import { db } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'

/** What a download leads to. `file` is not there when only some of the rows are wanted. */
export type Taken = Pick<Row<'downloads'>, 'userId' | 'format' | 'choice'> & {
  product: Row<'dataProducts'>
  version: Row<'datasetVersions'>
  file: Row<'datasetFiles'> | undefined
}

/** A download with all that it leads to; nothing when the product or its version has gone, or is `hidden` from who asks. */
export async function findTaken(
  download: string,
  { hidden, raw }: { hidden: boolean; raw?: '0' | '1' | undefined },
): Promise<Taken | undefined> {
  const row = await db.selectFrom('downloads').selectAll().where('id', '=', download).executeTakeFirst()
  if (!row?.versionId) return undefined
  const { userId, productId, versionId, choice } = row
  const format = row.format && rawOf(row.format, raw)
  const [shelved, version, file] = await Promise.all([
    findShelved(productId, { hidden }),
    db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).where('state', '=', 'published').executeTakeFirst(),
    findFile(versionId, format),
  ])
  return shelved && version && { userId, format, choice, product: shelved.product, version, file }
}

/** A file of a version that is there. */
export async function findFile(versionId: string, format: Row<'downloads'>['format']): Promise<Row<'datasetFiles'> | undefined> {
  if (!format) return undefined
  return db.selectFrom('datasetFiles').selectAll().where('versionId', '=', versionId).where('format', '=', format).executeTakeFirst()
}
