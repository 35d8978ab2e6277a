import { db } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

/** A product with its current version; undefined before the first one is published. */
export type CatalogEntry = { product: Row<'dataProducts'>; version: Row<'datasetVersions'> | undefined }

const SLUG = /^[\w-]+$/
/** The maximum of the database's integer column. */
const MOST_VERSIONS = 2 ** 31 - 1
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Finds a product by id or slug. Unpublished ones only with `hidden`; removed ones never. */
export async function findCatalogEntry(idOrSlug: string, { hidden = false } = {}): Promise<CatalogEntry | undefined> {
  if (!SLUG.test(idOrSlug)) return undefined
  const product = await db
    .selectFrom('dataProducts')
    .selectAll()
    .where(UUID.test(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .where('removedAt', 'is', null)
    .$if(!hidden, (query) => query.where('hidden', '=', false))
    .executeTakeFirst()
  if (!product) return undefined
  return { product, version: product.currentVersionId ? await findVersion(product.currentVersionId) : undefined }
}

/** A published version by number, for API keys that pin one. */
export async function findPublished(productId: string, number: number): Promise<Row<'datasetVersions'> | undefined> {
  if (number < 1 || number > MOST_VERSIONS) return undefined
  return db
    .selectFrom('datasetVersions')
    .selectAll()
    .where('productId', '=', productId)
    .where('number', '=', number)
    .where('state', '=', 'published')
    .executeTakeFirst()
}

async function findVersion(id: string): Promise<Row<'datasetVersions'> | undefined> {
  return db.selectFrom('datasetVersions').selectAll().where('id', '=', id).executeTakeFirst()
}
