import { sql } from 'kysely'
import { z } from 'zod'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import type { StageFunnel } from './attainment.ts'
import type { InsightPeriod } from './lead-insights.ts'
import { startOfPeriod } from './lead-insights.server.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

const MOST_REASONS = 12

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

const nowRow = { id: z.number(), count: z.number(), valueCents: z.number(), lost: z.number() }
/** Two lists in one: the leads by the place that they reached, and the median days by the stage. */
const pathRow = {
  furthest: z.number().nullable(),
  count: z.number().nullable(),
  id: z.number().nullable(),
  medianDays: z.number().nullable(),
}

async function count(days: InsightPeriod): Promise<StageFunnel> {
  const stages = await listStages()
  const start = startOfPeriod(days)
  // A lost lead came as far as its last other stage.
  const path = stages.filter(({ outcome }) => outcome !== 'lost').map(({ id }) => id)
  const [paths, lostReasons, current] = await Promise.all([
    queryRowsBehind(pathRow, pathsSince(start, path)),
    queryRowsBehind(lostRow, lostSince(start)),
    queryRowsBehind(
      nowRow,
      sql`SELECT stage_id AS id, count(*)::int, coalesce(sum(value_cents), 0)::bigint AS value_cents,
        count(*) FILTER (WHERE created_at >= ${start})::int AS lost FROM leads WHERE is_listed GROUP BY 1`,
    ),
  ])
  const reachedAt = (at: number) =>
    paths.reduce((sum, row) => sum + (row.furthest !== null && row.furthest >= at ? (row.count ?? 0) : 0), 0)
  return {
    days,
    lostReasons,
    stages: stages.map(({ id, name, outcome, probability }) => {
      const stay = paths.find((row) => row.id === id)?.medianDays ?? null
      const now = current.find((row) => row.id === id)
      return {
        id,
        name,
        outcome,
        probability,
        reached: outcome === 'lost' ? (now?.lost ?? 0) : reachedAt(path.indexOf(id) + 1),
        medianDays: stay === null ? null : Math.round(stay * 10) / 10,
        now: { count: now?.count ?? 0, valueCents: now?.valueCents ?? 0 },
      }
    }),
  }
}

const lostRow = { reason: z.string().nullable(), count: z.number(), valueCents: z.number() }

const lostSince = (start: Date) => sql`
  SELECT lost_reason AS reason, count(*)::int, coalesce(sum(value_cents), 0)::bigint AS value_cents
  FROM leads JOIN lead_stages AS stage ON stage.id = leads.stage_id AND stage.outcome = 'lost'
  WHERE is_listed AND created_at >= ${start} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_REASONS}`

/** The stages that the leads of a period have been in: the first one from when they came, the others from the events of their timeline. */
const pathsSince = (start: Date, path: number[]) => sql`
  WITH cohort AS MATERIALIZED (SELECT contact_id, stage_id, created_at FROM leads WHERE is_listed AND created_at >= ${start}),
    move AS MATERIALIZED (
      SELECT contact_id, event.created_at AS at, (detail->>'from')::integer AS from_id, (detail->>'to')::integer AS to_id,
        row_number() OVER history AS nth, lead(event.created_at) OVER history AS left_at
      FROM lead_events AS event JOIN cohort USING (contact_id) WHERE event.kind = 'stage_changed'
      WINDOW history AS (PARTITION BY contact_id ORDER BY event.created_at, event.id)),
    stay AS MATERIALIZED (
      SELECT contact_id, to_id AS stage_id, left_at - at AS stayed FROM move
      UNION ALL SELECT cohort.contact_id, coalesce(move.from_id, cohort.stage_id), move.at - cohort.created_at
        FROM cohort LEFT JOIN move ON move.contact_id = cohort.contact_id AND move.nth = 1)
  SELECT furthest, count(*)::int AS count, NULL::integer AS id, NULL::float8 AS median_days
  FROM (SELECT max(coalesce(array_position(${path}::integer[], stage_id), 0)) AS furthest FROM stay GROUP BY contact_id) AS lead GROUP BY 1
  UNION ALL SELECT NULL, NULL, stage_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM stayed)::float8 / 86400) FROM stay GROUP BY stage_id`
