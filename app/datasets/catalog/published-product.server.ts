import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { UUID } from '#app/platform/text/uuid.ts'

/** A product with its current version; undefined before the first one is published. */
export type CatalogEntry = { product: Row<'dataProducts'>; version: Row<'datasetVersions'> | undefined }

const SLUG = /^[\w-]+$/
/** The maximum of the database's integer column. */
const MOST_VERSIONS = 2 ** 31 - 1

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

/** Rows of the database by their ids. */
type Known<Table extends 'dataProducts' | 'datasetVersions'> = LRUCache<string, { mark: string; row: Row<Table>; readMs: number }>

const entryMarks = z.object({
  productId: z.string(),
  productMark: z.string(),
  versionId: z.string().nullable(),
  versionMark: z.string().nullable(),
})
const versionMarks = z.object({ id: z.string(), mark: z.string() })

const MOST_KNOWN = 200
const products: Known<'dataProducts'> = new LRUCache({ max: MOST_KNOWN })
const versions: Known<'datasetVersions'> = new LRUCache({ max: MOST_KNOWN })
const KNOWN_MS = 60_000

/**
 * The same for programs that read page after page. The profiles of the columns take longer to transfer than a page of rows, so both rows
 * are kept. One query asks each time whether they are still the current ones: PostgreSQL changes `xmin` with each update of a row.
 */
export async function findServedEntry(idOrSlug: string, { hidden = false } = {}): Promise<CatalogEntry | undefined> {
  if (!SLUG.test(idOrSlug)) return undefined
  const key = UUID.test(idOrSlug) ? sql.ref('product.id') : sql.ref('product.slug')
  const [marks] = await queryRows(
    db,
    entryMarks,
    sql`
    SELECT product.id AS product_id, product.xmin::text AS product_mark, version.id AS version_id, version.xmin::text AS version_mark
    FROM data_products AS product LEFT JOIN dataset_versions AS version ON version.id = product.current_version_id
    WHERE ${key} = ${idOrSlug} AND removed_at IS NULL AND (${hidden} OR NOT hidden)`,
  )
  if (!marks) return undefined
  const { productId, productMark, versionId, versionMark } = marks
  const product = await known(products, productId, productMark, () => findProduct(productId))
  const version = versionId && versionMark ? await known(versions, versionId, versionMark, () => findVersion(versionId)) : undefined
  return product && { product, version }
}

/** `findPublished` in the same way. */
export async function findServedVersion(productId: string, number: number): Promise<Row<'datasetVersions'> | undefined> {
  if (number < 1 || number > MOST_VERSIONS) return undefined
  const [found] = await queryRows(
    db,
    versionMarks,
    sql`SELECT id, xmin::text AS mark FROM dataset_versions WHERE product_id = ${productId} AND number = ${number} AND state = 'published'`,
  )
  return found && known(versions, found.id, found.mark, () => findVersion(found.id))
}

async function known<Table extends 'dataProducts' | 'datasetVersions'>(
  rows: Known<Table>,
  id: string,
  mark: string,
  find: () => Promise<Row<Table> | undefined>,
): Promise<Row<Table> | undefined> {
  const kept = rows.get(id)
  if (kept?.mark === mark && Date.now() - kept.readMs < KNOWN_MS) return kept.row
  const row = await find()
  if (row) rows.set(id, { mark, row, readMs: Date.now() })
  else rows.delete(id)
  return row
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

async function findProduct(id: string): Promise<Row<'dataProducts'> | undefined> {
  return db.selectFrom('dataProducts').selectAll().where('id', '=', id).executeTakeFirst()
}

async function findVersion(id: string): Promise<Row<'datasetVersions'> | undefined> {
  return db.selectFrom('datasetVersions').selectAll().where('id', '=', id).executeTakeFirst()
}
