import { sql } from 'kysely'
import { z } from 'zod'
import { isLate, isUnpaid, newestInvoice, owed } from '#app/billing/admin/desk-list.server.ts'
import { netOf } from '#app/billing/proposals/proposal.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { countOpenTransfers } from '#app/billing/transfers/transfer.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { BillingFigures } from './figures.ts'

const MONTHS = 12
const MOST_SHARES = 6

/** The revenue figures of the dashboard. In test mode, they count test orders. */
export async function findBillingFigures(): Promise<BillingFigures> {
  const today = Temporal.PlainDate.from(businessDay(new Date(), billing.zone))
  const from = today.with({ day: 1 }).subtract({ months: MONTHS - 1 })
  const [rows, unpaid, proposals, deposits, transfers] = await Promise.all([
    soldSince(from.toString(), today.toString()),
    findUnpaid(),
    db.selectFrom('proposals').select('content').where('state', '=', 'sent').execute(),
    findDeposits(),
    countOpenTransfers(),
  ])
  const currency = homeCurrency()
  const open = proposals.filter(({ content }) => content.currency === currency)
  return {
    currency,
    months: Array.from({ length: MONTHS }, (_month, at) => {
      const month = from.add({ months: at }).toString().slice(0, 7)
      const of = (state: string) => sum(rows.filter((row) => row.month === month && row.state === state))
      return { month, paid: of('paid'), open: of('open'), overdue: of('overdue') }
    }),
    sources: sharesOf(rows, ({ source }) => source),
    services: sharesOf(rows, ({ service }) => service),
    proposals: { count: open.length, net: open.reduce((total, { content }) => total + netOf(content), 0) },
    unpaid,
    deposits,
    transfers,
  }
}

type Sold = { month: string; state: string; source: string; service: string; net: number }

const sum = (rows: readonly Sold[]) => rows.reduce((total, { net }) => total + net, 0)

function sharesOf(rows: readonly Sold[], nameOf: (row: Sold) => string): BillingFigures['sources'] {
  const shares = new Map<string, number>()
  for (const row of rows) shares.set(nameOf(row), (shares.get(nameOf(row)) ?? 0) + row.net)
  return [...shares]
    .map(([name, net]) => ({ name, net }))
    .toSorted((one, other) => other.net - one.net)
    .slice(0, MOST_SHARES)
}

const soldRow = { month: z.string(), state: z.string(), source: z.string(), service: z.string(), net: z.coerce.number() }

/**
 * Where a customer came from: the campaign or the site before, for projects; the marketplace for datasets. A credit note counts with its invoice, and an
 * order that ended unpaid sold nothing.
 */
async function soldSince(from: string, today: string): Promise<Sold[]> {
  return queryRows(
    db,
    soldRow,
    sql`SELECT to_char(i.issued_on, 'YYYY-MM') AS month,
      CASE WHEN o.state = 'paid' THEN 'paid' WHEN coalesce(i.due_on, credited.due_on) < ${today}::date THEN 'overdue' ELSE 'open' END AS state,
      CASE WHEN o.proposal_id IS NULL THEN 'Data Marketplace'
        ELSE coalesce(nullif(contact.came_from->'campaign'->>'utm_source', ''), nullif(split_part(contact.came_from->>'referrer', '/', 3), ''), 'Direct') END AS source,
      coalesce(product.name, nullif(contact.service_type, ''), 'Other') AS service,
      sum(CASE WHEN i.kind = 'credit_note' THEN -i.net ELSE i.net END)::bigint AS net
    FROM invoices AS i JOIN orders AS o ON o.id = i.order_id LEFT JOIN invoices AS credited ON credited.id = i.corrects_id
      LEFT JOIN data_products AS product ON product.id = o.product_id
      LEFT JOIN proposals AS proposal ON proposal.id = o.proposal_id LEFT JOIN contacts AS contact ON contact.id = proposal.contact_id
    WHERE i.issued_on >= ${from}::date AND i.currency = ${homeCurrency()} AND i.is_test = ${env.PAYMENTS.includes('test')} AND i.kind <> 'corrected'
      AND o.state NOT IN ('failed', 'expired', 'cancelled')
    GROUP BY 1, 2, 3, 4`,
  )
}

/** As the list of invoices shows them. */
async function findUnpaid(): Promise<BillingFigures['unpaid']> {
  const [unpaid] = await queryRows(
    db,
    { owed: z.coerce.number(), overdue: z.coerce.number() },
    sql`SELECT coalesce(sum(owed), 0)::bigint AS owed, coalesce(sum(owed) FILTER (WHERE is_late), 0)::bigint AS overdue
      FROM (SELECT ${owed} AS owed, ${isLate()} AS is_late FROM orders AS o ${newestInvoice}
        WHERE ${isUnpaid} AND invoice.number IS NOT NULL AND o.currency = ${homeCurrency()} AND o.is_test = ${env.PAYMENTS.includes('test')}) AS unpaid`,
  )
  return unpaid ?? { owed: 0, overdue: 0 }
}

async function findDeposits(): Promise<BillingFigures['deposits']> {
  const rows = await db
    .selectFrom('orders')
    .select(['gross'])
    .where('kind', '=', 'deposit')
    .where('state', 'in', ['open', 'processing'])
    .where('currency', '=', homeCurrency())
    .where('isTest', '=', env.PAYMENTS.includes('test'))
    .execute()
  return { count: rows.length, gross: rows.reduce((total, { gross }) => total + gross, 0) }
}
