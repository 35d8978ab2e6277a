import type { Actor } from '#app/auth/users/audit.server.ts'
import { allocatePayment, findUnallocated } from '#app/billing/payments/settlement.server.ts'
import { cancelOrder, startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import type { ProviderTax } from '#app/billing/orders/order.ts'
import { type Totals, totalText } from '#app/billing/orders/totals.ts'
import { taxOrder } from '#app/billing/orders/order-tax.server.ts'
import { db, type Database, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { placeRenewal, totalsOfPeriod } from './renewal-order.server.ts'
import {
  changeSubscription,
  endReasons,
  endSubscription,
  findInterval,
  lockOpenOrders,
  lockSubscription,
  setEnding,
} from './subscription-state.server.ts'
import { PRICE_JOB } from './subscription-jobs.ts'
import { everyWords, type SubscriptionView } from './subscription.ts'

type Subscription = Row<'subscriptions'>
type Offer = Row<'productOffers'>

/** Where an upgrade is paid. */
const UPGRADE_MS = 3_600_000
const PAGE = '/account/billing#subscriptions'
const MOST = 200

/** The subscriptions of an organization that have started, newest first. */
export async function listSubscriptions(organizationId: string): Promise<SubscriptionView[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('dataProducts as product', 'product.id', 'subscriptions.productId')
    .selectAll('subscriptions')
    .select(['product.name as title', 'product.slug', 'product.removedAt'])
    .where('organizationId', '=', organizationId)
    .where('periodStart', 'is not', null)
    .orderBy('subscriptions.createdAt', 'desc')
    .limit(MOST)
    .execute()
  const views: SubscriptionView[] = []
  for (const { title, slug, removedAt, ...row } of rows) {
    views.push({
      ...(await viewOf(row)),
      title,
      slug: removedAt ? null : slug,
      hasPaymentPage: row.provider === 'stripe' && row.providerId !== null,
    })
  }
  return views
}

async function viewOf(row: Subscription): Promise<Omit<SubscriptionView, 'title' | 'slug' | 'hasPaymentPage'>> {
  const { reference, state, currency, amount, periodEnd, endsAtPeriodEnd, graceUntil, endReason, isTest, nextAmount, nextAmountFrom } = row
  const offers = await db
    .selectFrom('productOffers')
    .selectAll()
    .where('productId', '=', row.productId)
    .where('currency', '=', currency)
    .where('charged', '!=', 'once')
    .execute()
  const own = offers.find(({ id }) => id === row.offerId)
  const next = offers.find(({ id }) => id === row.nextOfferId)
  const isOpen = state === 'active' && !endsAtPeriodEnd && row.providerId !== null
  const others = isOpen ? offers.filter(({ id, archivedAt }) => id !== row.offerId && id !== row.nextOfferId && !archivedAt) : []
  return {
    reference,
    state: state === 'incomplete' ? 'ended' : state,
    every: everyOf(own),
    amount: moneyText(amount, currency),
    periodEnd: periodEnd?.toISOString() ?? null,
    endsAtPeriodEnd,
    graceUntil: graceUntil?.toISOString() ?? null,
    endReason: wordsOf(endReason),
    unpaid: await findUnpaid(row),
    next: nextAmount !== null && nextAmountFrom ? { amount: moneyText(nextAmount, currency), from: nextAmountFrom.toISOString() } : null,
    nextPlan: next ? `${moneyText(next.amount, currency)} ${everyWords[everyOf(next)]}` : null,
    plans: await plansOf(row, others),
    isTest,
  }
}

async function findUnpaid({ id, state }: Subscription): Promise<SubscriptionView['unpaid']> {
  if (state !== 'grace') return null
  const open = await db
    .selectFrom('orders')
    .innerJoin('checkouts', 'checkouts.orderId', 'orders.id')
    .select(['reference', 'gross', 'orders.currency', 'orders.taxBy', 'orders.providerTax'])
    .where('subscriptionId', '=', id)
    .where('orders.state', '=', 'open')
    .where('kind', '=', 'renewal')
    .where('orders.expiresAt', 'is', null)
    .where('url', '!=', '')
    .orderBy('orders.createdAt', 'desc')
    .executeTakeFirst()
  return open ? { order: open.reference, amount: totalText(open) } : null
}

function wordsOf(reason: string): string {
  return reason in endReasons ? (Object.entries(endReasons).find(([name]) => name === reason)?.[1] ?? reason) : reason
}

function everyOf(offer: Offer | undefined): SubscriptionView['every'] {
  return offer && offer.charged !== 'once' ? offer.charged : 'month'
}

/** Without a tax for the organization there are no other plans; the page of the organization asks for what is missing. */
async function plansOf(row: Subscription, offers: readonly Offer[]): Promise<SubscriptionView['plans']> {
  const plans: SubscriptionView['plans'] = []
  for (const offer of offers) {
    const shown = { offerId: offer.id, every: everyOf(offer), amount: moneyText(offer.amount, offer.currency) }
    try {
      const upgrade = await transaction((trx) => quoteUpgrade(trx, row, offer))
      plans.push({ ...shown, ...beginningOf(row, upgrade?.totals) })
    } catch (error) {
      if (!(error instanceof Stop)) throw error
    }
  }
  return plans
}

/** The amount that is due now for a plan, and when it begins. */
function beginningOf({ currency, taxBy }: Subscription, totals: Totals | undefined) {
  if (!totals) return { now: null, begins: 'Starts with your next period. Nothing is charged now.' }
  const now = totalText({ gross: totals.gross, currency, taxBy, providerTax: null })
  const tax = totals.tax > 0 ? ' with tax' : ''
  return { now, begins: `Starts now for ${now}${tax}: the rest of your current period is deducted.` }
}

/**
 * The cost of a plan that begins now: its price, less the rest of the paid period. Undefined where that is not less than its price, such as from
 * yearly to monthly: then it begins with the next period.
 */
async function quoteUpgrade(trx: Trx, row: Subscription, offer: Offer) {
  const { periodStart, periodEnd } = row
  if (!periodStart || !periodEnd || offer.charged === 'once') return undefined
  const start = new Date()
  const whole = periodEnd.getTime() - periodStart.getTime()
  const left = Math.max(0, Math.min(whole, periodEnd.getTime() - start.getTime()))
  // In whole days, so that the page and the click agree.
  const days = Math.floor(left / 86_400_000)
  const paid = await findPaid(trx, { ...row, periodEnd })
  const rest = whole > 0 ? Math.floor((paid * days) / Math.max(1, Math.round(whole / 86_400_000))) : 0
  if (rest >= offer.amount) return undefined
  const period = { start, end: endOfPeriod(start, offer.charged) }
  return { period, totals: await totalsOfPeriod(trx, { ...row, amount: offer.amount }, period, rest) }
}

/**
 * The value of the current period before tax: what was paid for it and not refunded, and what an upgrade took off for the period before it. The first
 * period may have had a discount, and the amount of the subscription may already be that of the next period.
 */
async function findPaid(trx: Trx, { id, periodEnd }: Pick<Subscription, 'id'> & { periodEnd: Date }): Promise<number> {
  const order = await trx
    .selectFrom('orders')
    .select(['id', 'kind', 'net', 'lines'])
    .where('subscriptionId', '=', id)
    .where('state', '=', 'paid')
    .where('periodEnd', '=', periodEnd)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  if (!order) return 0
  const { credited } = await trx
    .selectFrom('invoices')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('net'), of.lit(0)).as('credited'))
    .where('orderId', '=', order.id)
    .where('kind', '=', 'credit_note')
    .executeTakeFirstOrThrow()
  const paid = order.kind === 'dataset' ? order.net : order.lines.reduce((sum, { discount }) => sum + discount, order.net)
  return paid - Number(credited)
}

