import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { daysAgo, now } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { NewRow, Row } from '#db/tables.ts'
import { announceDatasets } from './dataset-change.server.ts'
import { describeColumns, makeSample } from './masking.ts'
import type { ProductBody, StaffProduct } from './product.ts'
import { findStaffProduct, lockProduct } from './staff-product.server.ts'
import { deleteFilesLater } from './version-files.server.ts'

export { listStaffProducts } from './staff-product.server.ts'

const DAY_MS = 24 * 3_600_000

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

/** How long a removed product can be restored, in days. */
export const PRODUCT_RESTORABLE_DAYS = 30

/** Removes a product from all lists. Its data, grants and files stay for `restoreProduct`. Returns `false` if it does not exist. */
export async function removeProduct(id: string, { expected, by }: { expected?: number | undefined; by: ProductEditor }): Promise<boolean> {
  return transaction(async (trx) => {
    const before = await lockProduct(trx, id, expected)
    if (before) await removeLockedProduct(trx, before, by)
    return before !== undefined
  })
}

/** `removeProduct` of a locked product. */
export async function removeLockedProduct(trx: Trx, { id, slug, version }: Row<'dataProducts'>, by: ProductEditor): Promise<void> {
  await trx
    .updateTable('dataProducts')
    .set({ removedAt: now, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await enqueue(trx, eraseLater(id))
  await audit(trx, 'product_removed', { actorId: by.id, detail: { product: id, slug } })
  await announceDatasets(trx, slug)
}

/**
 * Undoes the removal of a product, which returns exactly as it was; others make room for it in the list. Returns a product that is not
 * removed unchanged, and undefined if there is none. Stops when its data are erased, or when another product has the slug now.
 */
export async function restoreProduct(id: string, by: ProductEditor): Promise<StaffProduct | undefined> {
  const { slug } = (await db.selectFrom('dataProducts').select('slug').where('id', '=', id).executeTakeFirst()) ?? {}
  if (slug === undefined) return undefined
  return decideSlug(slug, async (trx) => {
    // In the order of `orderProducts`, so that the two cannot block each other.
    const listed = trx.selectFrom('dataProducts').select(['id', 'position']).where('removedAt', 'is', null).orderBy('id').forUpdate()
    const others = await listed.execute()
    const before = await trx.selectFrom('dataProducts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before?.removedAt) return before && found(trx, id)
    if (before.erasedAt) stop('conflict', 'It is too late to undo this.', { code: 'too_late' })
    if (others.some(({ position }) => position === before.position)) await makeRoom(trx, before.position)
    await trx
      .updateTable('dataProducts')
      .set({ removedAt: null, version: before.version - 1 })
      .where('id', '=', id)
      .execute()
    await audit(trx, 'product_removal_undone', { actorId: by.id, detail: { product: id, slug } })
    await announceDatasets(trx, slug)
    return found(trx, id)
  })
}

async function makeRoom(trx: Trx, position: number): Promise<void> {
  await trx
    .updateTable('dataProducts')
    .set(({ eb }) => ({ position: eb('position', '+', 1) }))
    .where('position', '>=', position)
    .where('removedAt', 'is', null)
    .execute()
}

const ERASE_JOB = 'datasets.erase'

function eraseLater(productId: string): NewJob {
  return { kind: ERASE_JOB, payload: { productId }, runAt: new Date(Date.now() + PRODUCT_RESTORABLE_DAYS * DAY_MS) }
}

// A product that was restored meanwhile stays. One that was removed again has a later job.
defineJob(ERASE_JOB, z.object({ productId: z.string() }), async ({ productId }) =>
  transaction(async (trx) => {
    const erased = await trx
      .updateTable('dataProducts')
      .set({ erasedAt: now, hidden: true, currentVersionId: null, sampleData: null })
      .where('id', '=', productId)
      .where('removedAt', '<=', daysAgo(PRODUCT_RESTORABLE_DAYS))
      .where('erasedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!erased) return
    const versions = await trx.selectFrom('datasetVersions').select('id').where('productId', '=', productId).execute()
    if (versions.length > 0) await enqueue(trx, ...versions.map(({ id }) => deleteFilesLater(id)))
  }),
)

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

/** Column descriptions and masking apply to every version and to the sample. The price decides how long the sample is. */
async function describeVersions(trx: Trx, product: Row<'dataProducts'>): Promise<void> {
  const versions = await trx
    .selectFrom('datasetVersions')
    .select(['id', 'columns', 'firstRows', 'rows'])
    .where('productId', '=', product.id)
    .execute()
  for (const { id, columns, firstRows, rows } of versions) {
    const described = JSON.stringify(describeColumns(columns, product))
    if (described !== JSON.stringify(columns))
      await trx.updateTable('datasetVersions').set({ columns: described }).where('id', '=', id).execute()
    if (id !== product.currentVersionId) continue
    await trx
      .updateTable('dataProducts')
      .set({ sampleData: makeSample(firstRows, rows, product) })
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
