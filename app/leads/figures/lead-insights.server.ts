import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { promises } from '#app/leads/lead/promises.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import type { InsightPeriod, LeadInsights } from './lead-insights.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

/** Parts of a sparkline: a day each, or more days in a long period. */
const MOST_PARTS = 45
const MOST_NAMES = 8

const known = new Map<InsightPeriod, () => Promise<LeadInsights>>()

/** The figures of a period. With many leads they may be a few seconds old. */
export function readInsights(days: InsightPeriod): Promise<LeadInsights> {
  const read =
    known.get(days) ??
    rememberCount(
      () => count(days),
      ({ contacts }) => contacts.count,
    )
  known.set(days, read)
  return read()
}

async function count(days: InsightPeriod): Promise<LeadInsights> {
  const start = startOfPeriod(days)
  const received = sql`contacts WHERE quarantined_at IS NULL AND deleted_at IS NULL AND created_at >= ${start}`
  const [contacts, consultations, funnel, times, sources, countries] = await Promise.all([
    trendOf(sql`contacts`, sql`quarantined_at IS NULL AND deleted_at IS NULL`, days),
    trendOf(sql`consultations`, sql`true`, days),
    readFunnel(received),
    readReplies(received),
    sharesOf(sql`form`, received),
    sharesOf(sql`coalesce(country_code, country)`, received),
  ])
  return { days, contacts, consultations, funnel, replies: times, sources, countries }
}

/** Midnight in UTC on the first day of the period. */
export function startOfPeriod(days: number): Date {
  const today = new Date()
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - (days - 1)))
}

async function trendOf(table: RawBuilder<unknown>, listed: RawBuilder<unknown>, days: InsightPeriod) {
  const [start, earlier] = [startOfPeriod(days), startOfPeriod(2 * days)]
  const width = Math.ceil(days / MOST_PARTS)
  const rows = await queryRowsBehind(
    { part: z.number(), count: z.number() },
    // Whole days since the start; those before it are negative.
    sql`SELECT floor(extract(epoch FROM created_at - ${start}::timestamptz) / 86400)::int AS part, count(*)::int FROM ${table}
      WHERE ${listed} AND created_at >= ${earlier} GROUP BY 1`,
  )
  const line = Array.from({ length: Math.ceil(days / width) }, () => 0)
  let before = 0
  for (const { part, count: found } of rows) {
    const at = Math.floor(part / width)
    if (part < 0) before += found
    else line[at] = (line[at] ?? 0) + found
  }
  return { count: line.reduce((sum, each) => sum + each, 0), before, line }
}

async function readFunnel(received: RawBuilder<unknown>) {
  const [row] = await queryRowsBehind(
    { received: z.number(), replied: z.number(), proposed: z.number(), consulted: z.number() },
    sql`SELECT count(*)::int AS received, count(answered_at)::int AS replied,
      count(*) FILTER (WHERE proposal = 'sent')::int AS proposed,
      count(*) FILTER (WHERE EXISTS (SELECT FROM consultations WHERE contact_id = contacts.id))::int AS consulted
      FROM ${received}`,
  )
  return row ?? { received: 0, replied: 0, proposed: 0, consulted: 0 }
}

/** Upper bounds in minutes: the promises are among them. */
const bounds: { name: string; minutes: number }[] = [
  { name: 'Within 30 min', minutes: 30 },
  { name: '30 min to 2 h', minutes: promises.readHours * 60 },
  { name: '2 h to 8 h', minutes: 8 * 60 },
  { name: '8 h to 24 h', minutes: promises.answerHours * 60 },
  { name: 'Over 24 h', minutes: Number.MAX_SAFE_INTEGER },
]

/** Leads that were imported or added by hand are excluded: nobody waited here for their reply. */
async function readReplies(received: RawBuilder<unknown>): Promise<LeadInsights['replies']> {
  const asked = sql`${received} AND coalesce(form, '') NOT IN ('import', 'staff')`
  const limits = sql.join(bounds.slice(0, -1).map(({ minutes }) => sql.lit(minutes)))
  const [parts, [all]] = await Promise.all([
    queryRowsBehind(
      { part: z.number(), count: z.number() },
      sql`SELECT width_bucket(minutes, ARRAY[${limits}]::float8[]) AS part, count(*)::int FROM (
        SELECT extract(epoch FROM answered_at - promised_from)::float8 / 60 AS minutes FROM ${asked} AND answered_at IS NOT NULL
      ) AS reply GROUP BY 1`,
    ),
    queryRowsBehind(
      { total: z.number(), open: z.number(), median: z.nullable(z.number()) },
      sql`SELECT count(answered_at)::int AS total, count(*) FILTER (WHERE answered_at IS NULL)::int AS open,
        (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM answered_at - promised_from)::float8 / 60)) AS median FROM ${asked}`,
    ),
  ])
  const times = bounds.map(({ name }, at) => ({ name, count: parts.find(({ part }) => part === at)?.count ?? 0 }))
  const inTime = times
    .filter((_, at) => (bounds[at]?.minutes ?? 0) <= promises.readHours * 60)
    .reduce((sum, { count: found }) => sum + found, 0)
  const { total = 0, open = 0, median = null } = all ?? {}
  return { inTime, total, open, medianMinutes: median === null ? null : Math.round(median), times }
}

/** The most frequent values of a column. */
async function sharesOf(column: RawBuilder<unknown>, received: RawBuilder<unknown>) {
  return queryRowsBehind(
    { name: z.string(), count: z.number() },
    sql`SELECT ${column} AS name, count(*)::int FROM ${received} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_NAMES}`,
  )
}