/** Cancels a subscription at once, or with its period. In the grace period that one is over, and a retry of the provider must not charge the next. */
export async function cancelSubscription(id: string, asked: 'now' | 'periodEnd', actor: Actor): Promise<void> {
  const found = await findRunning(id)
  const when = found.state === 'grace' ? 'now' : asked
  const provider = findProvider(found.provider)
  if (provider && found.providerId) await provider.cancelSubscription(found.providerId, when, `cancel:${id}:${found.version}`)
  await transaction(async (trx) => {
    await lockOpenOrders(trx, id)
    const subscription = await lockSubscription(trx, id)
    if (!subscription || subscription.state === 'ended') return
    if (when === 'now') await endSubscription(trx, subscription, 'cancelled', { actor })
    else await setEnding(trx, subscription, true, actor)
  })
}

/** Takes a cancellation back. */
export async function continueSubscription(id: string, actor: Actor): Promise<void> {
  const found = await findRunning(id)
  const provider = findProvider(found.provider)
  if (!provider || !found.providerId)
    stop('conflict', 'This subscription cannot be continued. Please subscribe again.', { code: 'not_charged' })
  const seen = await provider.read('subscription', found.providerId)
  if (!seen || seen.state === 'ended') {
    stop('conflict', 'The payment provider has ended this subscription. Please subscribe again when it ends.', { code: 'not_charged' })
  }
  await provider.continueSubscription(found.providerId, `continue:${id}:${found.version}`)
  await transaction(async (trx) => {
    const subscription = await lockSubscription(trx, id)
    if (subscription && subscription.state !== 'ended') await setEnding(trx, subscription, false, actor)
  })
}

