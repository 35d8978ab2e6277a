import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { afterCommit, type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, queryRow, queryRows } from '#app/platform/database/sql.server.ts'

export type JobRun<Payload> = (payload: Payload, context: JobContext) => Promise<unknown>

/** `attempt` counts from 1. `signal` aborts when the process has to end before the work: the job will run again. */
export type JobContext = { id: string; attempt: number; signal: AbortSignal }

export type JobKind = {
  run: (payload: unknown, context: JobContext) => Promise<unknown>
} & Required<Pick<JobOptions, 'keepDays' | 'waits' | 'queue'>> &
  Pick<JobOptions, 'every'>

export type JobPeriod = 'minute' | 'quarter' | 'hour' | 'day'

export type JobOptions = {
  /** Enqueued automatically, once a minute, a quarter of an hour, an hour or a day (UTC), by the first process to do so. */
  every?: JobPeriod
  /** How many days its row is stored after it is done or has failed. */
  keepDays?: number
  /** Not run by this process for now: it stays due. */
  waits?: boolean
  /** Jobs of one queue never block those of another. */
  queue?: JobQueue
}

/** Emails sent by a process at the same time. A slow mail server holds some of them for minutes. */
export const MOST_DELIVERIES = 20
/** How many jobs of each queue one process runs at the same time. */
export const jobQueues = { work: 16, mail: MOST_DELIVERIES, newsletter: 5, webhooks: 16 }
export type JobQueue = keyof typeof jobQueues

/** The default of the column `max_attempts`: so many failures take eight and a half hours. */
export const ATTEMPTS = 12

const kinds = new Map<string, JobKind>()

/**
 * Defines a kind of job. It runs at least once: after a crash it runs again, so a second run must do no harm.
 * The result of `run`, unless it is undefined, replaces the payload.
 */
export function defineJob<Payload>(
  kind: string,
  payload: z.ZodType<Payload>,
  run: JobRun<Payload>,
  { every, keepDays = 7, waits = false, queue = 'work' }: JobOptions = {},
): void {
  kinds.set(kind, { run: async (given, context) => run(payload.parse(given), context), keepDays, waits, queue, ...(every && { every }) })
}

/** The kinds of jobs that this process can run. */
export function jobKinds(): ReadonlyMap<string, JobKind> {
  return kinds
}

/** A failure in words that staff may read, so nothing personal or secret. A `permanent` one is not retried. */
export class JobFailure extends Error {
  readonly permanent: boolean

  constructor(sentence: string, { permanent = false, ...options }: ErrorOptions & { permanent?: boolean } = {}) {
    super(sentence, options)
    this.permanent = permanent
  }
}

const failureListeners = new Map<string, (() => Promise<void>)[]>()

/** Calls back after a job of this kind has failed permanently. A process that is killed at that moment does not call. */
export function onFailedJob(kind: string, callback: () => Promise<void>): void {
  failureListeners.set(kind, [...(failureListeners.get(kind) ?? []), callback])
}

/** Runs the callbacks of kinds of which a job has just failed. */
export async function announceFailedJobs(kinds: ReadonlySet<string>): Promise<void> {
  for (const kind of kinds) for (const callback of failureListeners.get(kind) ?? []) await callback()
}

export type NewJob = {
  kind: string
  payload: unknown
  /** A job with the key of an existing one is not enqueued. */
  dedupeKey?: string
  /** Not before this moment. */
  runAt?: Date
}

/** Enqueues jobs in the caller's transaction, so that both are committed or neither. */
export async function enqueue(connection: Database | Trx, ...jobs: NewJob[]): Promise<void> {
  const rows = jobs.map(({ kind, payload, dedupeKey, runAt }) => ({ id: newId(), kind, payload, dedupe_key: dedupeKey, run_at: runAt }))
  await sql`
    INSERT INTO jobs (id, kind, payload, dedupe_key, run_at)
    SELECT id, kind, coalesce(payload, 'null'), dedupe_key, coalesce(run_at, now())
    FROM jsonb_to_recordset(${JSON.stringify(rows, wellFormed)}::jsonb) AS job (id uuid, kind text, payload jsonb, dedupe_key text, run_at timestamptz)
    ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING`.execute(connection)
  afterCommit(announce)
}

/** Titles of notices are cut, such as through an emoji. The database refuses half of one in JSON. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Takes jobs of a kind that are due and that nobody has begun, and returns their payloads, oldest first. They are done once the transaction commits. */
export async function takeDueJobs(trx: Trx, kind: string, most: number): Promise<unknown[]> {
  const rows = await queryRows(
    trx,
    { payload: z.unknown() },
    // UPDATE returns its rows in the order of its plan, so they are sorted here.
    sql`WITH taken AS (
      UPDATE jobs SET attempts = 1, done_at = now() WHERE id IN (
        SELECT id FROM jobs WHERE kind = ${kind} AND attempts = 0 AND done_at IS NULL AND failed_at IS NULL AND run_at <= now()
        ORDER BY run_at, id LIMIT ${most} FOR UPDATE SKIP LOCKED
      ) RETURNING id, run_at, payload
    ) SELECT payload FROM taken ORDER BY run_at, id`,
  )
  return rows.map(({ payload }) => payload)
}

/**
 * Restarts an unfinished job immediately, with as many attempts again. Returns `false` when it is done or running.
 * The count of attempts goes on, because it distinguishes one holder of the job from the next.
 */
export async function retryJob(kind: string, id: string): Promise<boolean> {
  const { restarted } = await transaction((trx) => retryJobs(trx, kind, condition`id = ${id}`))
  return restarted === 1
}

/** The same for all of a kind that a condition chooses: how many there are, and how many are restarted. */
export async function retryJobs(trx: Trx, kind: string, chosen: RawBuilder<boolean>): Promise<{ found: number; restarted: number }> {
  const counts = await queryRow(
    trx,
    { found: z.number(), restarted: z.number() },
    sql`WITH found AS (SELECT id FROM jobs WHERE kind = ${kind} AND ${chosen}), restarted AS (
      UPDATE jobs SET run_at = now(), failed_at = NULL, max_attempts = attempts + ${ATTEMPTS}
      WHERE id IN (SELECT id FROM found) AND done_at IS NULL AND (locked_until IS NULL OR locked_until < now())
      RETURNING id)
    SELECT (SELECT count(*) FROM found)::int AS found, (SELECT count(*) FROM restarted)::int AS restarted`,
  )
  afterCommit(announce)
  return counts
}

let tell: (() => void) | undefined

/** Sets the callback for new work: it wakes the worker of this process or, without one, the workers of the others. */
export function onNewJobs(callback: () => void): void {
  tell = callback
}

/** A lost call costs a second, because workers also poll. */
function announce() {
  tell?.()
}

const jobCounts = { due: z.number(), later: z.number(), running: z.number(), failed: z.number() }
export type JobCounts = z.infer<z.ZodObject<typeof jobCounts>>

/** The number of due and failed jobs, for the metrics. */
export async function countJobs(): Promise<JobCounts> {
  return queryRow(
    db,
    jobCounts,
    sql`
    SELECT
      count(*) FILTER (WHERE failed_at IS NULL AND run_at <= now() AND (locked_until IS NULL OR locked_until < now())) AS due,
      count(*) FILTER (WHERE failed_at IS NULL AND run_at > now()) AS later,
      count(*) FILTER (WHERE failed_at IS NULL AND locked_until >= now()) AS running,
      count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed
    FROM jobs WHERE done_at IS NULL`,
  )
}
