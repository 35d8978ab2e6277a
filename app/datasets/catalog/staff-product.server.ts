import { rowCount } from '#app/platform/database/sql.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { StaffProduct } from './product.ts'

type Beside = Pick<StaffProduct, 'rows' | 'bytes' | 'currentVersion' | 'newestState' | 'openRequests'>

/** All products in catalog order, as staff see them. */
export async function listStaffProducts(): Promise<StaffProduct[]> {
  const found = await staffProducts(db).orderBy('position').orderBy('id').limit(1000).execute()
  return found.map(toStaffProduct)
}

/** Returns undefined if it does not exist or was removed. */
export async function findStaffProduct(connection: typeof db | Trx, id: string): Promise<StaffProduct | undefined> {
  const row = await staffProducts(connection).where('id', '=', id).executeTakeFirst()
  return row && toStaffProduct(row)
}

/** Locks a product, so that changes take turns. Throws if it is no longer the `expected` version. */
export async function lockProduct(trx: Trx, id: string, expected?: number): Promise<Row<'dataProducts'> | undefined> {
  const row = await trx
    .selectFrom('dataProducts')
    .selectAll()
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row && expected !== undefined && expected !== row.version) {
    const current = await findStaffProduct(trx, id)
    stop('conflict', 'Someone has changed this product since you opened it.', { code: 'edit_conflict', current })
  }
  return row
}

function staffProducts(connection: typeof db | Trx) {
  return connection
    .selectFrom('dataProducts')
    .selectAll()
    .select((eb) => {
      const current = eb.selectFrom('datasetVersions').whereRef('datasetVersions.id', '=', 'dataProducts.currentVersionId')
      const parquet = eb
        .selectFrom('datasetFiles')
        .whereRef('versionId', '=', 'dataProducts.currentVersionId')
        .where('format', '=', 'parquet')
      return [
        eb.fn.coalesce(current.select('datasetVersions.rows'), eb.lit(0)).as('rows'),
        eb.fn.coalesce(parquet.select('datasetFiles.bytes'), eb.lit(0)).as('bytes'),
        current.select('datasetVersions.number').as('currentVersion'),
        eb
          .selectFrom('datasetVersions')
          .select('datasetVersions.state')
          .whereRef('datasetVersions.productId', '=', 'dataProducts.id')
          .orderBy('datasetVersions.number', 'desc')
          .limit(1)
          .as('newestState'),
        eb
          .selectFrom('productRequests')
          .select(rowCount.as('open'))
          .whereRef('productRequests.productId', '=', 'dataProducts.id')
          .where('productRequests.settledAt', 'is', null)
          .$asScalar()
          .$notNull()
          .as('openRequests'),
      ]
    })
    .where('removedAt', 'is', null)
}

function toStaffProduct(row: Row<'dataProducts'> & Beside): StaffProduct {
  const { priceCents, currentVersionId: _version, sampleData: _sample, removedAt: _removed, erasedAt: _erased, ...product } = row
  const { createdAt, updatedAt } = product
  return { ...product, price: priceCents, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
