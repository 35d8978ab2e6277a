import { sql } from 'kysely'
import type { z } from 'zod'
import { afterCommit, type Database, db, newId, type Trx } from './db.server.ts'

export type JobRun<Payload> = (payload: Payload, context: JobContext) => Promise<unknown>

/** `attempt` counts from 1. `signal` aborts when the process has to end before the work has: it will be done again. */
export type JobContext = { id: string; attempt: number; signal: AbortSignal }

export type JobKind = {
  run: (payload: unknown, context: JobContext) => Promise<unknown>
} & Required<Pick<JobOptions, 'keepDays' | 'waits' | 'lane'>> &
  Pick<JobOptions, 'every'>

export type JobOptions = {
  /** Asked for by itself, once an hour or once a day (UTC), by whichever process comes first. */
  every?: 'hour' | 'day'
  /** How long its trace is kept once it is done or has failed. */
  keepDays?: number
  /** Not done by this process for now: it stays due. */
  waits?: boolean
  /** Work of one lane never waits for that of another. */
  lane?: Lane
}

/** Emails that leave a process at the same time. A slow mail server holds some of them for minutes. */
export const MOST_DELIVERIES = 20
/** How many jobs of each lane one process does at the same time. */
export const lanes = { work: 16, mail: MOST_DELIVERIES }
export type Lane = keyof typeof lanes

/** The default of the column `max_attempts`: so many failures are eight and a half hours. */
export const ATTEMPTS = 12

const kinds = new Map<string, JobKind>()

/**
 * Names a kind of work and how it is done. Done at least once: after a crash it is done again, so doing it twice must do no harm.
 * What `run` answers, unless it is undefined, replaces the payload: that alone is kept of it.
 */
export function defineJob<Payload>(
  kind: string,
  payload: z.ZodType<Payload>,
  run: JobRun<Payload>,
  { every, keepDays = 7, waits = false, lane = 'work' }: JobOptions = {},
): void {
  kinds.set(kind, { run: async (given, context) => run(payload.parse(given), context), keepDays, waits, lane, ...(every && { every }) })
}

/** The kinds of work that this process can do. */
export function jobKinds(): ReadonlyMap<string, JobKind> {
  return kinds
}

/** A failure in words that staff may read, so nothing personal or secret. A `permanent` one is not tried again. */
export class JobFailure extends Error {
  readonly permanent: boolean

  constructor(sentence: string, { permanent = false, ...options }: ErrorOptions & { permanent?: boolean } = {}) {
    super(sentence, options)
    this.permanent = permanent
  }
}

export type NewJob = {
  kind: string
  payload: unknown
  /** The same work asked for twice under one key is done once. */
  dedupeKey?: string
  /** Not before this moment. */
  runAt?: Date
}

/** Asks for work to be done outside of this request, in the transaction of what it serves: both are kept or neither. One statement. */
export async function enqueue(connection: Database | Trx, ...jobs: NewJob[]): Promise<void> {
  const rows = jobs.map(({ kind, payload, dedupeKey = null, runAt }) => ({
    id: newId(),
    kind,
    payload: JSON.stringify(payload),
    dedupeKey,
    ...(runAt && { runAt }),
  }))
  await connection
    .insertInto('jobs')
    .values(rows)
    .onConflict((conflict) => conflict.column('dedupeKey').where('dedupeKey', 'is not', null).doNothing())
    .execute()
  afterCommit(announce)
}

/**
 * Gives a job that has not been done a fresh start, at once, with as many attempts again. Answers `false` when it has been done or is being done.
 * The count of attempts goes on, because it tells one holder of the job from the next.
 */
export async function retryJob(kind: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE jobs SET run_at = now(), failed_at = NULL, max_attempts = attempts + ${ATTEMPTS}
    WHERE id = ${id} AND kind = ${kind} AND done_at IS NULL AND (locked_until IS NULL OR locked_until < now())
    RETURNING id`.execute(db)
  announce()
  return rows.length === 1
}

let tell: (() => void) | undefined

/** Who hears of new work at once: the worker of this process, or, where there is none, the workers of the others. */
export function onNewJobs(callback: () => void): void {
  tell = callback
}

/** A lost call costs a second, because workers also look by themselves. */
function announce() {
  tell?.()
}

export type JobCounts = { due: number; later: number; running: number; failed: number }

/** How much work waits, for the metrics. */
export async function countJobs(): Promise<JobCounts> {
  const { rows } = await sql<JobCounts>`
    SELECT
      count(*) FILTER (WHERE failed_at IS NULL AND run_at <= now() AND (locked_until IS NULL OR locked_until < now())) AS due,
      count(*) FILTER (WHERE failed_at IS NULL AND run_at > now()) AS later,
      count(*) FILTER (WHERE failed_at IS NULL AND locked_until >= now()) AS running,
      count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed
    FROM jobs WHERE done_at IS NULL`.execute(db)
  return rows[0] ?? { due: 0, later: 0, running: 0, failed: 0 }
}
