import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now, rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import type { Row } from '#db/tables.ts'
import { announceDatasets } from './dataset-change.server.ts'
import { NOTICE_DAYS, type OfferBody, type StaffOffer } from './staff-offer.ts'

const DAY_MS = 86_400_000

/** The prices of a product beside its own one, and how many subscriptions have each. */
export async function listStaffOffers(productId: string): Promise<StaffOffer[]> {
  const rows = await db
    .selectFrom('productOffers')
    .selectAll()
    .select((of) =>
      of
        .selectFrom('subscriptions')
        .select(rowCount.as('count'))
        .whereRef('subscriptions.offerId', '=', 'productOffers.id')
        .where('subscriptions.state', 'in', ['active', 'grace'])
        .as('subscriptions'),
    )
    .where('productId', '=', productId)
    .where('archivedAt', 'is', null)
    .orderBy('charged')
    .orderBy('currency')
    .execute()
  return rows.map(({ nextAmountFrom, subscriptions, ...row }) => ({
    ...row,
    nextAmountFrom: nextAmountFrom?.toISOString() ?? null,
    subscriptions: subscriptions ?? 0,
  }))
}

export async function addOffer(productId: string, { charged, currency, amount, includes }: OfferBody, actor: Actor): Promise<void> {
  if (charged === 'once' && currency === writtenForm().currency) {
    const sentence = `The one-time price in ${currency} is that of the product. Change it in its details.`
    stop('conflict', sentence, { code: 'offer_exists', errors: { currency: sentence } })
  }
  await transaction(async (trx) => {
    const product = await trx
      .selectFrom('dataProducts')
      .select(['slug', 'isFree'])
      .where('id', '=', productId)
      .forUpdate()
      .executeTakeFirst()
    if (!product) return stop('notFound', 'There is no such dataset.')
    if (product.isFree) stop('conflict', 'A free dataset has no other prices. Give it a price first.', { code: 'free_product' })
    const known = trx.selectFrom('productOffers').select('id').where('productId', '=', productId).where('charged', '=', charged)
    if (await known.where('currency', '=', currency).where('archivedAt', 'is', null).executeTakeFirst()) {
      stop('conflict', 'There is such a price already. Change it instead.', {
        code: 'offer_exists',
        errors: { charged: 'There is such a price already' },
      })
    }
    await insert(trx, 'productOffers', { productId, charged, currency, amount, includes })
    await announceDatasets(trx, product.slug)
    const detail = { product: product.slug, offer: charged, currency, amount, includes }
    await audit(trx, 'product_changed', { ...by(actor), subjectId: productId, detail })
  })
}

/** A price that nobody pays yet changes at once. Else it is announced: subscribers read of it, and it counts 30 days later, for everyone. */
export async function changeOfferPrice(productId: string, id: string, amount: number, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const offer = await lockOffer(trx, productId, id)
    const { count } = await trx
      .selectFrom('subscriptions')
      .select(rowCount.as('count'))
      .where('offerId', '=', id)
      .where('state', 'in', ['active', 'grace'])
      .executeTakeFirstOrThrow()
    const from = new Date(Date.now() + NOTICE_DAYS * DAY_MS)
    const none = { nextAmount: null, nextAmountFrom: null }
    const price = amount === offer.amount ? none : count === 0 ? { amount, ...none } : { nextAmount: amount, nextAmountFrom: from }
    await trx.updateTable('productOffers').set(price).where('id', '=', id).execute()
    await announceOffer(trx, productId)
    await audit(trx, 'product_changed', { ...by(actor), subjectId: productId, detail: { offer: offer.charged, amount } })
  })
}

/** Nobody can choose it any more. Who has it keeps it. */
export async function archiveOffer(productId: string, id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const offer = await lockOffer(trx, productId, id)
    await trx.updateTable('productOffers').set({ archivedAt: now }).where('id', '=', id).execute()
    await announceOffer(trx, productId)
    await audit(trx, 'product_changed', { ...by(actor), subjectId: productId, detail: { offer: offer.charged, archived: true } })
  })
}

/** Cached pages show the prices. */
async function announceOffer(trx: Trx, productId: string): Promise<void> {
  const { slug } = await trx.selectFrom('dataProducts').select('slug').where('id', '=', productId).executeTakeFirstOrThrow()
  await announceDatasets(trx, slug)
}

async function lockOffer(trx: Trx, productId: string, id: string): Promise<Row<'productOffers'>> {
  const found = trx.selectFrom('productOffers').selectAll().where('id', '=', id).where('productId', '=', productId)
  return (await found.where('archivedAt', 'is', null).forUpdate().executeTakeFirst()) ?? stop('notFound', 'There is no such price.')
}
