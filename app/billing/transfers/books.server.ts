import { sql } from 'kysely'
import { z } from 'zod'
import { customer, owed, takesTransfers } from '#app/billing/admin/desk-list.server.ts'
import { billing } from '#app/content/billing.server.ts'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { minorAmount } from './minor-amount.ts'
import type { Books, Payable, Payer, Refundable } from './matching.ts'

/** Later references name what is long settled. */
const DAYS = 400

/** Everything that a bank line can be about. */
export async function readBooks(connection: Database | Trx): Promise<Books> {
  return {
    payables: await listPayables(connection),
    payers: await listPayers(connection),
    returnables: await queryRows(connection, { ...moneyRow, paymentId: z.string() }, returnables),
    refunds: await listRefunds(connection),
    rules: { shortMost: ruleOf(billing.shortMost), overMost: ruleOf(billing.overMost) },
  }
}

function ruleOf(text: string | undefined): number {
  return (text && minorAmount(text, homeCurrency())) || 0
}

const moneyRow = { reference: z.string(), amount: z.number(), currency: z.string(), payerAccount: z.string() }

const payableRow = {
  orderId: z.string(),
  reference: z.string(),
  numbers: z.array(z.string()),
  currency: z.string(),
  owed: z.coerce.number(),
  isWhole: z.boolean(),
  dueOn: z.string(),
  organizationId: z.string(),
  organization: z.object({ name: z.string() }),
}

/** Those that take money, and those that did: a second payment names them too. Test orders count where orders are tests. */
async function listPayables(connection: Database | Trx): Promise<Payable[]> {
  const rows = await queryRows(
    connection,
    payableRow,
    sql`SELECT o.id AS order_id, o.reference, o.currency, ${owed} AS owed, o.method = 'checkout' AS is_whole, o.organization_id, ${customer} AS organization,
      coalesce(o.due_at, o.created_at)::date::text AS due_on,
      coalesce((SELECT json_agg(number ORDER BY created_at) FROM invoices WHERE order_id = o.id AND kind <> 'credit_note'), '[]') AS numbers
    FROM orders AS o JOIN organizations AS organization ON organization.id = o.organization_id
    WHERE (o.state IN ('open', 'processing') OR o.created_at > now() - ${DAYS} * interval '1 day') AND o.is_test = ${env.PAYMENTS.includes('test')}
      AND ${takesTransfers}
    ORDER BY due_on, o.id`,
  )
  return rows.map(({ organization, ...row }) => ({ ...row, organization: organization.name }))
}

async function listPayers(connection: Database | Trx): Promise<Map<string, Payer>> {
  const rows = await queryRows(
    connection,
    { payerAccount: z.string(), organizationId: z.string(), organization: z.object({ name: z.string() }) },
    sql`SELECT DISTINCT ON (line.payer_account) line.payer_account, organization.id AS organization_id, ${customer} AS organization
    FROM bank_lines AS line JOIN payments ON payments.id = line.payment_id JOIN organizations AS organization ON organization.id = payments.organization_id
    WHERE line.payer_account <> '' ORDER BY line.payer_account, line.booked_on DESC`,
  )
  return new Map(
    rows.map(({ payerAccount, organizationId, organization }) => [payerAccount, { organizationId, organization: organization.name }]),
  )
}

const refundRow = {
  refundId: z.string(),
  amount: z.number(),
  currency: z.string(),
  numbers: z.array(z.string()),
  organization: z.object({ name: z.string() }),
  accounts: z.array(z.string()),
  isSent: z.boolean(),
}

/** Refunds of transfers that no line of a statement has paid yet. */
async function listRefunds(connection: Database | Trx): Promise<Refundable[]> {
  const rows = await queryRows(
    connection,
    refundRow,
    sql`SELECT refund.id AS refund_id, refund.amount, refund.currency, refund.state = 'succeeded' AS is_sent, ${customer} AS organization,
      coalesce((SELECT json_agg(DISTINCT number) FROM (SELECT o.reference AS number UNION SELECT number FROM invoices WHERE order_id = o.id) AS named
        WHERE number IS NOT NULL), '[]') AS numbers,
      coalesce((SELECT json_agg(DISTINCT payer_account) FROM bank_lines AS line WHERE line.payment_id = payment.id AND payer_account <> ''), '[]') AS accounts
    FROM refunds AS refund JOIN payments AS payment ON payment.id = refund.payment_id
      LEFT JOIN orders AS o ON o.id = refund.order_id
      LEFT JOIN organizations AS organization ON organization.id = coalesce(o.organization_id, payment.organization_id)
    WHERE payment.provider = 'transfer' AND refund.state IN ('pending', 'succeeded') AND refund.created_at > now() - ${DAYS} * interval '1 day'
      AND NOT EXISTS (SELECT FROM bank_lines AS sent WHERE sent.refund_id = refund.id)
    ORDER BY refund.created_at, refund.id`,
  )
  return rows.map(({ organization, ...row }) => ({ ...row, organization: organization.name }))
}

/** Payments that arrived by transfer, by what the bank has shown of them. */
const returnables = sql`SELECT payments.id AS payment_id, line.amount, line.currency, line.payer_account,
    coalesce((SELECT string_agg(DISTINCT orders.reference, ', ') FROM payment_allocations AS share JOIN orders ON orders.id = share.order_id
      WHERE share.payment_id = payments.id), '') AS reference
  FROM payments JOIN bank_lines AS line ON line.payment_id = payments.id
  WHERE payments.provider = 'transfer' AND line.amount > 0 AND line.booked_on > now() - ${DAYS} * interval '1 day'
    AND NOT EXISTS (SELECT FROM bank_lines AS back WHERE back.payment_id = payments.id AND back.amount < 0 AND back.refund_id IS NULL)`
