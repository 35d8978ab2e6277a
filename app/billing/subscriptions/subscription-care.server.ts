import { z } from 'zod'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { announceDatasets } from '#app/datasets/catalog/dataset-change.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { applySubscription } from './apply-subscription.server.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { priceOfPeriod, totalsOfPeriod } from './renewal-order.server.ts'
import { changeSubscription, endSubscription, findInterval, lockSubscription, productName } from './subscription-state.server.ts'
import { emailSubscribers } from './subscription-emails.server.ts'
import { PRICE_JOB } from './subscription-jobs.ts'
import { priceChangeEmail, renewalReminderEmail } from './subscription.email.tsx'

type Subscription = Row<'subscriptions'>

const DAY_MS = 86_400_000
const REMINDER_DAYS = 7
const NOTICE_DAYS = 30
/** A provider whose events are late is not overtaken by our clock. */
const SLACK_MS = DAY_MS
const MOST = 1000

/** The daily work on subscriptions: announces new prices, reminds of renewals and ends unpaid subscriptions. */
export async function careForSubscriptions(at = new Date()): Promise<void> {
  await announcePrices(at)
  await applyOfferPrices(at)
  await each(dueForReminder(at), (id) => prepareRenewal(id, at))
  await each(dueForEnd(at), (id) => endOverdue(id, at))
}

/** One that fails must not keep the others waiting. It is tried again with the next run. */
async function each(found: Promise<{ id: string }[]>, work: (id: string) => Promise<void>): Promise<void> {
  for (const { id } of await found) {
    await work(id).catch((error: unknown) => log.error({ err: error, subscription: id }, 'a subscription could not be cared for'))
  }
}

function running() {
  return db.selectFrom('subscriptions').select('subscriptions.id').where('subscriptions.state', 'in', ['active', 'grace'])
}

async function dueForReminder(at: Date) {
  return (
    running()
      .where('endsAtPeriodEnd', '=', false)
      // One that a discount gave whole is charged by nobody, and ends with its period.
      .where('providerId', 'is not', null)
      .where('periodEnd', '>', at)
      .where('periodEnd', '<=', new Date(at.getTime() + REMINDER_DAYS * DAY_MS))
      .where((or) => or.or([or('remindedFor', 'is', null), or('remindedFor', '<', or.ref('periodEnd'))]))
      .limit(MOST)
      .execute()
  )
}

async function dueForEnd(at: Date) {
  const overdue = new Date(at.getTime() - REMINDER_DAYS * DAY_MS - SLACK_MS)
  return running()
    .where((or) =>
      or.or([
        or('graceUntil', '<', at),
        or.and([or('endsAtPeriodEnd', '=', true), or('periodEnd', '<', new Date(at.getTime() - SLACK_MS))]),
        or('periodEnd', '<', overdue),
      ]),
    )
    .limit(MOST)
    .execute()
}

/** A new price of an offer counts for a subscription 30 days after its email, and never before the day of the offer. */
async function announcePrices(at: Date): Promise<void> {
  const found = await running()
    .innerJoin('productOffers as offer', 'offer.id', 'subscriptions.offerId')
    .where('offer.nextAmount', 'is not', null)
    .where('endsAtPeriodEnd', '=', false)
    .whereRef('offer.nextAmount', '!=', 'subscriptions.amount')
    .where((or) => or.or([or('subscriptions.nextAmount', 'is', null), or('subscriptions.nextAmount', '!=', or.ref('offer.nextAmount'))]))
    .limit(MOST)
    .execute()
  await each(Promise.resolve(found), (id) => transaction((trx) => announcePrice(trx, id, at)))
}

/** From its day on, an announced price is the price for new subscribers. Each subscription has its own day. */
async function applyOfferPrices(at: Date): Promise<void> {
  await transaction(async (trx) => {
    const due = trx.updateTable('productOffers').where('nextAmount', 'is not', null).where('nextAmountFrom', '<=', at)
    const applied = await due
      .set((row) => ({ amount: row.fn.coalesce('nextAmount', 'amount'), nextAmount: null, nextAmountFrom: null }))
      .returning('productId')
      .execute()
    if (applied.length === 0) return
    const ids = applied.map(({ productId }) => productId)
    const products = await trx.selectFrom('dataProducts').select('slug').where('id', 'in', ids).execute()
    await announceDatasets(trx, ...products.map(({ slug }) => slug))
  })
}

