import { sql } from 'kysely'
import { z } from 'zod'
import { listStages } from '#app/leads/stage.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import type { StageFunnel } from './attainment.ts'
import type { InsightPeriod } from './lead-insights.ts'
import { startOfPeriod } from './lead-insights.server.ts'
import { rememberCount } from './remembered.server.ts'

const known = new Map<InsightPeriod, () => Promise<StageFunnel>>()

/** The stages of a period. With many leads they may be a few seconds old. */
export function readStageFunnel(days: InsightPeriod): Promise<StageFunnel> {
  const read =
    known.get(days) ??
    rememberCount(
      () => count(days),
      ({ stages }) => stages.reduce((sum, { now }) => sum + now.count, 0),
    )
  known.set(days, read)
  return read()
}

const furthestRow = { furthest: z.number(), count: z.number() }
const stayRow = { id: z.number(), medianDays: z.number().nullable() }
const nowRow = { id: z.number(), count: z.number(), valueCents: z.number() }

async function count(days: InsightPeriod): Promise<StageFunnel> {
  const stages = await listStages()
  const start = startOfPeriod(days)
  // A lost lead came as far as its last other stage.
  const path = stages.filter(({ outcome }) => outcome !== 'lost').map(({ id }) => id)
  const place = sql`coalesce(array_position(${path}::integer[], stage_id), 0)`
  const [furthest, stays, current] = await Promise.all([
    queryRowsBehind(
      furthestRow,
      sql`SELECT furthest, count(*)::int FROM (SELECT max(${place}) AS furthest FROM (${stepsSince(start)}) AS step GROUP BY contact_id) AS lead GROUP BY 1`,
    ),
    queryRowsBehind(
      stayRow,
      sql`SELECT stage_id AS id, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM left_at - entered_at)::float8 / 86400) AS median_days
        FROM (SELECT stage_id, entered_at, lead(entered_at) OVER (PARTITION BY contact_id ORDER BY entered_at, nth) AS left_at
          FROM (${stepsSince(start)}) AS step) AS stay GROUP BY stage_id`,
    ),
    queryRowsBehind(
      nowRow,
      sql`SELECT stage_id AS id, count(*)::int, coalesce(sum(value_cents), 0)::bigint AS value_cents FROM leads WHERE is_listed GROUP BY 1`,
    ),
  ])
  const lost = await countLost(
    start,
    stages.filter(({ outcome }) => outcome === 'lost').map(({ id }) => id),
  )
  const reachedAt = (at: number) => furthest.filter((row) => row.furthest >= at).reduce((sum, row) => sum + row.count, 0)
  return {
    days,
    stages: stages.map(({ id, name, outcome, probability }) => {
      const stay = stays.find((row) => row.id === id)?.medianDays ?? null
      const now = current.find((row) => row.id === id)
      return {
        id,
        name,
        outcome,
        probability,
        reached: outcome === 'lost' ? (lost.get(id) ?? 0) : reachedAt(path.indexOf(id) + 1),
        medianDays: stay === null ? null : Math.round(stay * 10) / 10,
        now: { count: now?.count ?? 0, valueCents: now?.valueCents ?? 0 },
      }
    }),
  }
}

/** Every stage that a lead of the period entered: its first one when it came, the others by the events of its timeline. */
const stepsSince = (start: Date) => sql`
  SELECT cohort.contact_id, 0 AS nth, cohort.created_at AS entered_at,
    coalesce((SELECT (event.detail->>'from')::integer FROM lead_events AS event WHERE event.contact_id = cohort.contact_id AND event.kind = 'stage_changed'
      ORDER BY event.created_at, event.id LIMIT 1), cohort.stage_id) AS stage_id
  FROM leads AS cohort WHERE cohort.is_listed AND cohort.created_at >= ${start}
  UNION ALL SELECT cohort.contact_id, 1, event.created_at, (event.detail->>'to')::integer
  FROM leads AS cohort JOIN lead_events AS event ON event.contact_id = cohort.contact_id AND event.kind = 'stage_changed'
  WHERE cohort.is_listed AND cohort.created_at >= ${start}`

async function countLost(start: Date, ids: number[]): Promise<Map<number, number>> {
  const rows = await queryRowsBehind(
    { id: z.number(), count: z.number() },
    sql`SELECT stage_id AS id, count(*)::int FROM leads WHERE is_listed AND created_at >= ${start} AND stage_id = ANY(${ids}::integer[]) GROUP BY 1`,
  )
  return new Map(rows.map(({ id, count: found }) => [id, found]))
}
