import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { takeEvent, applyEvent } from '#app/billing/payments/events.server.ts'
import { startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { nextStates } from '#app/billing/orders/order.ts'
import { nextDisputeStates } from '#app/billing/refunds/dispute.server.ts'
import { requestRefund } from '#app/billing/refunds/refund.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { makeOrder } from './billing.ts'
import { saveBilling } from './invoices.ts'
import { jobOf } from './job.ts'
import type { StripeDouble } from './stripe.ts'
import { orderSubscription } from './subscriptions.ts'

/** Random numbers that come again for a seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(next() * most)
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, at: next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ value }) => value)
  return { below, pick, shuffled, chance: (share: number) => next() < share }
}

type Random = ReturnType<typeof randomFrom>
type Placed = { order: Row<'orders'>; session: string; deeds: number }

/** The jobs that payments enqueue for a provider. */
const KINDS = ['refunds.send', 'subscriptions.sync', 'subscriptions.cancel', 'subscriptions.price']
const TOGETHER = 20

const wrongs = ['cash', 'access', 'lost', 'credits'] as const

type Wrong = (typeof wrongs)[number]

/** The findings. All but the first two are zero if the model holds. */
type Report = { orders: number; events: number; accepted: number; outside: number; wrong: Record<Wrong, number> & { unbalanced: number } }

/**
 * Places random orders, lets customers, banks and time do what they do at Stripe, and delivers its events one to five times, shuffled and late, among
 * forged ones. Then it compares what is booked and granted with what happened at Stripe.
 */
export async function runModel(
  double: StripeDouble,
  { orders: count, seed, userId }: { orders: number; seed: number; userId: string },
): Promise<Report> {
  await saveBilling()
  const random = randomFrom(seed)
  const world: World = { double, random, userId, delivered: 0, accepted: 0, outside: 0, seen: new Map(), told: new Map(), waiting: [] }
  const wrong = { cash: 0, access: 0, lost: 0, credits: 0 }
  for (let at = 0; at < count; at += TOGETHER) {
    const batch: Placed[] = []
    while (batch.length < Math.min(TOGETHER, count - at)) batch.push(await place(world))
    await live(world, batch)
    for (let round = 0; round < 3; round += 1) await settleAll(world, batch)
    const found = await compare(world, batch)
    for (const kind of wrongs) wrong[kind] += found[kind]
    // Compared orders need no second search.
    double.objects.clear()
    world.told.clear()
    await db.deleteFrom('jobs').execute()
    // The upkeep of the product does the same: without statistics, the database reads whole tables.
    await sql`ANALYZE`.execute(db)
  }
  return {
    orders: count,
    events: world.delivered,
    accepted: world.accepted,
    outside: world.outside,
    wrong: { ...wrong, unbalanced: await countUnbalanced() },
  }
}

type World = {
  double: StripeDouble
  random: Random
  userId: string
  delivered: number
  accepted: number
  outside: number
  /** The last state of each order and dispute. */
  seen: Map<string, string>
  /** The events that Stripe has told of the orders of now. */
  told: Map<string, StripeDouble['events'][number]>
  /** Ids of those that have not been delivered. */
  waiting: string[]
}

async function place({ random, userId }: World): Promise<Placed> {
  const amount = 500 + random.below(100_000)
  const isSubscription = random.chance(0.4)
  const order = isSubscription
    ? await orderSubscription({ userId, amount, every: random.pick(['month', 'quarter', 'year'] as const) ?? 'month' })
    : await makeOrder({ userId, amount, taxRate: random.pick([0, 700, 1900, 2550]) ?? 0 })
  await startCheckoutFor(order.id)
  const { providerId } = await db.selectFrom('checkouts').select('providerId').where('orderId', '=', order.id).executeTakeFirstOrThrow()
  return { order, session: providerId ?? '', deeds: 2 + random.below(8) }
}

async function live(world: World, batch: Placed[]): Promise<void> {
  const { random } = world
  while (batch.some(({ deeds }) => deeds > 0)) {
    const one = random.pick(batch.filter(({ deeds }) => deeds > 0))
    if (!one) return
    one.deeds -= 1
    await act(world, one)
    collect(world)
    if (random.chance(0.4)) await deliverSome(world, batch)
    if (random.chance(0.2)) await runJobs()
  }
}

/** Takes what Stripe has told since the last time. */
function collect({ double, waiting, told }: World): void {
  for (const event of double.events.splice(0)) {
    told.set(event.id, event)
    waiting.push(event.id)
  }
}

async function act({ double, random }: World, { order, session }: Placed): Promise<void> {
  const checkout = double.get(session)
  if (checkout['status'] === 'open') {
    const draw = random.below(10)
    if (draw < 2) return double.decline(session)
    if (draw < 3) return double.expire(session)
    return double.completeCheckout(session, { delayed: draw < 5 && checkout['mode'] === 'payment' })
  }
  if (checkout['status'] !== 'complete') return
  if (checkout['payment_status'] === 'unpaid') {
    // A bank decides once.
    const isDecided = double.get(paymentsOf(double, checkout)[0] ?? '')['status'] !== 'processing'
    return isDecided ? undefined : double.settleDelayed(session, random.chance(0.7))
  }
  if (typeof checkout['subscription'] === 'string' && random.chance(0.6)) return actOnSubscription(double, random, checkout['subscription'])
  const payment = random.pick(paymentsOf(double, checkout))
  if (payment) await actOnPayment({ double, random }, order, payment)
}

function paymentsOf(double: StripeDouble, checkout: StripeDouble['events'][number]): string[] {
  const { payment_intent: one, subscription } = checkout
  if (typeof one === 'string') return [one]
  const invoices = double.list('invoice').filter((invoice) => invoice['subscription'] === subscription && invoice['status'] === 'paid')
  return invoices.flatMap(({ payment }) => (typeof payment === 'string' ? payment : []))
}

function actOnSubscription(double: StripeDouble, random: Random, id: string): void {
  const open = double.list('invoice').find((invoice) => invoice['subscription'] === id && invoice['status'] === 'open')
  if (open) return double.retry(open.id, random.pick(['paid', 'paid', 'failed', 'action'] as const) ?? 'paid')
  if (double.get(id)['status'] === 'canceled') return
  if (random.chance(0.1)) return double.end(id)
  double.renew(id, random.pick(['paid', 'paid', 'failed', 'action'] as const) ?? 'paid')
}

async function actOnPayment({ double, random }: Pick<World, 'double' | 'random'>, order: Row<'orders'>, payment: string): Promise<void> {
  const dispute = double.list('dispute').find((one) => one['payment_intent'] === payment)
  const draw = random.below(10)
  if (dispute && draw < 5) return moveDispute(double, random, dispute)
  const left = double.leftOf(payment)
  if (!dispute && draw < 2 && left > 0) {
    double.dispute(payment, random.pick(['warning_needs_response', 'needs_response'] as const) ?? 'needs_response')
    return
  }
  const refunds = double.list('refund').filter((one) => one['payment_intent'] === payment && one['status'] === 'succeeded')
  const refund = random.pick(refunds)
  if (refund && draw < 4) return double.failRefund(refund.id)
  const amount = random.chance(0.4) ? left : 1 + random.below(Math.max(1, left))
  if (left > 0) await refundSome({ double, random }, { payment, amount, order })
}

function moveDispute(double: StripeDouble, random: Random, { id, status }: StripeDouble['events'][number]): void {
  if (status === 'warning_needs_response')
    double.moveDispute(id, random.pick(['needs_response', 'warning_closed'] as const) ?? 'needs_response')
  else if (status === 'needs_response') double.moveDispute(id, random.pick(['won', 'lost'] as const) ?? 'lost')
}

/** By us, or by somebody at Stripe. */
async function refundSome(
  { double, random }: Pick<World, 'double' | 'random'>,
  { payment, amount, order }: { payment: string; amount: number; order: Row<'orders'> },
): Promise<void> {
  const ours = await db.selectFrom('payments').select('id').where('providerId', '=', payment).executeTakeFirst()
  try {
    if (!ours || random.chance(0.3)) double.refundThere(payment, amount)
    else {
      const share = await db.selectFrom('paymentAllocations').select('orderId').where('paymentId', '=', ours.id).executeTakeFirst()
      await requestRefund(
        { paymentId: ours.id, orderId: share?.orderId ?? null, amount, reason: 'Model' },
        { id: order.userId ?? '' },
        false,
      )
    }
  } catch (error) {
    // Both sides refuse more than is left.
    if (!(error instanceof Stop) && !(error instanceof Error && error.message.includes('unrefunded'))) throw error
  }
}

/** Some of the waiting events, one to five times each, in any order, and a hostile one in between. */
async function deliverSome(world: World, batch: Placed[]): Promise<void> {
  const { random } = world
  const chosen = new Set(random.shuffled(world.waiting).slice(0, 1 + random.below(12)))
  world.waiting = world.waiting.filter((id) => !chosen.has(id))
  await deliver(world, [...chosen])
  if (random.chance(0.3)) await attack(world)
  await applySome(world, batch, 0.7)
}

async function deliver(world: World, ids: string[]): Promise<void> {
  const { double, random, told } = world
  const copies = random.shuffled(ids.flatMap((id) => Array.from({ length: 1 + random.below(5) }, () => id)))
  for (const id of copies) {
    const event = told.get(id)
    if (!event) continue
    const { body, headers } = double.sign(event)
    await takeEvent('stripe', Buffer.from(body), headers)
    world.delivered += 1
  }
}

/** Each of these has to be refused, and stored nowhere. */
async function attack(world: World): Promise<void> {
  const { double, random } = world
  const event = { ...(random.pick([...world.told.values()]) ?? { id: '', object: 'event' }), id: `evt_${randomUUID()}` }
  const genuine = double.sign(event)
  const hostile = random.pick([
    double.sign(event, { secret: 'whsec_forged' }),
    double.sign(event, { at: Math.floor(Date.now() / 1000) - 360 }),
    { ...genuine, body: genuine.body.replace(/"amount(_\w+)?":\d+/, '"amount":1').replace('"livemode":false', '"livemode": false') },
    double.sign({ ...event, account: 'acct_another' }),
    double.sign({ ...event, livemode: true }),
  ])
  const isTaken = await takeEvent('stripe', Buffer.from(hostile?.body ?? ''), hostile?.headers ?? {}).then(
    () => true,
    () => false,
  )
  const stored = await db.selectFrom('paymentEvents').select('id').where('eventId', '=', event.id).executeTakeFirst()
  if (isTaken || stored) world.accepted += 1
}

/** In any order, as several workers would. */
async function applySome(world: World, batch: Placed[], share: number): Promise<void> {
  const rows = await db.selectFrom('paymentEvents').select('id').where('appliedAt', 'is', null).execute()
  for (const { id } of world.random.shuffled(rows)) if (world.random.chance(share)) await applyEvent(id)
  await watch(world, batch)
}

/** Every state that follows another one has to be one of the diagram. */
async function watch(world: World, batch: Placed[]): Promise<void> {
  const of = batch.map(({ order }) => order.id)
  const orders = await db.selectFrom('orders').select(['id', 'state']).where('id', 'in', of).execute()
  const disputes = await db.selectFrom('disputes').select(['id', 'state']).where('orderId', 'in', of).execute()
  const isStep = (next: Record<string, readonly string[]>, from: string, to: string) => from === to || next[from]?.includes(to)
  for (const { id, state } of orders) {
    if (!isStep(nextStates, world.seen.get(id) ?? 'open', state)) world.outside += 1
    world.seen.set(id, state)
  }
  for (const { id, state } of disputes) {
    if (!isStep(nextDisputeStates, world.seen.get(id) ?? 'inquiry', state)) world.outside += 1
    world.seen.set(id, state)
  }
}

async function runJobs(): Promise<void> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'payload'])
    .where('kind', 'in', KINDS)
    .where('doneAt', 'is', null)
    .execute()
  for (const { id, kind, payload } of jobs) {
    await jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', id).execute()
  }
}