/** Changes the plan: at once against a payment, whose page is returned, or with the next period. */
export async function changePlan(id: string, offerId: string, actor: { id: string; address: string }): Promise<string | null> {
  const found = await findRunning(id)
  if (found.state !== 'active' || found.endsAtPeriodEnd)
    stop('conflict', 'Continue the subscription, and settle its open payment, before you change the plan.', { code: 'not_active' })
  const offer = await db
    .selectFrom('productOffers')
    .selectAll()
    .where('id', '=', offerId)
    .where('productId', '=', found.productId)
    .where('currency', '=', found.currency)
    .where('charged', '!=', 'once')
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!offer || offer.id === found.offerId)
    return stop('conflict', 'This plan has ended. Please choose another one.', { code: 'no_such_offer' })
  // The page of another choice must not take money any more.
  for (const earlier of await findOpenUpgrades(db, id)) {
    if (earlier.offerId !== offer.id) await cancelOrder(earlier.id, actor, 'Another plan was chosen.')
  }
  const orderId = await transaction((trx) => beginChange(trx, id, offer))
  return orderId === undefined ? null : startCheckoutFor(orderId, { returnPath: PAGE, cancelPath: PAGE })
}

async function findOpenUpgrades(connection: Database | Trx, id: string): Promise<{ id: string; offerId: string | null }[]> {
  return connection
    .selectFrom('orders')
    .select(['id', 'offerId'])
    .where('subscriptionId', '=', id)
    .where('kind', '=', 'renewal')
    .where('state', '=', 'open')
    .where('expiresAt', 'is not', null)
    .execute()
}

async function beginChange(trx: Trx, id: string, offer: Offer): Promise<string | undefined> {
  const subscription = await lockSubscription(trx, id)
  if (!subscription) return stop('notFound', 'There is no such subscription.')
  const [open] = await findOpenUpgrades(trx, id)
  // A second click or another tab pays the same order.
  if (open?.offerId === offer.id) return open.id
  if (open) stop('conflict', 'Another plan has just been chosen, such as in another tab. Please look again.', { code: 'plan_chosen' })
  const upgrade = await quoteUpgrade(trx, subscription, offer)
  if (!upgrade) {
    await changeSubscription(trx, subscription, { nextOfferId: offer.id })
    await enqueue(trx, { kind: PRICE_JOB, payload: { id }, dedupeKey: `${PRICE_JOB}:${id}:${subscription.version}` })
    return undefined
  }
  const { totals, period } = upgrade
  const order = await placeRenewal(trx, subscription, period, { totals, offerId: offer.id, expiresAt: new Date(Date.now() + UPGRADE_MS) })
  return order.id
}

