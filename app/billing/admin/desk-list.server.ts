import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { businessDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { type CursorType, readListCursor, writeListCursor } from '#app/leads/list/cursor.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import { BATCH_ROWS, type ListFile } from '#app/platform/tables/list-file.server.ts'
import { decimalText } from '#app/platform/text/money.ts'
import {
  type invoiceQuery,
  type ListedInvoice,
  listedInvoice,
  type ListedOrder,
  listedOrder,
  type ListedPayment,
  listedPayment,
  type ListedSubscription,
  listedSubscription,
  type ListedTask,
  listedTask,
  type orderQuery,
  type paymentQuery,
  type subscriptionQuery,
  type taskQuery,
} from './desk.ts'
import { type discountQuery, type ListedDiscount, listedDiscount } from './discount.ts'

type Order = { key: RawBuilder<unknown>; type: CursorType }

type DeskList<Row extends { id: string }> = {
  /** The columns of `row`, and what it reads. */
  select: RawBuilder<unknown>
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  row: z.ZodType<Row>
  orders: Record<string, Order>
  /** Without a wish. */
  usual: string
}

type Asked = { sort?: string | undefined; cursor?: string | undefined; limit: number }

type Page<Row> = { rows: Row[]; nextCursor: string | null }

/** One page in one of the orders of a list. A row without a value comes last. */
async function readPage<Row extends { id: string }>(
  { select, from, id, row, orders, usual }: DeskList<Row>,
  wanted: readonly RawBuilder<boolean>[],
  { sort = usual, cursor, limit }: Asked,
): Promise<Page<Row>> {
  const order = orders[sort.replace(/^-/, '')]
  if (!order) throw new Error(`There is no order by ${sort}.`)
  const { key, type } = order
  const keyText =
    type === 'timestamptz'
      ? sql`CASE WHEN ${key} = 'infinity' THEN 'infinity' ELSE (${key} AT TIME ZONE 'UTC')::text || '+00' END`
      : sql`(${key})::text`
  const isDescending = sort.startsWith('-')
  const place = readListCursor(sort, cursor, type)
  const past = place
    ? condition`(${key}, ${id}) ${sql.raw(isDescending ? '<' : '>')} (${place.key}::${sql.raw(type)}, ${place.id}::uuid)`
    : condition`true`
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC')
  const found = await queryRowsBehind(
    { value: z.unknown(), sortKey: z.string() },
    sql`SELECT to_jsonb(listed) - 'sort_key' AS value, sort_key FROM (
      SELECT ${select}, ${keyText} AS sort_key FROM ${from} WHERE ${sql.join([past, ...wanted], sql` AND `)}
      ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${limit + 1}) AS listed`,
  )
  const rows = found.slice(0, limit).map(({ value }) => row.parse(value))
  const last = rows.at(-1)
  const next = found.length > limit && last ? { direction: 'after' as const, key: found[limit - 1]?.sortKey ?? '', id: last.id } : undefined
  return { rows, nextCursor: next ? writeListCursor(sort, next) : null }
}

/** Today where the business is: what was due before is overdue. */
function today() {
  return sql`${businessDay(new Date(), billing.zone)}::date`
}

/** An organization as lists name it. A personal one is the name on its invoices, else the address of its person. */
export const customer = sql`json_build_object('id', organization.id, 'reference', organization.reference, 'name', coalesce(
  nullif(organization.name, ''), nullif(organization.legal_name, ''), (SELECT email::text FROM accounts WHERE accounts.id = organization.id LIMIT 1), 'Personal'))`

/** The ledger says what is owed; an order by checkout is in it once it is paid. */
export const owed = sql`CASE WHEN o.method = 'checkout' AND o.state IN ('open', 'processing') THEN o.gross
  ELSE coalesce((SELECT sum(amount) FROM ledger_entries WHERE order_id = o.id AND account = 'receivable'), 0)::bigint END`

/** Not a period that the provider charges, and not without the tax that it adds. */
export const takesTransfers = condition`NOT (o.state = 'open' AND o.kind = 'renewal' AND o.expires_at IS NULL)
  AND (o.tax_by <> 'provider' OR o.provider_tax IS NOT NULL)`

export const newestInvoice = sql`LEFT JOIN LATERAL (SELECT number, due_on FROM invoices WHERE order_id = o.id AND kind <> 'credit_note'
  ORDER BY created_at DESC LIMIT 1) AS invoice ON true`

const dueOn = () =>
  sql`coalesce(invoice.due_on, CASE WHEN o.method = 'invoice' THEN (o.due_at AT TIME ZONE ${billing.zone}::text)::date END)`
export const isUnpaid = condition`o.state IN ('open', 'processing')`
export const isLate = () => condition`${isUnpaid} AND coalesce(${dueOn()} < ${today()}, false)`

/** The database writes moments as JSON; the API answers them as JavaScript does. */
const moment = z.string().transform((text) => new Date(text).toISOString())
const maybeMoment = moment.nullable()

const refunded = sql`coalesce((SELECT sum(amount) FROM refunds WHERE order_id = o.id AND state = 'succeeded'), 0)::bigint`
const dispute = sql`(SELECT state FROM disputes WHERE order_id = o.id AND state IN ('open', 'lost') ORDER BY created_at DESC LIMIT 1)`

/** States that an order has beside its own. */
const conditionOf = (state: string) => {
  if (state === 'overdue') return isLate()
  if (state === 'unpaid') return isUnpaid
  if (state === 'refunded') return condition`EXISTS (SELECT FROM refunds WHERE order_id = o.id AND state = 'succeeded')`
  if (state === 'disputed') return condition`EXISTS (SELECT FROM disputes WHERE order_id = o.id AND state IN ('open', 'lost'))`
  return condition`o.state = ${state}`
}

const orderList = (): DeskList<ListedOrder> => ({
  select: sql`o.id, o.reference, o.title, o.kind, o.state, o.method, ${customer} AS organization, o.currency, o.gross, ${owed} AS owed,
    ${refunded} AS refunded, ${dispute} AS dispute, invoice.number AS invoice, ${dueOn()} AS "dueOn", ${isLate()} AS "isOverdue", o.is_test AS "isTest", o.created_at AS "createdAt", o.paid_at AS "paidAt"`,
  from: sql`orders AS o JOIN organizations AS organization ON organization.id = o.organization_id ${newestInvoice}`,
  id: sql`o.id`,
  row: z.object({ ...listedOrder.shape, createdAt: moment, paidAt: maybeMoment }),
  orders: {
    created: { key: sql`o.created_at`, type: 'timestamptz' },
    gross: { key: sql`o.gross`, type: 'bigint' },
    due: { key: sql`coalesce(${dueOn()}::timestamptz, 'infinity'::timestamptz)`, type: 'timestamptz' },
  },
  usual: '-created',
})

type OrderChoice = Omit<z.infer<typeof orderQuery>, 'cursor' | 'limit'>

function orderConditions({ q, state, kind, method }: OrderChoice): RawBuilder<boolean>[] {
  return [
    ...(q
      ? [
          condition`(${like(q, [sql`o.reference`, sql`o.title`, sql`o.purchase_order`])} OR ${isCustomer(q)}
      OR EXISTS (SELECT FROM subscriptions AS renewed WHERE renewed.id = o.subscription_id AND renewed.reference ILIKE ${part(q)})
      OR EXISTS (SELECT FROM invoices AS named WHERE named.order_id = o.id AND named.number ILIKE ${part(q)}))`,
        ]
      : []),
    ...(state ? [conditionOf(state)] : []),
    ...(kind ? [condition`o.kind = ${kind}`] : []),
    ...(method ? [condition`o.method = ${method}`] : []),
  ]
}

const part = (q: string) => `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

function like(q: string, texts: RawBuilder<unknown>[]): RawBuilder<boolean> {
  return condition`(${sql.join(
    texts.map((text) => sql`${text} ILIKE ${part(q)}`),
    sql` OR `,
  )})`
}

function isCustomer(q: string): RawBuilder<boolean> {
  return condition`(${like(q, [sql`organization.name`, sql`organization.legal_name`, sql`organization.reference`])}
    OR (organization.is_personal AND EXISTS (SELECT FROM accounts WHERE accounts.id = organization.id AND email::text ILIKE ${part(q)})))`
}

export async function listOrders({ sort, cursor, limit, ...choice }: z.infer<typeof orderQuery>): Promise<Page<ListedOrder>> {
  return readPage(orderList(), orderConditions(choice), { sort, cursor, limit })
}

/** One order as the list shows it. */
export async function findListedOrder(reference: string): Promise<ListedOrder | undefined> {
  const named = [condition`o.reference = ${reference.toUpperCase()}`]
  return (await readPage(orderList(), named, { limit: 1 })).rows[0]
}

/** Those of an organization that staff can pay in a currency, the oldest first: no period that the provider charges, and no tax that it adds. */
export async function listPayableOf(organizationId: string, currency: string): Promise<ListedOrder[]> {
  const wanted = condition`o.organization_id = ${organizationId} AND o.currency = ${currency} AND ${owed} > 0
    AND ${takesTransfers}`
  return (await readPage(orderList(), [wanted], { sort: 'created', limit: 50 })).rows
}

/** Those of an organization, newest first. */
export async function listOrdersOf(organizationId: string, limit: number): Promise<ListedOrder[]> {
  return (await readPage(orderList(), [condition`o.organization_id = ${organizationId}`], { limit })).rows
}

const isReplaced = condition`EXISTS (SELECT FROM invoices AS next WHERE next.corrects_id = i.id AND next.kind = 'corrected')`
/** The invoice that an order is paid by. */
const isBill = condition`i.kind <> 'credit_note' AND NOT ${isReplaced}`
const isInvoiceLate = () => condition`${isBill} AND ${isUnpaid} AND coalesce(i.due_on < ${today()}, false)`

const invoiceList = (): DeskList<ListedInvoice> => ({
  select: sql`i.id, i.number, i.kind, o.reference AS "order", ${customer} AS organization, i.currency, i.net, i.tax, i.gross,
    CASE WHEN i.kind = 'credit_note' THEN 0 ELSE ${owed} END AS owed, i.issued_on AS "issuedOn", i.due_on AS "dueOn", ${isInvoiceLate()} AS "isOverdue",
    ${isReplaced} AS "isReplaced", i.is_test AS "isTest"`,
  from: sql`invoices AS i JOIN orders AS o ON o.id = i.order_id JOIN organizations AS organization ON organization.id = i.organization_id`,
  id: sql`i.id`,
  row: z.object({ ...listedInvoice.shape }),
  orders: {
    issued: { key: sql`i.issued_on::timestamptz`, type: 'timestamptz' },
    gross: { key: sql`i.gross`, type: 'bigint' },
    due: { key: sql`coalesce(i.due_on::timestamptz, 'infinity'::timestamptz)`, type: 'timestamptz' },
  },
  usual: '-issued',
})

type InvoiceChoice = Omit<z.infer<typeof invoiceQuery>, 'cursor' | 'limit'>

function invoiceConditions({ q, kind, state }: InvoiceChoice): RawBuilder<boolean>[] {
  return [
    ...(q ? [condition`(${like(q, [sql`i.number`, sql`o.reference`, sql`o.purchase_order`, sql`o.title`])} OR ${isCustomer(q)})`] : []),
    ...(kind ? [condition`i.kind = ${kind}`] : []),
    ...(state === 'overdue' ? [isInvoiceLate()] : []),
    ...(state === 'unpaid' ? [condition`${isBill} AND ${isUnpaid}`] : []),
    ...(state === 'paid' ? [condition`${isBill} AND o.state = 'paid'`] : []),
  ]
}

export async function listInvoices({ sort, cursor, limit, ...choice }: z.infer<typeof invoiceQuery>): Promise<Page<ListedInvoice>> {
  return readPage(invoiceList(), invoiceConditions(choice), { sort, cursor, limit })
}

/** The unallocated rest of a payment, by the ledger. Refunds reduce it too. */
const left = sql`coalesce((SELECT -sum(amount) FROM ledger_entries WHERE payment_id = p.id AND account = 'unallocated'), 0)::bigint`

const paymentList = (): DeskList<ListedPayment> => ({
  select: sql`p.id, p.provider, CASE WHEN organization.id IS NOT NULL THEN ${customer} END AS organization, p.currency, p.amount, ${left} AS left, p.fee,
    coalesce((SELECT json_agg(DISTINCT allocated.reference) FROM payment_allocations AS share JOIN orders AS allocated ON allocated.id = share.order_id
      WHERE share.payment_id = p.id), '[]') AS orders, p.note, p.is_test AS "isTest", p.paid_at AS "paidAt"`,
  from: sql`payments AS p LEFT JOIN organizations AS organization ON organization.id = p.organization_id`,
  id: sql`p.id`,
  row: z.object({ ...listedPayment.shape, paidAt: moment }),
  orders: { paid: { key: sql`p.paid_at`, type: 'timestamptz' }, amount: { key: sql`p.amount`, type: 'bigint' } },
  usual: '-paid',
})

type PaymentChoice = Omit<z.infer<typeof paymentQuery>, 'cursor' | 'limit'>

function paymentConditions({ q, provider, rest }: PaymentChoice): RawBuilder<boolean>[] {
  const named =
    q &&
    condition`(${like(q, [sql`p.provider_id`, sql`p.note`])} OR ${isCustomer(q)} OR EXISTS (SELECT FROM payment_allocations AS share
    JOIN orders AS allocated ON allocated.id = share.order_id LEFT JOIN invoices ON invoices.order_id = allocated.id
    WHERE share.payment_id = p.id AND (allocated.reference ILIKE ${part(q)} OR invoices.number ILIKE ${part(q)})))`
  return [
    ...(named ? [named] : []),
    ...(provider ? [condition`p.provider = ${provider}`] : []),
    ...(rest === 'left' ? [condition`${left} > 0`] : []),
  ]
}

export async function listPayments({ sort, cursor, limit, ...choice }: z.infer<typeof paymentQuery>): Promise<Page<ListedPayment>> {
  return readPage(paymentList(), paymentConditions(choice), { sort, cursor, limit })
}

export async function findListedPayment(id: string): Promise<ListedPayment | undefined> {
  return (await readPage(paymentList(), [condition`p.id = ${id}`], { limit: 1 })).rows[0]
}

const subscriptionList = (): DeskList<ListedSubscription> => ({
  select: sql`s.id, s.reference, product.name AS product, ${customer} AS organization, s.state, s.ends_at_period_end AS "endsAtPeriodEnd", s.currency, s.amount,
    offer.charged, s.period_end AS "periodEnd", s.is_test AS "isTest", s.created_at AS "createdAt"`,
  from: sql`subscriptions AS s JOIN organizations AS organization ON organization.id = s.organization_id
    JOIN data_products AS product ON product.id = s.product_id JOIN product_offers AS offer ON offer.id = s.offer_id`,
  id: sql`s.id`,
  row: z.object({ ...listedSubscription.shape, createdAt: moment, periodEnd: maybeMoment }),
  orders: {
    created: { key: sql`s.created_at`, type: 'timestamptz' },
    amount: { key: sql`s.amount`, type: 'bigint' },
    renews: { key: sql`coalesce(s.period_end, 'infinity'::timestamptz)`, type: 'timestamptz' },
  },
  usual: '-created',
})

type SubscriptionChoice = Omit<z.infer<typeof subscriptionQuery>, 'cursor' | 'limit'>

function subscriptionConditions({ q, state }: SubscriptionChoice): RawBuilder<boolean>[] {
  return [
    ...(q ? [condition`(${like(q, [sql`s.reference`, sql`product.name`])} OR ${isCustomer(q)})`] : []),
    ...(state ? [condition`s.state = ${state}`] : []),
  ]
}

export async function listSubscriptions({
  sort,
  cursor,
  limit,
  ...choice
}: z.infer<typeof subscriptionQuery>): Promise<Page<ListedSubscription>> {
  return readPage(subscriptionList(), subscriptionConditions(choice), { sort, cursor, limit })
}

const taskList = (): DeskList<ListedTask> => ({
  select: sql`t.id, t.kind, t.title, t.ours, t.theirs, o.reference AS "order", t.payment_id AS "paymentId", s.reference AS subscription,
    (t.kind = 'late_payment' AND t.payment_id IS NOT NULL AND t.done_at IS NULL AND coalesce(s.state = 'ended', false)) AS "mayReopen",
    t.is_test AS "isTest", t.created_at AS "createdAt", t.done_at AS "doneAt", account.email AS "doneBy", t.note,
    (SELECT email FROM accounts WHERE accounts.id = t.asked_by) AS "askedBy"`,
  from: sql`billing_tasks AS t LEFT JOIN orders AS o ON o.id = t.order_id LEFT JOIN subscriptions AS s ON s.id = t.subscription_id
    LEFT JOIN accounts AS account ON account.id = t.done_by`,
  id: sql`t.id`,
  row: z.object({ ...listedTask.shape, createdAt: moment, doneAt: maybeMoment }),
  orders: { created: { key: sql`t.created_at`, type: 'timestamptz' } },
  usual: 'created',
})

/** Open ones, the oldest first, or what was decided. */
export async function listTasks({ q, kind, state, ...asked }: z.infer<typeof taskQuery>): Promise<Page<ListedTask>> {
  return readPage(
    taskList(),
    [
      state === 'open' ? condition`t.done_at IS NULL` : condition`t.done_at IS NOT NULL`,
      ...(q ? [like(q, [sql`t.title`, sql`t.ours`, sql`t.theirs`, sql`o.reference`, sql`s.reference`])] : []),
      ...(kind ? [condition`t.kind = ${kind}`] : []),
    ],
    asked,
  )
}

export async function countOpenTasks(): Promise<number> {
  const { count } = await openTasks().executeTakeFirstOrThrow()
  return count
}

/** The open tasks that a person with the right can decide: not their own request for a second person. */
export async function countTasksFor(userId: string): Promise<number> {
  const { count } = await openTasks()
    .where((of) => of.or([of('askedBy', 'is', null), of('askedBy', '!=', userId)]))
    .executeTakeFirstOrThrow()
  return count
}

const openTasks = () => db.selectFrom('billingTasks').select(rowCount.as('count')).where('doneAt', 'is', null)

const discountUses = sql`(SELECT count(*)::integer FROM discount_uses WHERE code_id = d.id)`
const discountState = sql`CASE WHEN d.archived_at IS NOT NULL THEN 'archived'
  WHEN coalesce(d.expires_at <= now(), false) OR coalesce(${discountUses} >= d.most_uses, false) THEN 'ended' ELSE 'usable' END`

const discountList = (): DeskList<ListedDiscount> => ({
  select: sql`d.id, d.code, d.share, d.amount, d.currency, product.name AS product, ${discountUses} AS uses, d.most_uses AS "mostUses",
    ((d.expires_at - interval '1 second') AT TIME ZONE ${billing.zone}::text)::date AS "lastDay", ${discountState} AS state, d.created_at AS "createdAt"`,
  from: sql`discount_codes AS d LEFT JOIN data_products AS product ON product.id = d.product_id`,
  id: sql`d.id`,
  row: z.object({ ...listedDiscount.shape, createdAt: moment }),
  orders: { created: { key: sql`d.created_at`, type: 'timestamptz' }, code: { key: sql`d.code`, type: 'text' } },
  usual: '-created',
})

export async function listDiscounts({ q, state, ...asked }: z.infer<typeof discountQuery>): Promise<Page<ListedDiscount>> {
  const named = q ? [like(q, [sql`d.code`, sql`product.name`])] : []
  return readPage(discountList(), [...named, condition`${discountState} = ${state}`], asked)
}

/** All rows of a list, page after page. */
async function* pagesOf<Row>(read: (cursor: string | undefined, limit: number) => Promise<Page<Row>>): AsyncGenerator<Row[]> {
  let cursor: string | undefined
  for (;;) {
    const { rows, nextCursor } = await read(cursor, BATCH_ROWS)
    yield rows
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

export function exportOrders(choice: OrderChoice): ListFile<ListedOrder> {
  return {
    columns: {
      Reference: ({ reference }) => reference,
      Title: ({ title }) => title,
      Kind: ({ kind }) => kind,
      State: ({ state }) => state,
      Organization: ({ organization }) => organization.name,
      'Organization reference': ({ organization }) => organization.reference,
      Invoice: ({ invoice }) => invoice,
      Currency: ({ currency }) => currency,
      Value: ({ gross, currency }) => decimalText(gross, currency),
      Owed: ({ owed: rest, currency }) => decimalText(rest, currency),
      Refunded: ({ refunded: back, currency }) => decimalText(back, currency),
      'Due on': ({ dueOn: day }) => day,
      'Created At': ({ createdAt }) => createdAt,
      'Paid At': ({ paidAt }) => paidAt,
    },
    batches: pagesOf((cursor, limit) => listOrders({ ...choice, cursor, limit })),
  }
}

export function exportInvoices(choice: InvoiceChoice): ListFile<ListedInvoice> {
  return {
    columns: {
      Number: ({ number }) => number,
      Kind: ({ kind }) => kind,
      Order: ({ order }) => order,
      Organization: ({ organization }) => organization.name,
      Currency: ({ currency }) => currency,
      Net: ({ net, currency }) => decimalText(net, currency),
      Tax: ({ tax, currency }) => decimalText(tax, currency),
      Value: ({ gross, currency }) => decimalText(gross, currency),
      Owed: ({ owed: rest, currency }) => decimalText(rest, currency),
      'Issued on': ({ issuedOn }) => issuedOn,
      'Due on': ({ dueOn: day }) => day,
    },
    batches: pagesOf((cursor, limit) => listInvoices({ ...choice, cursor, limit })),
  }
}

export function exportPayments(choice: PaymentChoice): ListFile<ListedPayment> {
  return {
    columns: {
      'Paid At': ({ paidAt }) => paidAt,
      Provider: ({ provider }) => provider,
      Organization: ({ organization }) => organization?.name,
      Orders: ({ orders }) => orders.join(', '),
      Currency: ({ currency }) => currency,
      Value: ({ amount, currency }) => decimalText(amount, currency),
      'Not allocated': ({ left: rest, currency }) => decimalText(rest, currency),
      Fee: ({ fee, currency }) => (fee === null ? '' : decimalText(fee, currency)),
      Note: ({ note }) => note,
    },
    batches: pagesOf((cursor, limit) => listPayments({ ...choice, cursor, limit })),
  }
}

export function exportSubscriptions(choice: SubscriptionChoice): ListFile<ListedSubscription> {
  return {
    columns: {
      Reference: ({ reference }) => reference,
      Product: ({ product }) => product,
      Organization: ({ organization }) => organization.name,
      State: ({ state }) => state,
      Currency: ({ currency }) => currency,
      Value: ({ amount, currency }) => decimalText(amount, currency),
      Charged: ({ charged }) => charged,
      'Period ends At': ({ periodEnd }) => periodEnd,
      'Created At': ({ createdAt }) => createdAt,
    },
    batches: pagesOf((cursor, limit) => listSubscriptions({ ...choice, cursor, limit })),
  }
}
