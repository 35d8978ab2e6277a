import { sql } from 'kysely'
import { z } from 'zod'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { businessDay, startOfDay } from '#app/platform/time/business-day.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ListedMonth } from './month-end.ts'

/** While orders are tests, months show tests. */
export const isTesting = () => env.PAYMENTS.includes('test')

/** Every month from the first document to the current one, newest first: a month without documents has bookings too. */
export async function listMonths(): Promise<ListedMonth[]> {
  const current = businessDay(new Date(), billing.zone).slice(0, 7)
  const isForeign = sql`currency <> ${homeCurrency()}`
  const rows = await queryRows(
    db,
    { id: z.string(), documents: z.number(), foreign: z.number(), net: z.coerce.number(), tax: z.coerce.number() },
    sql`SELECT to_char(issued_on, 'YYYY-MM') AS id, count(*)::integer AS documents, (count(*) FILTER (WHERE ${isForeign}))::integer AS foreign,
      sum(CASE WHEN ${isForeign} THEN 0 WHEN kind = 'credit_note' THEN -net ELSE net END)::bigint AS net,
      sum(CASE WHEN ${isForeign} THEN 0 WHEN kind = 'credit_note' THEN -tax ELSE tax END)::bigint AS tax
    FROM invoices WHERE is_test = ${isTesting()} AND kind <> 'corrected' GROUP BY 1 ORDER BY 1`,
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  const closings = await db
    .selectFrom('closedMonths')
    .leftJoin('accounts', 'accounts.id', 'closedBy')
    .select(['month', 'closedAt', 'accounts.email'])
    .orderBy('month')
    .execute()
  return monthsFrom(rows[0]?.id ?? current, current).map((id) => {
    const closing = closings.find(({ month }) => month.slice(0, 7) >= id)
    return {
      ...(known.get(id) ?? { id, documents: 0, foreign: 0, net: 0, tax: 0 }),
      currency: homeCurrency(),
      isCurrent: id >= current,
      closedAt: closing?.closedAt.toISOString() ?? null,
      closedBy: closing?.email ?? null,
    }
  })
}

function monthsFrom(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = Temporal.PlainYearMonth.from(last); month.toString() >= first; month = month.subtract({ months: 1 }))
    months.push(month.toString())
  return months
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
    const closed = await trx.selectFrom('closedMonths').select('month').where('month', '>=', `${month}-01`).executeTakeFirst()
    if (closed) stop('conflict', 'This month is closed already.', { code: 'month_closed' })
    await trx
      .insertInto('closedMonths')
      .values({ month: `${month}-01`, endsAt, closedBy: actor.id })
      .execute()
    await audit(trx, 'month_closed', { ...by(actor), detail: { month } })
  })
}