/** Gives an ended subscription the period that a late payment pays for. It ends with it: the provider charges it no more. */
export async function reopenSubscription(id: string, paymentId: string, actor: { id: string }): Promise<void> {
  const tax = await findTaxOf(paymentId)
  await transaction(async (trx) => {
    const payment = await trx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
    const subscription = await trx.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
    if (!payment || !subscription || payment.organizationId !== subscription.organizationId) {
      stop('notFound', 'There is no such payment of this organization.')
    }
    if (subscription.state !== 'ended') stop('conflict', 'This subscription is running.', { code: 'subscription_running' })
    const start = new Date()
    const period = { start, end: endOfPeriod(start, await findInterval(trx, subscription.offerId)) }
    const totals = await totalsOfPeriod(trx, subscription, period)
    const left = await findUnallocated(trx, paymentId)
    const isTaxed = subscription.taxBy === 'provider'
    if (isTaxed && (!tax || payment.amount - tax.tax !== totals.net))
      stop('conflict', 'The payment is for another price, so the tax of the provider does not fit. Refund it.', { code: 'other_price' })
    const gross = isTaxed && tax ? totals.net + tax.tax : totals.gross
    if (left < gross || payment.currency !== subscription.currency)
      stop('conflict', `A period costs ${moneyText(gross, subscription.currency)}, and the payment has less left.`, { code: 'too_little' })
    const order = await placeRenewal(trx, subscription, period, { totals })
    if (tax) await taxOrder(trx, order.id, tax)
    await allocatePayment(trx, { paymentId, orderId: order.id, amount: gross, actorId: actor.id })
    await trx
      .updateTable('billingTasks')
      .set({ doneAt: new Date(), doneBy: actor.id, note: 'Reopened' })
      .where('paymentId', '=', paymentId)
      .where('kind', '=', 'late_payment')
      .where('doneAt', 'is', null)
      .execute()
  })
}

/** The tax that the provider has added to a payment of a period. */
async function findTaxOf(paymentId: string): Promise<ProviderTax | null> {
  const payment = await db.selectFrom('payments').select(['provider', 'providerId']).where('id', '=', paymentId).executeTakeFirst()
  const provider = payment && findProvider(payment.provider)
  const periodId = provider && (await provider.read('payment', payment.providerId))?.periodId
  return (periodId && (await provider.read('period', periodId))?.tax) || null
}

/** The page of the provider on which the payment method of a subscription is changed. Companies that merged have several customers there. */
export async function findPaymentMethodPage({ provider: name, providerId }: Subscription): Promise<string> {
  const provider = findProvider(name)
  const seen = provider && providerId ? await provider.read('subscription', providerId) : undefined
  if (!provider || !seen?.customer) {
    stop('conflict', 'This subscription has no stored payment method.', { code: 'no_payment_method' })
  }
  return provider.paymentMethodPage(seen.customer, `${env.SITE_URL}${PAGE}`)
}

/** A subscription of an organization, by its reference. */
export async function findSubscription(organizationId: string, reference: string): Promise<Subscription> {
  const found = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('reference', '=', reference.toUpperCase())
    .executeTakeFirst()
  return found ?? stop('notFound', 'There is no such subscription.')
}

async function findRunning(id: string): Promise<Subscription> {
  const found = await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found || (found.state !== 'active' && found.state !== 'grace')) {
    stop('conflict', 'This subscription has ended.', { code: 'subscription_ended' })
  }
  return found
}
