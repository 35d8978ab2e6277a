import { sql } from 'kysely'
import { z } from 'zod'
import type { InvoiceDocument } from '#app/billing/invoices/document.ts'
import { isInEu } from '#app/billing/tax/tax.ts'
import { toHome } from '#app/billing/tax/tax.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { writeCsv } from '#app/platform/tables/list-file.server.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { isTesting, spanOf } from './month-end.server.ts'

type Entry = z.infer<typeof entryRow>

const entryShape = {
  occurredAt: z.date(),
  cause: z.string(),
  account: z.string(),
  amount: z.number(),
  currency: z.string(),
  order: z.string(),
  document: z.string(),
  customer: z.string(),
}
const entryRow = z.object(entryShape)

/** The entries of the ledger of a month, those of each cause together. */
export async function listEntries(month: string): Promise<Entry[]> {
  const { startsAt, endsAt } = spanOf(month)
  return queryRows(
    db,
    entryShape,
    sql`SELECT entry.occurred_at, entry.cause, entry.account, entry.amount, entry.currency, coalesce(o.reference, '') AS "order",
      coalesce((SELECT number FROM invoices WHERE order_id = o.id AND kind <> 'credit_note' ORDER BY created_at DESC LIMIT 1), '') AS document,
      coalesce(nullif(organization.legal_name, ''), nullif(organization.name, ''), '') AS customer
    FROM ledger_entries AS entry LEFT JOIN orders AS o ON o.id = entry.order_id LEFT JOIN organizations AS organization ON organization.id = o.organization_id
    WHERE entry.occurred_at >= ${startsAt} AND entry.occurred_at < ${endsAt} AND entry.is_test = ${isTesting()}
    ORDER BY entry.occurred_at, entry.cause, entry.order_id, entry.id`,
  )
}

export async function journalFile(month: string): Promise<string> {
  const entries = await listEntries(month)
  const rows = entries.map(({ occurredAt, cause, account, amount, currency, order, document, customer }) => [
    occurredAt.toISOString(),
    cause,
    order,
    document,
    customer,
    account,
    amount > 0 ? decimalText(amount, currency) : '',
    amount < 0 ? decimalText(-amount, currency) : '',
    currency,
  ])
  return writeCsv([['At', 'Cause', 'Order', 'Document', 'Customer', 'Account', 'Debit', 'Credit', 'Currency'], ...rows])
}

/** The balances owed at the end of a month, by the ledger. */
export async function openItemsFile(month: string): Promise<string> {
  const { endsAt } = spanOf(month)
  const items = await queryRows(
    db,
    { order: z.string(), document: z.string(), customer: z.string(), dueOn: z.string(), owed: z.coerce.number(), currency: z.string() },
    sql`SELECT o.reference AS "order", coalesce(invoice.number, '') AS document, coalesce(invoice.due_on::text, '') AS due_on,
      coalesce(nullif(organization.legal_name, ''), nullif(organization.name, ''), '') AS customer, sum(entry.amount)::bigint AS owed, entry.currency
    FROM ledger_entries AS entry JOIN orders AS o ON o.id = entry.order_id JOIN organizations AS organization ON organization.id = o.organization_id
      LEFT JOIN LATERAL (SELECT number, due_on FROM invoices WHERE order_id = o.id AND kind <> 'credit_note' ORDER BY created_at DESC LIMIT 1) AS invoice ON true
    WHERE entry.account = 'receivable' AND entry.occurred_at < ${endsAt} AND entry.is_test = ${isTesting()}
    GROUP BY 1, 2, 3, 4, 6 HAVING sum(entry.amount) <> 0 ORDER BY 3, 1`,
  )
  const rows = items.map(({ order, document, customer, dueOn, owed, currency }) => [
    order,
    document,
    customer,
    dueOn,
    decimalText(owed, currency),
    currency,
  ])
  return writeCsv([['Order', 'Document', 'Customer', 'Due on', 'Owed', 'Currency'], ...rows])
}

async function listDocuments(from: string, until: string): Promise<{ id: string; document: InvoiceDocument }[]> {
  return db
    .selectFrom('invoices')
    .select(['id', 'document'])
    .where('issuedOn', '>=', from)
    .where('issuedOn', '<', until)
    .where('isTest', '=', isTesting())
    .orderBy('number')
    .execute()
}

/** From the first day of a month to that of the next one. */
function daysOf(month: string, months = 1): [from: string, until: string] {
  const first = Temporal.PlainDate.from(`${month}-01`)
  return [first.subtract({ months: months - 1 }).toString(), first.add({ months: 1 }).toString()]
}

export async function documentsOf(month: string): Promise<{ id: string; document: InvoiceDocument }[]> {
  return listDocuments(...daysOf(month))
}

/** With the buyer as the corrected invoice of their order names it, so that what is credited later is taken off the same company. */
async function suppliesOf(month: string): Promise<InvoiceDocument[]> {
  const [from, until] = daysOf(month)
  const rows = await db
    .selectFrom('invoices')
    .select('document')
    .where('kind', '=', 'corrected')
    .where('orderId', 'in', (of) =>
      of
        .selectFrom('invoices')
        .select('orderId')
        .where('issuedOn', '>=', from)
        .where('issuedOn', '<', until)
        .where('isTest', '=', isTesting()),
    )
    .orderBy('createdAt')
    .orderBy('serial')
    .execute()
  const buyers = new Map(rows.map(({ document }) => [document.order, document.buyer]))
  return (await documentsOf(month)).map(({ document }) => ({ ...document, buyer: buyers.get(document.order) ?? document.buyer }))
}