async function settleAll(world: World, batch: Placed[]): Promise<void> {
  await runJobs()
  collect(world)
  await deliver(world, world.waiting.splice(0))
  await applySome(world, batch, 1)
}

/** Cash by payment against the balance of Stripe, access against what was paid, refunded and lost, credit notes against the refunds that arrived. */
async function compare({ double }: World, batch: Placed[]): Promise<Record<Wrong, number>> {
  const truth = cashAtStripe(double)
  const booked = await db
    .selectFrom('payments')
    .leftJoin('ledgerEntries as entry', (join) => join.onRef('entry.paymentId', '=', 'payments.id').on('entry.account', '=', 'cash'))
    .select((of) => ['payments.providerId', of.fn.coalesce(of.fn.sum<string>('entry.amount'), of.lit(0)).as('cash')])
    .where('payments.providerId', 'in', ['none', ...truth.keys()])
    .groupBy('payments.providerId')
    .execute()
  const ours = new Map(booked.map(({ providerId, cash }) => [providerId, Number(cash)]))
  const cash = [...truth].filter(([id, amount]) => ours.has(id) && ours.get(id) !== amount).length
  const lost = [...truth.keys()].filter((id) => !ours.has(id)).length
  let access = 0
  for (const { order, session } of batch) if (!(await hasRightAccess(double, order, session))) access += 1
  return { cash, access, lost, credits: await countWrongCredits(double) }
}