async function announcePrice(trx: Trx, id: string, at: Date): Promise<void> {
  const subscription = await lockSubscription(trx, id)
  if (!subscription) return
  const offer = await trx.selectFrom('productOffers').selectAll().where('id', '=', subscription.offerId).executeTakeFirst()
  if (!offer?.nextAmount || !offer.nextAmountFrom || subscription.nextAmount === offer.nextAmount) return
  const noticed = at.getTime() + NOTICE_DAYS * DAY_MS
  const nextAmountFrom = new Date(Math.max(offer.nextAmountFrom.getTime(), noticed))
  await changeSubscription(trx, subscription, { nextAmount: offer.nextAmount, nextAmountFrom })
  const { currency } = subscription
  const [before, after] = [moneyText(subscription.amount, currency), moneyText(offer.nextAmount, currency)]
  const told = { name: await productName(trx, subscription), before, after, from: longDay(nextAmountFrom) }
  const once = `subscription-price:${id}:${nextAmountFrom.getTime()}`
  await emailSubscribers(trx, subscription, (to) => priceChangeEmail(to, told), once)
}

/** A week before a renewal: the provider is told what it costs, with the tax of these days, and then the customer. */
export async function prepareRenewal(id: string, at = new Date()): Promise<void> {
  const asked = await tellPrice(id)
  if (!asked) return
  await transaction(async (trx) => {
    const subscription = await lockSubscription(trx, id)
    const { periodEnd, remindedFor = null } = subscription ?? {}
    if (!subscription || !periodEnd || periodEnd <= at || remindedFor?.getTime() === periodEnd.getTime()) return
    await changeSubscription(trx, subscription, { remindedFor: periodEnd })
    const amount = await priceOfPeriod(trx, subscription, asked)
    const told = { name: await productName(trx, subscription), amount, day: longDay(periodEnd) }
    const once = `subscription-reminder:${id}:${periodEnd.getTime()}`
    await emailSubscribers(trx, subscription, (to) => renewalReminderEmail(to, told), once)
  })
}

/** Sets what the provider charges for the next period. Returns it, in the smallest unit and with tax, unless the provider adds it. */
async function tellPrice(id: string): Promise<number | undefined> {
  const next = await transaction(async (trx) => {
    const locked = await lockSubscription(trx, id)
    const subscription = locked && (await takeNext(trx, locked))
    if (!subscription?.periodEnd) return undefined
    const every = await findInterval(trx, subscription.offerId)
    const start = subscription.periodEnd
    const { gross } = await totalsOfPeriod(trx, subscription, { start, end: endOfPeriod(start, every) })
    return { subscription, every, gross, title: await productName(trx, subscription), from: start }
  })
  const provider = next && findProvider(next.subscription.provider)
  if (!provider || !next.subscription.providerId) return next?.gross
  const { gross: amount, every, title, from, subscription } = next
  const seen = await provider.read('subscription', subscription.providerId ?? '')
  // A period that is charged already cannot change.
  if (!seen || seen.state === 'ended' || seen.periodStart.getTime() >= from.getTime()) return amount
  const isSame = seen.amount === amount && seen.periodEnd.getTime() === from.getTime()
  if (!isSame) {
    const { currency, taxBy, version } = subscription
    // A plan that is left and chosen again within a day is another change.
    const key = `${PRICE_JOB}:${id}:${version}:${from.getTime()}:${amount}:${every}`
    await provider.changePrice(seen.id, { amount, currency, every, title, from, isTaxed: taxBy === 'provider' }, key)
  }
  return amount
}

/** The plan and the price that begin with the next period. */
async function takeNext(trx: Trx, subscription: Subscription): Promise<Subscription> {
  const { nextOfferId, nextAmount, nextAmountFrom, periodEnd } = subscription
  if (nextOfferId) {
    const offer = await trx.selectFrom('productOffers').selectAll().where('id', '=', nextOfferId).executeTakeFirstOrThrow()
    const none = { nextOfferId: null, nextAmount: null, nextAmountFrom: null }
    return changeSubscription(trx, subscription, { offerId: offer.id, amount: offer.amount, ...none })
  }
  if (nextAmount === null || !nextAmountFrom || !periodEnd || nextAmountFrom > periodEnd) return subscription
  return changeSubscription(trx, subscription, { amount: nextAmount, nextAmount: null, nextAmountFrom: null })
}

/** The provider is asked first: a payment whose event was lost still counts. */
async function endOverdue(id: string, at: Date): Promise<void> {
  const found = await db.selectFrom('subscriptions').select(['provider', 'providerId']).where('id', '=', id).executeTakeFirst()
  const provider = found && findProvider(found.provider)
  if (provider && found.providerId) await applySubscription(provider, found.providerId)
  const isDue = (await dueForEnd(at)).some((due) => due.id === id)
  if (!isDue) return
  await transaction(async (trx) => {
    const subscription = await lockSubscription(trx, id)
    if (subscription) await endSubscription(trx, subscription, subscription.endsAtPeriodEnd ? 'cancelled' : 'unpaid')
  })
}

defineJob('subscriptions.care', z.unknown(), async () => careForSubscriptions(), { every: 'hour' })

defineJob(PRICE_JOB, z.object({ id: z.string() }), async ({ id }) => void (await tellPrice(id)))
