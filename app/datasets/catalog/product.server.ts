import { audit } from '#app/auth/users/audit.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { NewRow, Row } from '#db/tables.ts'
import { announceDatasets } from './dataset-change.server.ts'
import { describeColumns, makeSample } from './masking.ts'
import type { ProductBody, StaffProduct } from './product.ts'
import { findStaffProduct, lockProduct } from './staff-product.server.ts'
import { deleteFilesLater } from './version-files.server.ts'

export { listStaffProducts } from './staff-product.server.ts'

export type ProductEditor = { id: string }

/** Adds a product without data to the end of the catalog. Throws if the slug is taken. */
export async function createProduct(body: ProductBody, by: ProductEditor): Promise<StaffProduct> {
  return decideSlug(body.slug, async (trx) => {
    const [last] = await trx.selectFrom('dataProducts').select('position').orderBy('position', 'desc').limit(1).execute()
    const { id } = await insert(trx, 'dataProducts', { ...toRow(body), position: (last?.position ?? 0) + 1 })
    await audit(trx, 'product_created', { actorId: by.id, detail: { product: id, slug: body.slug } })
    if (!body.hidden) await announceDatasets(trx, body.slug)
    return found(trx, id)
  })
}

/** Replaces a product; returns undefined if it does not exist. `expected` is the version that the editor has seen. */
export async function changeProduct(
  id: string,
  body: ProductBody,
  expected: number | undefined,
  by: ProductEditor,
): Promise<StaffProduct | undefined> {
  return decideSlug(body.slug, async (trx) => {
    const before = await lockProduct(trx, id, expected)
    if (!before) return undefined
    const after = await trx
      .updateTable('dataProducts')
      .set({ ...toRow(body), version: before.version + 1, updatedAt: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await describeVersions(trx, after)
    await audit(trx, 'product_changed', { actorId: by.id, detail: { product: id, slug: after.slug, hidden: after.hidden } })
    if (!before.hidden || !after.hidden) await announceDatasets(trx, before.slug, after.slug)
    return found(trx, id)
  })
}

/** Sets the order of the catalog. Throws if the list has changed meanwhile. */
export async function orderProducts(ids: readonly string[]): Promise<void> {
  await transaction(async (trx) => {
    const known = await trx.selectFrom('dataProducts').select('id').where('removedAt', 'is', null).orderBy('id').forUpdate().execute()
    const given = new Set(ids)
    if (given.size !== ids.length || known.length !== given.size || !known.every(({ id }) => given.has(id))) {
      stop('conflict', 'The product list has changed. Please reload it.', { code: 'list_changed' })
    }
    for (const [at, id] of ids.entries())
      await trx
        .updateTable('dataProducts')
        .set({ position: at + 1 })
        .where('id', '=', id)
        .execute()
    await announceDatasets(trx)
  })
}

/** Removes a product permanently. Its files are deleted a day later. Returns `false` if it does not exist. */
export async function removeProduct(id: string, { expected, by }: { expected?: number | undefined; by: ProductEditor }): Promise<boolean> {
  return transaction(async (trx) => {
    const before = await lockProduct(trx, id, expected)
    if (!before) return false
    await trx
      .updateTable('dataProducts')
      .set({ removedAt: now, hidden: true, currentVersionId: null, version: before.version + 1, sampleData: null })
      .where('id', '=', id)
      .execute()
    const versions = await trx.selectFrom('datasetVersions').select('id').where('productId', '=', id).execute()
    if (versions.length > 0) await enqueue(trx, ...versions.map((version) => deleteFilesLater(version.id)))
    await audit(trx, 'product_removed', { actorId: by.id, detail: { product: id, slug: before.slug } })
    await announceDatasets(trx, before.slug)
    return true
  })
}

function toRow({ price, isFree: _free, columnDescriptions, gate, licenceUrl, ...body }: ProductBody) {
  return {
    ...body,
    priceCents: price,
    isFree: price === 0,
    licenceUrl: licenceUrl ?? null,
    columnDescriptions: JSON.stringify(columnDescriptions),
    gate: JSON.stringify(gate),
  } satisfies Partial<NewRow<'dataProducts'>>
}

/** Column descriptions and masking apply to every version and to the sample. */
async function describeVersions(trx: Trx, product: Row<'dataProducts'>): Promise<void> {
  const versions = await trx
    .selectFrom('datasetVersions')
    .select(['id', 'columns', 'firstRows'])
    .where('productId', '=', product.id)
    .execute()
  for (const { id, columns, firstRows } of versions) {
    const described = JSON.stringify(describeColumns(columns, product))
    if (described !== JSON.stringify(columns))
      await trx.updateTable('datasetVersions').set({ columns: described }).where('id', '=', id).execute()
    if (id !== product.currentVersionId) continue
    await trx
      .updateTable('dataProducts')
      .set({ sampleData: makeSample(firstRows, product) })
      .where('id', '=', product.id)
      .execute()
  }
}

async function found(trx: Trx, id: string): Promise<StaffProduct> {
  const product = await findStaffProduct(trx, id)
  if (!product) throw new Error('The product that was written is not there.')
  return product
}

/** The database's unique constraint decides between simultaneous uses of one slug. */
async function decideSlug<T>(slug: string, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await transaction(work)
  } catch (error) {
    if (!breaks(error, 'data_products_slug')) throw error
    const sentence = `Another product has the slug ${slug}.`
    return stop('conflict', sentence, { code: 'slug_taken', errors: { slug: sentence } })
  }
}