/** Of all orders: the entries of each add up to zero in each currency. */
async function countUnbalanced(): Promise<number> {
  const sums = await db
    .selectFrom('ledgerEntries')
    .select((of) => of.fn.sum<string>('amount').as('sum'))
    .groupBy(['orderId', 'currency'])
    .execute()
  return sums.filter(({ sum }) => Number(sum) !== 0).length
}

/** Orders with credit notes for another sum than was refunded at Stripe. */
async function countWrongCredits(double: StripeDouble): Promise<number> {
  const refunded = new Map<string, number>()
  for (const { payment_intent: payment, status, amount } of double.list('refund')) {
    if (typeof payment === 'string' && status === 'succeeded') refunded.set(payment, (refunded.get(payment) ?? 0) + Number(amount))
  }
  const credited = await db
    .selectFrom('paymentAllocations as share')
    .innerJoin('payments', 'payments.id', 'share.paymentId')
    .leftJoin('invoices as note', (join) => join.onRef('note.orderId', '=', 'share.orderId').on('note.kind', '=', 'credit_note'))
    .select((of) => ['payments.providerId', of.fn.coalesce(of.fn.sum<string>('note.gross'), of.lit(0)).as('credited')])
    .where('payments.providerId', 'in', ['none', ...double.list('payment_intent').map(({ id }) => id)])
    .groupBy('payments.providerId')
    .execute()
  return credited.filter((one) => Number(one.credited) !== (refunded.get(one.providerId) ?? 0)).length
}

