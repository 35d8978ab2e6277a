import { sql } from 'kysely'
import { z } from 'zod'
import { promises } from '#app/leads/lead/promises.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { type Attainment, ATTAINMENT_WEEKS, type MissedPromise, type PromiseClock, promiseClocks } from './attainment.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

const MISSED_MOST = 100
const DAY = 86_400_000

const hours: Record<PromiseClock, number> = {
  acknowledgement: promises.readHours,
  response: promises.answerHours,
  proposal: promises.proposalHours,
}

/** The promises of the enquiries since a time, by their clocks. Imported enquiries have none; a void one promises nothing. */
const clocksSince = (since: Date) =>
  sql`(SELECT *, date_trunc('week', since AT TIME ZONE 'UTC')::date::text AS week FROM lead_clocks WHERE state <> 'void' AND since >= ${since}) AS clock`

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
    sql`SELECT clock, week, count(*)::int AS due, count(*) FILTER (WHERE state = 'ended' AND ended_at <= due_at)::int AS kept,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ${took})) AS median_minutes,
        round(percentile_cont(0.9) WITHIN GROUP (ORDER BY ${took})) AS p90_minutes
      FROM ${clocksSince(mondayOf(ATTAINMENT_WEEKS - 1))} WHERE state = 'ended' OR due_at < now() GROUP BY clock, week ORDER BY week DESC`,
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
      FROM ${clocksSince(start)} JOIN contacts ON contacts.id = clock.contact_id WHERE clock.clock = ${clock} AND since < ${new Date(start.getTime() + 7 * DAY)} AND coalesce(ended_at, now()) > due_at
      ORDER BY late_minutes DESC, reference LIMIT ${MISSED_MOST}`,
  )
}
