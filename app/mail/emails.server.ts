import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, daysAgo, queryRow } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { retryJob, retryJobs } from '#app/platform/jobs.server.ts'
import { requireMatches } from '#app/platform/tables/matches.server.ts'
import type { EmailChoice, EmailState, EmailSummary, UnsentEmails } from './emails.ts'
import { writeEmail } from './email.server.ts'
import { contentOf, EMAIL_JOB, type EnqueuedEmail, enqueuedEmail } from './outbox.server.ts'
import { type AddressedEmail, renderEnqueued } from './render.server.tsx'

export type EmailPage = {
  state?: EmailState | undefined
  limit: number
  /** Only emails that failed at least so many attempts. */
  attempts?: number | undefined
  /** Only emails enqueued before the one with this id. */
  before?: string | undefined
}

/** Emails, newest first. */
export async function listEmails({ state, limit, attempts, before }: EmailPage): Promise<EmailSummary[]> {
  // Waiting emails have their own partial index; ordering by id would make the planner scan all sent ones.
  let query = emailJobs()
    .orderBy(state === 'waiting' ? sql`id::text` : sql`id`, 'desc')
    .limit(limit)
  if (before) query = query.where('id', '<', before)
  if (attempts !== undefined) query = query.where('attempts', '>=', attempts).where('lastError', 'is not', null)
  if (state === 'sent') query = query.where('doneAt', 'is not', null).where(condition`NOT payload ? 'isExpired'`)
  if (state === 'expired') query = query.where('doneAt', 'is not', null).where(condition`payload ? 'isExpired'`)
  if (state === 'failed') query = query.where('failedAt', 'is not', null)
  if (state === 'waiting') query = query.where('doneAt', 'is', null).where('failedAt', 'is', null)
  return (await query.execute()).map(toSummary)
}

export type FailedEmail = Pick<EmailSummary, 'id' | 'kind' | 'to' | 'subject' | 'attempts' | 'reason'> & {
  /** The lead that it is about. */
  contactId: string | undefined
}

const MOST_TOLD = 100

/** Emails that failed since yesterday, newest first. Locked in a transaction, so that two processes do not tell of one twice. */
export async function listFailedEmails(trx: Trx): Promise<FailedEmail[]> {
  const jobs = await emailJobs(trx).where('failedAt', '>', daysAgo(1)).orderBy('failedAt', 'desc').limit(MOST_TOLD).forUpdate().execute()
  return jobs.map((job) => ({ ...toSummary(job), contactId: enqueuedEmail.parse(job.payload).contactId }))
}

const unsent: Record<keyof UnsentEmails, RawBuilder<boolean>> = {
  failed: condition`failed_at IS NOT NULL`,
  waiting: condition`done_at IS NULL AND failed_at IS NULL`,
}

/** Emails that failed permanently, and those on their way: staff can resend them. */
export async function countUnsentEmails(): Promise<UnsentEmails> {
  const count = async (state: keyof UnsentEmails) =>
    queryRow(db, { count: z.number() }, sql`SELECT count(*)::int AS count FROM jobs WHERE kind = ${EMAIL_JOB} AND ${unsent[state]}`)
  const [failed, waiting] = await Promise.all([count('failed'), count('waiting')])
  return { failed: failed.count, waiting: waiting.count }
}

export async function findEmail(id: string): Promise<EmailSummary | undefined> {
  const job = await emailJobs().where('id', '=', id).executeTakeFirst()
  return job && toSummary(job)
}

/** The rendered email, while its content is stored. */
export async function readEmail(id: string): Promise<AddressedEmail | undefined> {
  const job = await emailJobs().where('id', '=', id).executeTakeFirst()
  if (!job) return undefined
  const posted = enqueuedEmail.parse(job.payload)
  const content = contentOf(posted)
  if (content === undefined) return undefined
  return renderEnqueued(posted, content)
}

/** Makes an unsent email due now, however often it has failed. Returns `false` if it has been sent or is being sent. */
export async function retryEmail(id: string): Promise<boolean> {
  return retryJob(EMAIL_JOB, id)
}

/** Makes emails due now, and returns their number: those that are being sent are left alone. */
export async function retryEmails(choice: EmailChoice): Promise<number> {
  return transaction(async (trx) => {
    const chosen = 'ids' in choice ? condition`id = ANY(${choice.ids}::uuid[])` : unsent[choice.filter.state]
    const { found, restarted } = await retryJobs(trx, EMAIL_JOB, chosen)
    if ('count' in choice) requireMatches(found, choice.count, ['email', 'emails'])
    return restarted
  })
}

function emailJobs(connection: Database | Trx = db) {
  return connection.selectFrom('jobs').selectAll().where('kind', '=', EMAIL_JOB)
}

function toSummary(job: Row<'jobs'>): EmailSummary {
  const posted = enqueuedEmail.parse(job.payload)
  return {
    id: job.id,
    kind: posted.kind,
    to: posted.to,
    subject: posted.subject ?? subjectOf(posted),
    state: posted.isExpired ? 'expired' : stateOf(job),
    attempts: job.attempts,
    reason: job.lastError,
    postedAt: job.createdAt.toISOString(),
    sentAt: job.doneAt?.toISOString() ?? null,
    failedAt: job.failedAt?.toISOString() ?? null,
    nextAttemptAt: stateOf(job) === 'waiting' ? job.runAt.toISOString() : null,
  }
}

function stateOf({ doneAt, failedAt }: Pick<Row<'jobs'>, 'doneAt' | 'failedAt'>): EmailState {
  if (doneAt) return 'sent'
  return failedAt ? 'failed' : 'waiting'
}

/** An email that cannot be rendered (unknown kind, lost key) must not hide the others in the list. */
function subjectOf(posted: EnqueuedEmail): string | null {
  try {
    const content = contentOf(posted)
    return content === undefined ? null : writeEmail(posted.kind, content).subject
  } catch {
    return null
  }
}
