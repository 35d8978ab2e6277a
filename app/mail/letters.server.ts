import { sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import { retryJob } from '#app/platform/jobs.server.ts'
import type { LetterState, LetterSummary } from './letters.ts'
import { writeLetter } from './letter.server.ts'
import { contentOf, LETTER_JOB, type PostedLetter, postedLetter } from './outbox.server.ts'
import { type AddressedLetter, renderLetter } from './render.server.tsx'

export type LetterPage = {
  state?: LetterState | undefined
  limit: number
  /** Only letters posted before the one with this id. */
  before?: string | undefined
}

/** Letters, newest first. */
export async function listLetters({ state, limit, before }: LetterPage): Promise<LetterSummary[]> {
  // The few that wait have an index of their own; in the order of ids, the planner would look for them among all that are out.
  let query = letterJobs()
    .orderBy(state === 'waiting' ? sql`id::text` : sql`id`, 'desc')
    .limit(limit)
  if (before) query = query.where('id', '<', before)
  if (state === 'sent') query = query.where('doneAt', 'is not', null)
  if (state === 'failed') query = query.where('failedAt', 'is not', null)
  if (state === 'waiting') query = query.where('doneAt', 'is', null).where('failedAt', 'is', null)
  return (await query.execute()).map(toSummary)
}

/** Letters that were given up, and wait for someone to send them again. */
export async function countFailedLetters(): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', LETTER_JOB)
    .where('failedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function findLetter(id: string): Promise<LetterSummary | undefined> {
  const job = await letterJobs().where('id', '=', id).executeTakeFirst()
  return job && toSummary(job)
}

/** The letter itself, while its content has not been forgotten. */
export async function readLetter(id: string): Promise<AddressedLetter | undefined> {
  const job = await letterJobs().where('id', '=', id).executeTakeFirst()
  if (!job) return undefined
  const posted = postedLetter.parse(job.payload)
  const content = contentOf(posted)
  if (content === undefined) return undefined
  return { ...renderLetter(posted.kind, content), to: posted.to, messageId: posted.messageId }
}

/** Sends a letter that is not out yet at once, however often it has failed. Answers `false` when it is out, or on its way at this moment. */
export async function sendAgain(id: string): Promise<boolean> {
  return retryJob(LETTER_JOB, id)
}

function letterJobs() {
  return db.selectFrom('jobs').selectAll().where('kind', '=', LETTER_JOB)
}

function toSummary(job: Row<'jobs'>): LetterSummary {
  const posted = postedLetter.parse(job.payload)
  return {
    id: job.id,
    kind: posted.kind,
    to: posted.to,
    subject: posted.subject ?? subjectOf(posted),
    state: stateOf(job),
    attempts: job.attempts,
    reason: job.lastError,
    postedAt: job.createdAt.toISOString(),
    sentAt: job.doneAt?.toISOString() ?? null,
    failedAt: job.failedAt?.toISOString() ?? null,
    nextAttemptAt: stateOf(job) === 'waiting' ? job.runAt.toISOString() : null,
  }
}

function stateOf({ doneAt, failedAt }: Pick<Row<'jobs'>, 'doneAt' | 'failedAt'>): LetterState {
  if (doneAt) return 'sent'
  return failedAt ? 'failed' : 'waiting'
}

/** What cannot be written (a kind that is gone, a key that is lost) must not hide the other letters of a list. */
function subjectOf(posted: PostedLetter): string | null {
  try {
    const content = contentOf(posted)
    return content === undefined ? null : writeLetter(posted.kind, content).subject
  } catch {
    return null
  }
}
