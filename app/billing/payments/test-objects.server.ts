import { z } from 'zod'
import { providerTax } from '#app/billing/orders/order.ts'
import { type Database, db, newId, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { ProviderObjects } from './provider.server.ts'

/** The facts that the tax depends on; null if the provider does not compute it. Objects of earlier versions have none. */
const taxed = z.object({ isBusiness: z.boolean(), countryCode: z.string(), vatNumber: z.string() }).nullable().default(null)
const tax = z.nullable(providerTax).default(null)

const moment = z.iso.datetime()
const day = moment.transform((text) => new Date(text))
const interval = z.enum(['month', 'quarter', 'year'])

const checkout = z.object({
  state: z.enum(['open', 'complete', 'expired']),
  isPaid: z.boolean(),
  amount: z.number(),
  currency: z.string(),
  checkoutId: z.string(),
  orderId: z.string(),
  paymentId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  title: z.string(),
  email: z.string(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  expiresAt: moment,
  /** Why the last attempt failed, in words. */
  failure: z.string(),
  subscription: z.object({ id: z.string(), every: interval }).nullable(),
  taxed,
  tax,
})

const payment = z.object({
  state: z.enum(['pending', 'succeeded', 'failed']),
  amount: z.number(),
  currency: z.string(),
  fee: z.number().nullable(),
  paidAt: day.nullable(),
  failure: z.string(),
  checkoutId: z.string().nullable(),
  periodId: z.string().nullable(),
})

const refund = z.object({
  refundId: z.string().nullable(),
  paymentId: z.string(),
  amount: z.number(),
  currency: z.string(),
  state: z.enum(['pending', 'succeeded', 'failed']),
  failure: z.string(),
})

const dispute = z.object({
  paymentId: z.string(),
  amount: z.number(),
  currency: z.string(),
  fee: z.number(),
  state: z.enum(['inquiry', 'open', 'won', 'lost']),
  reason: z.string(),
  evidenceDueAt: day.nullable(),
})

const subscription = z.object({
  state: z.enum(['incomplete', 'active', 'pastDue', 'ended']),
  subscriptionId: z.string(),
  periodStart: day,
  periodEnd: day,
  endsAtPeriodEnd: z.boolean(),
  amount: z.number(),
  currency: z.string(),
  every: interval,
  taxed,
})

const period = z.object({
  tax,
  subscriptionId: z.string(),
  state: z.enum(['open', 'paid', 'void', 'uncollectible']),
  amount: z.number(),
  currency: z.string(),
  paymentId: z.string().nullable(),
  start: day,
  end: day,
  actionUrl: z.string().nullable(),
  failure: z.string(),
})

/** An event of an object, which the provider sends and lists. */
const event = z.object({ kind: z.string(), objectKind: z.string(), objectId: z.string(), occurredAt: moment })

const given = { checkout, payment, refund, dispute, subscription, period, event } satisfies Record<
  keyof ProviderObjects | 'event',
  z.ZodType
>

export type TestObjects = { [Kind in keyof typeof given]: z.output<(typeof given)[Kind]> }
type Kind = keyof TestObjects

const shapes: { [K in Kind]: z.ZodType<TestObjects[K]> } = given

const initials: Record<Kind, string> = {
  checkout: 'tc',
  payment: 'tp',
  refund: 'tr',
  dispute: 'td',
  subscription: 'ts',
  period: 'ti',
  event: 'te',
}

/** An id of the test provider, which says what it is of. */
export const testId = (kind: Kind, key: string = newId()) => `${initials[kind]}_${key}`

/** An object as the test provider keeps it; locked until the transaction ends where one is given. */
export async function findTestObject<K extends Kind>(kind: K, id: string, trx?: Trx): Promise<TestObjects[K] | undefined> {
  const query = (trx ?? db).selectFrom('testPaymentObjects').select('body').where('id', '=', id).where('kind', '=', kind)
  const row = await (trx ? query.forUpdate() : query).executeTakeFirst()
  return row && read(kind, row.body)
}

export async function listTestObjects<K extends Kind>(kind: K, since: Date): Promise<(TestObjects[K] & { id: string })[]> {
  const rows = await db
    .selectFrom('testPaymentObjects')
    .select(['id', 'body'])
    .where('kind', '=', kind)
    .where('createdAt', '>=', since)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(({ id, body }) => ({ ...read(kind, body), id }))
}

/** Stores an object, unless there is one with this id. */
export async function addTestObject<K extends Kind>(
  connection: Database | Trx,
  kind: K,
  body: TestObjects[K],
  id = testId(kind),
): Promise<string> {
  await connection
    .insertInto('testPaymentObjects')
    .values({ id, kind, body: JSON.stringify(body) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return id
}

export async function changeTestObject<K extends Kind>(trx: Trx, kind: K, id: string, body: TestObjects[K]): Promise<void> {
  await trx
    .updateTable('testPaymentObjects')
    .set({ body: JSON.stringify(body), updatedAt: now })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .execute()
}

function read<K extends Kind>(kind: K, body: unknown): TestObjects[K] {
  return shapes[kind].parse(body)
}