/** Credits are negative, and a corrected invoice changes no amounts. */
const signOf = ({ kind }: InvoiceDocument) => (kind === 'credit_note' ? -1 : kind === 'corrected' ? 0 : 1)

type Sum = { cells: string[]; currency: string; net: number; tax: number }

function addTo(sums: Map<string, Sum>, cells: string[], currency: string, { net, tax }: { net: number; tax: number }): void {
  const key = JSON.stringify([cells, currency])
  const known = sums.get(key) ?? { cells, currency, net: 0, tax: 0 }
  sums.set(key, { ...known, net: known.net + net, tax: known.tax + tax })
}

/** Tax by country, category and rate. Foreign currencies have the tax in that of the seller beside it, as the invoices say it. */
export async function vatFile(month: string): Promise<string> {
  const sums = new Map<string, Sum>()
  for (const document of await suppliesOf(month)) {
    for (const { category, rate, net, tax } of document.taxParts) {
      const sign = signOf(document)
      addTo(sums, [document.buyer.countryCode, category, (rate / 100).toString()], document.currency, { net: sign * net, tax: sign * tax })
    }
  }
  const rows = sorted(sums).map(({ cells, currency, net, tax }) => [
    ...cells,
    decimalText(net, currency),
    decimalText(tax, currency),
    currency,
  ])
  return writeCsv([['Country', 'Category', 'Rate in percent', 'Net', 'Tax', 'Currency'], ...rows])
}

const sorted = (sums: Map<string, Sum>) =>
  [...sums.values()].toSorted((one, other) => one.cells.join(' ').localeCompare(other.cells.join(' ')))

/** Supplies under reverse charge to businesses of other EU countries, by VAT number, in the currency of the seller. */
export async function ecSalesFile(month: string): Promise<string> {
  const sums = new Map<string, Sum>()
  for (const document of await suppliesOf(month)) {
    const { buyer, seller, currency, exchange } = document
    if (!isInEu(buyer.countryCode) || buyer.countryCode === seller.countryCode) continue
    const net = document.taxParts.filter(({ category }) => category === 'AE' || category === 'K').reduce((sum, part) => sum + part.net, 0)
    if (net === 0) continue
    const inHome = exchange ? toHome(net, currency, exchange.rate) : net
    addTo(sums, [buyer.countryCode, buyer.vatNumber, buyer.name, 'Services'], exchange ? exchange.currency : currency, {
      net: signOf(document) * inHome,
      tax: 0,
    })
  }
  const rows = sorted(sums).map(({ cells, currency, net }) => [...cells, decimalText(net, currency), currency])
  return writeCsv([['Country', 'VAT number', 'Name', 'Kind', 'Net', 'Currency'], ...rows])
}

/** States ask for registration from so much in 12 months, in whole dollars; most from 100,000. */
const US_THRESHOLDS: Record<string, number> = { AL: 250_000, CA: 500_000, MS: 250_000, NY: 500_000, TX: 500_000 }
const US_THRESHOLD = 100_000
/** States without a sales tax of their own. */
const NO_SALES_TAX = new Set(['DE', 'MT', 'NH', 'OR'])

/** Net sales by US state over 12 months against the thresholds of economic nexus. There are no US rates of our own. */
export async function usSalesFile(month: string): Promise<string> {
  const [from, until] = daysOf(month, 12)
  const sales = await queryRows(
    db,
    { state: z.string(), net: z.coerce.number(), count: z.number() },
    sql`SELECT upper(coalesce(nullif(orders.provider_tax->>'region', ''), organization.region)) AS state, sum(CASE WHEN i.kind = 'credit_note' THEN -i.net ELSE i.net END)::bigint AS net,
      (count(*) FILTER (WHERE i.kind <> 'credit_note'))::integer AS count
    FROM invoices AS i JOIN organizations AS organization ON organization.id = i.organization_id JOIN orders ON orders.id = i.order_id
    WHERE i.issued_on >= ${from}::date AND i.issued_on < ${until}::date AND i.document->'buyer'->>'countryCode' = 'US' AND i.currency = 'USD'
      AND i.kind <> 'corrected' AND i.is_test = ${isTesting()} GROUP BY 1 ORDER BY 2 DESC`,
  )
  const rows = sales.map(({ state, net, count }) => {
    const most = (US_THRESHOLDS[state] ?? US_THRESHOLD) * 100
    const hasNone = NO_SALES_TAX.has(state)
    return [
      state || 'Unknown',
      decimalText(net, 'USD'),
      String(count),
      hasNone ? '' : decimalText(most, 'USD'),
      hasNone ? 'No sales tax' : net >= most ? 'Above' : 'Below',
    ]
  })
  return writeCsv([['State', 'Net in USD, 12 months', 'Invoices', 'Threshold in USD', 'Against it'], ...rows])
}
