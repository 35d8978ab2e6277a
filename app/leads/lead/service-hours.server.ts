import { sql } from 'kysely'
import { z } from 'zod'
import { hours } from '#app/content/hours.ts'
import { schemaOf } from '#app/content/settings/sections.server.ts'
import { whenSaved } from '#app/content/settings/settings.server.ts'
import { announceLeads } from './lead-signal.server.ts'
import { afterCommit, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRow } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { type BusinessHours, type OpenSpan, openSpans } from './open-span.server.ts'

const DAY = 86_400_000
/** Covers every open enquiry whose deadline is ahead. */
const DAYS_BACK = 400
/** Covers the latest deadline: 24 hours at 5 per week, with 100 holidays on the only open weekday. */
const DAYS_AHEAD = 900
const CHUNK = 1000
/** The triggers of `contacts` and the notices share it: enquiries that arrive meanwhile wait for the new hours. */
export const CLOCK_LOCK = 731

/** Business hours, as the settings have them; undefined for elapsed hours. */
export function businessHoursIn(value: unknown): BusinessHours | undefined {
  const saved = schemaOf('hours').safeParse(value).data
  return saved?.counts === 'Business hours' ? saved : undefined
}

/**
 * Brings the promised hours and the open spans of the database up to date, and with them the deadlines that are still ahead. A deadline
 * that has passed stays, and so does one whose new instant has passed: nobody could meet it.
 */
export async function applyServiceHours(trx: Trx, open: BusinessHours | undefined, now = new Date()): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${CLOCK_LOCK})`.execute(trx)
  for (const [clock, promised] of Object.entries(hours))
    await sql`UPDATE service_promises SET hours = ${promised} WHERE clock = ${clock} AND hours <> ${promised}`.execute(trx)
  await trx.deleteFrom('serviceSpans').execute()
  const rows = open ? spanRows(open, now) : []
  for (let at = 0; at < rows.length; at += CHUNK)
    await trx
      .insertInto('serviceSpans')
      .values(rows.slice(at, at + CHUNK))
      .execute()
  // A clock that gets a later deadline warns before that one.
  await sql`UPDATE lead_clocks SET due_at = fresh.due,
      warned_at = CASE WHEN fresh.due - interval '15 minutes' > ${now} THEN NULL ELSE warned_at END
    FROM (SELECT contact_id, clock, breach_instant_of(since, hours) AS due FROM lead_clocks JOIN service_promises USING (clock)
      WHERE state <> 'ended' AND due_at > ${now}) AS fresh
    WHERE lead_clocks.contact_id = fresh.contact_id AND lead_clocks.clock = fresh.clock
      AND fresh.due > ${now} AND fresh.due <> lead_clocks.due_at`.execute(trx)
  afterCommit(announceLeads)
}

function spanRows(open: BusinessHours, now: Date): { opensAt: Date; closesAt: Date; openAfter: number }[] {
  const from = now.getTime() - DAYS_BACK * DAY
  const until = now.getTime() + DAYS_AHEAD * DAY
  const spans: OpenSpan[] = []
  for (const span of openSpans(open, from)) {
    if (span.opensAt > until) break
    spans.push(span)
  }
  let openAfter = 0
  return spans.map(({ opensAt, closesAt }) => {
    openAfter += (closesAt - opensAt) / 1000
    return { opensAt: new Date(opensAt), closesAt: new Date(closesAt), openAfter }
  })
}

/** At a start, and each day: the spans move on with the calendar, and a save that was cut off is completed. */
export async function refreshServiceHours(now = new Date()): Promise<void> {
  await transaction(async (trx) => {
    const { value } = await queryRow(
      trx,
      { value: z.unknown() },
      sql`SELECT (SELECT value FROM site_settings WHERE section = 'hours') AS value`,
    )
    await applyServiceHours(trx, businessHoursIn(value), now)
  })
}

whenSaved('hours', (trx, value) => applyServiceHours(trx, businessHoursIn(value)))

defineJob('leads.service-hours', z.unknown(), () => refreshServiceHours(), { every: 'day' })
