import { sql } from 'kysely'
import { z } from 'zod'
import { promises } from '#app/leads/promises.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { type Attainment, ATTAINMENT_WEEKS, type MissedPromise, type PromiseClock, promiseClocks } from './attainment.ts'
import { rememberCount } from './remembered.server.ts'

const MISSED_MOST = 100
const DAY = 86_400_000

const hours: Record<PromiseClock, number> = {
  acknowledgement: promises.readHours,
  response: promises.answerHours,
  proposal: promises.proposalHours,
}

/** The promises of the enquiries since a time. One that was imported was promised nothing. */
const clocksSince = (since: Date) => sql`(
  SELECT contact.id AS contact_id, contact.reference, contact.name, contact.company, promise.clock,
    date_trunc('week', contact.promised_from AT TIME ZONE 'UTC')::date::text AS week, contact.promised_from AS since,
    contact.promised_from + promise.hours * interval '1 hour' AS due_at,
    CASE promise.clock WHEN 'proposal' THEN contact.proposal_settled_at ELSE contact.answered_at END AS ended_at
  FROM contacts AS contact CROSS JOIN (VALUES ${sql.join(promiseClocks.map((clock) => sql`(${sql.lit(clock)}, ${sql.lit(hours[clock])})`))}) AS promise (clock, hours)
  WHERE contact.quarantined_at IS NULL AND contact.deleted_at IS NULL AND contact.form <> 'import' AND contact.promised_from >= ${since}) AS clock`

const week = { clock: z.enum(promiseClocks), week: z.string(), due: z.number(), kept: z.number() }
const minutes = { medianMinutes: z.number().nullable(), p90Minutes: z.number().nullable() }

/** How many of each week's promises were kept, and how long the replies took. With many leads it may be a few seconds old. */
export const readAttainment = rememberCount(countAttainment, ({ promises: all }) =>
  all.reduce((sum, { weeks }) => sum + weeks.reduce((part, { due }) => part + due, 0), 0),
)

async function countAttainment(): Promise<Attainment> {
  const took = sql`extract(epoch FROM ended_at - since)::float8 / 60`
  const rows = await queryRowsBehind(
    { ...week, ...minutes },
    sql`SELECT clock, week, count(*)::int AS due, count(*) FILTER (WHERE ended_at <= due_at)::int AS kept,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ${took})) AS median_minutes,
        round(percentile_cont(0.9) WITHIN GROUP (ORDER BY ${took})) AS p90_minutes
      FROM ${clocksSince(mondayOf(ATTAINMENT_WEEKS - 1))} WHERE ended_at IS NOT NULL OR due_at < now() GROUP BY clock, week ORDER BY week DESC`,
  )
  return {
    promises: promiseClocks.map((clock) => ({
      clock,
      hours: hours[clock],
      weeks: rows.filter((row) => row.clock === clock).map(({ clock: _clock, ...row }) => row),
    })),
  }
}

/** Midnight in UTC of the Monday so many weeks ago. */
function mondayOf(weeksAgo: number): Date {
  const today = Math.floor(Date.now() / DAY)
  // Day 0 of the epoch was a Thursday.
  return new Date((today - ((today + 3) % 7) - 7 * weeksAgo) * DAY)
}

/** The enquiries of a week whose promise was missed, latest reply first. */
export async function listMissed(clock: PromiseClock, monday: string): Promise<MissedPromise[]> {
  const start = new Date(monday)
  return queryRowsBehind(
    {
      reference: z.string(),
      name: z.string(),
      company: z.string().nullable(),
      isOpen: z.boolean(),
      lateMinutes: z.number(),
    },
    sql`SELECT reference, name, company, ended_at IS NULL AS is_open, round(extract(epoch FROM coalesce(ended_at, now()) - due_at)::float8 / 60) AS late_minutes
      FROM ${clocksSince(start)} WHERE clock = ${clock} AND since < ${new Date(start.getTime() + 7 * DAY)} AND coalesce(ended_at, now()) > due_at
      ORDER BY late_minutes DESC, reference LIMIT ${MISSED_MOST}`,
  )
}
