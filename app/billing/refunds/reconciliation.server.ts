import { z } from 'zod'
import { book } from '#app/billing/orders/ledger.server.ts'
import { addBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { storeEvents } from '#app/billing/payments/events.server.ts'
import type { BalanceMove, PaymentProvider, Payout, ProviderEvent } from '#app/billing/payments/provider.server.ts'
import { checkoutProvider } from '#app/billing/payments/providers.server.ts'
import { bookFee } from '#app/billing/payments/settlement.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { moneyText } from '#app/platform/text/money.ts'

const DAY_MS = 86_400_000
/** As long as providers list their events. */
const WINDOW_DAYS = 30
/** Newer events may still be in transit. */
const YOUNG_MS = DAY_MS
const TOGETHER = 100

/** Applies the events of 30 days that never arrived. Returns how many there were. */
export async function applyMissedEvents(provider: PaymentProvider, at = new Date()): Promise<number> {
  let missed = 0
  let together: ProviderEvent[] = []
  for await (const event of provider.listEvents(new Date(at.getTime() - WINDOW_DAYS * DAY_MS))) {
    together.push(event)
    if (together.length < TOGETHER) continue
    missed += await storeEvents(provider, together)
    together = []
  }
  return missed + (await storeEvents(provider, together))
}

type Side = { amount: number; fee: number; currency: string }
type Moved = Side & { kind: BalanceMove['kind']; objectId: string; isYoung: boolean }

/** Compares what moved at the provider with the ledger, object by object, and payout by payout. A difference is a task for staff, with both sides. */
export async function reconcile(provider: PaymentProvider, at = new Date()): Promise<number> {
  const since = new Date(at.getTime() - WINDOW_DAYS * DAY_MS)
  const moved = new Map<string, Moved>()
  for await (const move of provider.listBalance(since)) {
    if (move.kind === 'payout') continue
    if (move.kind === 'fee') await bookOwnFee(provider, move)
    else addMove(moved, move, at)
  }
  let differences = 0
  for (const theirs of moved.values()) {
    const ours = await findOurs(provider, theirs)
    if (ours === 'pending' || theirs.isYoung) continue
    if (ours && ours.amount === theirs.amount && ours.fee === theirs.fee && ours.currency === theirs.currency) continue
    differences += 1
    await tell(provider, theirs, ours)
  }
  differences += await tellUnmoved(provider, { moved, since, at })
  for await (const payout of provider.listPayouts(since)) {
    const isYoung = at.getTime() - payout.occurredAt.getTime() < YOUNG_MS
    if (!isYoung && (await isPayoutWrong(provider, payout))) differences += 1
  }
  return differences
}

function addMove(moved: Map<string, Moved>, { id, kind, objectId, ...move }: BalanceMove, at: Date): void {
  const key = `${kind}:${objectId ?? id}`
  const before = moved.get(key) ?? { amount: 0, fee: 0 }
  const isYoung = at.getTime() - move.occurredAt.getTime() < YOUNG_MS
  const { currency } = move
  moved.set(key, { kind, objectId: objectId ?? id, currency, isYoung, amount: before.amount + move.amount, fee: before.fee + move.fee })
}

/** The provider’s own charges, such as for reports, belong to no order. */
async function bookOwnFee({ name }: PaymentProvider, { id, amount, fee, currency, occurredAt }: BalanceMove): Promise<void> {
  const cost = fee - amount
  if (cost === 0) return
  const amounts = { fees: cost, cash: -cost }
  await transaction((trx) => book(trx, { cause: `fee:${id}`, orderId: null, currency, isTest: name === 'test', occurredAt, amounts }))
}

async function findOurs(provider: PaymentProvider, theirs: Moved): Promise<Side | 'pending' | undefined> {
  if (theirs.kind === 'payment') return findPayment(provider, theirs)
  if (theirs.kind === 'refund') return findRefund(theirs)
  return theirs.kind === 'dispute' ? findDispute(theirs) : undefined
}

async function findPayment({ name }: PaymentProvider, { objectId, fee }: Moved): Promise<Side | undefined> {
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', name)
    .where('providerId', '=', objectId)
    .executeTakeFirst()
  if (!payment) return undefined
  const { id: paymentId, currency, isTest, paidAt: occurredAt, amount } = payment
  if (payment.fee !== null) return { amount, fee: payment.fee, currency }
  // It was not known yet when the payment was booked.
  await transaction((trx) => bookFee(trx, { paymentId, orderId: null, fee, currency, isTest, occurredAt }))
  return { amount, fee, currency }
}

async function findRefund({ objectId }: Moved): Promise<Side | 'pending' | undefined> {
  const refund = await db.selectFrom('refunds').selectAll().where('providerId', '=', objectId).executeTakeFirst()
  if (!refund) return undefined
  if (refund.state === 'pending') return 'pending'
  return { amount: refund.state === 'succeeded' ? -refund.amount : 0, fee: 0, currency: refund.currency }
}

async function findDispute({ objectId }: Moved): Promise<Side | undefined> {
  const dispute = await db.selectFrom('disputes').selectAll().where('providerId', '=', objectId).executeTakeFirst()
  const isAway = dispute?.state === 'open' || dispute?.state === 'lost'
  return dispute && { amount: isAway ? -dispute.amount : 0, fee: dispute.fee, currency: dispute.currency }
}

function words({ amount, fee, currency }: Side): string {
  return `${moneyText(amount, currency)}${fee === 0 ? '' : `, fee ${moneyText(fee, currency)}`}`
}

async function tell({ name }: PaymentProvider, theirs: Moved, ours: Side | undefined): Promise<void> {
  const { kind, objectId } = theirs
  await transaction((trx) =>
    addBillingTask(trx, {
      kind: 'difference',
      about: `difference:${name}:${kind}:${objectId}:${theirs.amount}:${theirs.fee}`,
      title: `The ledger differs from the payment provider at the ${kind === 'other' ? 'move' : kind} ${objectId}`,
      ours: `Ledger: ${ours ? words(ours) : 'nothing'}`,
      theirs: `Provider: ${words(theirs)}`,
      isTest: name === 'test',
    }),
  )
}

/** Payments of the ledger that the provider does not know. */
async function tellUnmoved(
  provider: PaymentProvider,
  { moved, since, at }: { moved: ReadonlyMap<string, Moved>; since: Date; at: Date },
): Promise<number> {
  const booked = await db
    .selectFrom('payments')
    .selectAll()
    .where('provider', '=', provider.name)
    // Those of the edge are in the list or not, depending on the second.
    .where('paidAt', '>', new Date(since.getTime() + DAY_MS))
    .where('paidAt', '<', new Date(at.getTime() - YOUNG_MS))
    .execute()
  const unknown = booked.filter(({ providerId }) => !moved.has(`payment:${providerId}`))
  for (const { id, providerId, amount, currency, isTest } of unknown) {
    await transaction((trx) =>
      addBillingTask(trx, {
        kind: 'difference',
        about: `difference:${provider.name}:unknown:${providerId}`,
        title: `The payment provider does not know the payment ${providerId}`,
        ours: `Ledger: ${moneyText(amount, currency)}`,
        theirs: 'Provider: nothing',
        paymentId: id,
        isTest,
      }),
    )
  }
  return unknown.length
}

/** A payout is the sum of its moves. If the ledger lacks one of them, staff are told which. */
async function isPayoutWrong(provider: PaymentProvider, { id, amount, currency, failure, parts }: Payout): Promise<boolean> {
  const theirs = `Provider: ${moneyText(amount, currency)}`
  const about = `difference:${provider.name}:payout:${id}`
  if (failure !== null) {
    const ours = 'Ledger: the money is at the payment provider. Check the account of your bank there.'
    await tellPayout(provider, { about, title: `The payout ${id} did not arrive at your bank`, ours, theirs: `${theirs}, ${failure}` })
    return true
  }
  if (!parts) return false
  let ledger = 0
  const unknown: string[] = []
  for (const part of parts) {
    const net = await knownNet(provider, part, currency)
    if (net === undefined) unknown.push(part.move.objectId ?? part.move.id)
    ledger += net ?? 0
  }
  if (ledger === amount) return false
  const without = unknown.length > 0 ? `, without ${new Intl.ListFormat('en').format(unknown.slice(0, 5))}` : ''
  const ours = `Ledger: ${moneyText(ledger, currency)}${without}`
  await tellPayout(provider, { about: `${about}:${ledger}`, title: `The payout ${id} is not the sum of what the ledger has`, ours, theirs })
  return true
}

type Part = NonNullable<Payout['parts']>[number]

/** The amount in the ledger for a part of a payout, in the currency of the payout. A dispute and its refund move twice, so their object is enough. */
async function knownNet(provider: PaymentProvider, { move, net }: Part, currency: string): Promise<number | undefined> {
  const { kind, objectId, id } = move
  if (kind === 'fee') return net
  const ours = await findOurs(provider, { ...move, objectId: objectId ?? id, isYoung: false })
  if (!ours) return undefined
  return kind === 'payment' && ours !== 'pending' && ours.currency === currency ? ours.amount - ours.fee : net
}

async function tellPayout({ name }: PaymentProvider, told: { about: string; title: string; ours: string; theirs: string }): Promise<void> {
  await transaction((trx) => addBillingTask(trx, { kind: 'difference', ...told, isTest: name === 'test' }))
}

defineJob(
  'payments.reconcile',
  z.unknown(),
  async () => {
    const provider = checkoutProvider()
    if (!provider) return
    await applyMissedEvents(provider)
    await reconcile(provider)
  },
  { every: 'day' },
)