function cashAtStripe(double: StripeDouble): Map<string, number> {
  const cash = new Map<string, number>()
  for (const move of double.list('balance_transaction')) {
    const source = typeof move['source'] === 'string' ? double.objects.get(move['source']) : undefined
    const payment = source?.['payment_intent']
    if (typeof payment === 'string') cash.set(payment, (cash.get(payment) ?? 0) + Number(move['net']))
  }
  return cash
}

async function hasRightAccess(double: StripeDouble, order: Row<'orders'>, session: string): Promise<boolean> {
  if (order.subscriptionId) return hasRightSubscription(double, order.subscriptionId)
  const grants = await db
    .selectFrom('entitlements')
    .select('suspendedAt')
    .where('orderId', '=', order.id)
    .where('revokedAt', 'is', null)
    .execute()
  const checkout = double.get(session)
  const payment = checkout['payment_intent']
  if (checkout['payment_status'] !== 'paid' || typeof payment !== 'string') return grants.length === 0
  const dispute = double.list('dispute').find((one) => one['payment_intent'] === payment)?.['status']
  if (double.leftOf(payment) === 0 || dispute === 'lost') return grants.length === 0
  const isSuspended = grants[0]?.suspendedAt !== null
  return grants.length === 1 && isSuspended === (dispute === 'needs_response')
}

async function hasRightSubscription(double: StripeDouble, id: string): Promise<boolean> {
  const { state } = await db.selectFrom('subscriptions').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  const grants = await db
    .selectFrom('entitlements')
    .select('suspendedAt')
    .where('subscriptionId', '=', id)
    .where('revokedAt', 'is', null)
    .execute()
  const current = await db
    .selectFrom('orders')
    .innerJoin('paymentAllocations', 'paymentAllocations.orderId', 'orders.id')
    .innerJoin('payments', 'payments.id', 'paymentAllocations.paymentId')
    .select('payments.providerId')
    .where('orders.subscriptionId', '=', id)
    .where('orders.state', '=', 'paid')
    .orderBy('periodEnd', 'desc')
    .orderBy('orders.createdAt', 'desc')
    .executeTakeFirst()
  const isDisputed = double
    .list('dispute')
    .some((one) => one['payment_intent'] === current?.providerId && one['status'] === 'needs_response')
  const isRight = grants.every(({ suspendedAt }) => (suspendedAt !== null) === isDisputed)
  return isRight && grants.length === (state === 'active' || state === 'grace' ? 1 : 0)
}
