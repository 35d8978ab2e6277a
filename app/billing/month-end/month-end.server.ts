import { sql } from 'kysely'
import { z } from 'zod'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { businessDay, startOfDay } from '#app/billing/tax/business-day.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ListedMonth } from './month-end.ts'

const SHOWN = 36

/** While orders are tests, months show tests. */
export const isTesting = () => env.PAYMENTS.includes('test')

/** The months with documents, and the current one, newest first. */
export async function listMonths(): Promise<ListedMonth[]> {
  const current = businessDay(new Date(), billing.zone).slice(0, 7)
  const rows = await queryRows(
    db,
    { month: z.string(), documents: z.number(), net: z.coerce.number(), tax: z.coerce.number() },
    sql`SELECT to_char(issued_on, 'YYYY-MM') AS month, count(*)::integer AS documents,
      sum(CASE WHEN currency <> ${homeCurrency()} THEN 0 WHEN kind = 'credit_note' THEN -net ELSE net END)::bigint AS net,
      sum(CASE WHEN currency <> ${homeCurrency()} THEN 0 WHEN kind = 'credit_note' THEN -tax ELSE tax END)::bigint AS tax
    FROM invoices WHERE is_test = ${isTesting()} AND kind <> 'corrected' GROUP BY 1 ORDER BY 1 DESC LIMIT ${SHOWN}`,
  )
  const closed = await db
    .selectFrom('closedMonths')
    .leftJoin('accounts', 'accounts.id', 'closedBy')
    .select(['month', 'closedAt', 'accounts.email'])
    .execute()
  const known = new Map(
    closed.map(({ month, closedAt, email }) => [month.slice(0, 7), { closedAt: closedAt.toISOString(), closedBy: email }]),
  )
  const months = rows.some(({ month }) => month === current) ? rows : [{ month: current, documents: 0, net: 0, tax: 0 }, ...rows]
  return months.map(({ month, ...row }) => ({
    ...row,
    month,
    gross: row.net + row.tax,
    currency: homeCurrency(),
    isCurrent: month >= current,
    closedAt: known.get(month)?.closedAt ?? null,
    closedBy: known.get(month)?.closedBy ?? null,
  }))
}

/** The first moment of a month and that of the next one, in the zone of the business. */
export function spanOf(month: string): { startsAt: Date; endsAt: Date } {
  const first = `${month}-01`
  const next = Temporal.PlainDate.from(first).add({ months: 1 }).toString()
  return { startsAt: startOfDay(first, billing.zone), endsAt: startOfDay(next, billing.zone) }
}

/**
 * Closes a month: nothing is booked into it any more, and what is learned of it later is booked into the open one. It waits for bookings on
 * their way. Earlier months are closed with it.
 */
export async function closeMonth(month: string, actor: { id: string; address: string }): Promise<void> {
  const { endsAt } = spanOf(month)
  if (endsAt.getTime() > Date.now()) stop('conflict', 'This month is not over yet.', { code: 'month_open' })
  await transaction(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('billing.month-end', 0))`.execute(trx)
    const row = await trx
      .insertInto('closedMonths')
      .values({ month: `${month}-01`, endsAt, closedBy: actor.id })
      .onConflict((conflict) => conflict.column('month').doNothing())
      .returning('month')
      .executeTakeFirst()
    if (!row) stop('conflict', 'This month is closed already.', { code: 'month_closed' })
    await audit(trx, 'month_closed', { ...by(actor), detail: { month } })
  })
}
