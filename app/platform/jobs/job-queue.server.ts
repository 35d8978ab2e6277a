import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'

/** How long a claimed job belongs to its worker without a renewal. */
const LEASE = sql`interval '60 seconds'`

/**
 * An attempt that was cut off, by a crash or a shutdown, is not a failure of the job. The job gets another attempt in its place, up to this
 * many in all: a job that kills its process ends all the same.
 */
const MOST_ATTEMPTS = 200

const oneMore = sql`CASE WHEN jobs.attempts < ${sql.lit(MOST_ATTEMPTS)} THEN jobs.max_attempts + 1 ELSE jobs.max_attempts END`

export type ClaimedJob = { id: string; kind: string; payload: unknown; attempts: number; maxAttempts: number }

/** The result of an attempt. `error` is stored, so it contains nothing personal; `payload` replaces the job's. */
export type Outcome = { id: string; attempts: number; error?: string } & (
  | { outcome: 'done'; payload?: unknown }
  | { outcome: 'again'; seconds: number }
  | { outcome: 'failed' }
  | { outcome: 'cutOff' }
)

/** The kinds of jobs of a queue, and how many of them may be claimed. */
export type Wanted = { kinds: string[]; room: number }

/**
 * Claims due jobs of each queue, oldest first, and skips locked rows. The claim counts as an attempt, and that count is the proof of the
 * lease: only its holder can settle.
 */
export async function claimJobs(queues: Wanted[]): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    WITH claimed AS (
      UPDATE jobs SET
        attempts = attempts + 1,
        max_attempts = CASE WHEN locked_until IS NULL THEN max_attempts ELSE ${oneMore} END,
        locked_until = now() + ${LEASE}
      WHERE id = ANY (ARRAY(
        SELECT due.id FROM jsonb_to_recordset(${JSON.stringify(queues)}::jsonb) AS queue (kinds text[], room integer)
        CROSS JOIN LATERAL (
          SELECT oldest.id FROM unnest(queue.kinds) AS wanted (kind)
          CROSS JOIN LATERAL (
            SELECT id FROM jobs
            WHERE kind = wanted.kind AND done_at IS NULL AND failed_at IS NULL AND run_at <= now()
              AND (locked_until IS NULL OR locked_until < now())
            ORDER BY run_at, id LIMIT queue.room FOR UPDATE SKIP LOCKED
          ) AS oldest
          LIMIT queue.room
        ) AS due
      ))
      RETURNING id, kind, payload, attempts, max_attempts, run_at
    ) SELECT id, kind, payload, attempts, max_attempts FROM claimed ORDER BY run_at, id`.execute(db)
  return rows
}

/** Writes the results of attempts in one statement. A result without the current lease changes nothing. */
export async function settleJobs(outcomes: Outcome[]): Promise<void> {
  await sql`
    UPDATE jobs SET
      locked_until = NULL,
      max_attempts = CASE WHEN ended.outcome = 'cutOff' THEN ${oneMore} ELSE max_attempts END,
      last_error = ended.error,
      done_at = CASE WHEN ended.outcome = 'done' THEN now() END,
      failed_at = CASE WHEN ended.outcome = 'failed' THEN now() END,
      run_at = CASE WHEN ended.outcome = 'again' THEN now() + ended.seconds * interval '1 second' ELSE run_at END,
      payload = COALESCE(ended.payload, jobs.payload)
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      AS ended (id uuid, attempts integer, outcome text, seconds float8, error text, payload jsonb)
    WHERE jobs.id = ended.id AND jobs.attempts = ended.attempts AND jobs.done_at IS NULL`.execute(db)
}

/** Renews the leases of long jobs. */
export async function renewJobs(held: Pick<ClaimedJob, 'id' | 'attempts'>[]): Promise<void> {
  const holders = held.map(({ id, attempts }) => ({ id, attempts }))
  await sql`
    UPDATE jobs SET locked_until = now() + ${LEASE}
    FROM jsonb_to_recordset(${JSON.stringify(holders)}::jsonb) AS held (id uuid, attempts integer)
    WHERE jobs.id = held.id AND jobs.attempts = held.attempts AND jobs.done_at IS NULL`.execute(db)
}

/** Ends the leases of a dead process. Only for the embedded database, where no other process can hold one. */
export async function releaseJobs(): Promise<void> {
  await sql`
    UPDATE jobs SET locked_until = NULL, max_attempts = ${oneMore}
    WHERE locked_until IS NOT NULL AND done_at IS NULL AND failed_at IS NULL`.execute(db)
}

/** Deletes jobs that were done, or failed, so many days ago. Returns how many. */
export async function purgeJobs(kind: string, days: number): Promise<number> {
  const before = daysAgo(days)
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('kind', '=', kind)
    .where((or) => or.or([or('doneAt', '<', before), or('failedAt', '<', before)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
