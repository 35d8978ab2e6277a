import { type Insertable, sql } from 'kysely'
import { z } from 'zod'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { deliver, RefusedAddress } from '#app/mail/transport.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, now, queryRows, rowCount } from '#app/platform/database/sql.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { ATTEMPTS, defineJob, enqueue, JobFailure, type NewJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { readingMinutes } from '#app/blog/posts/post.ts'
import { isPublic } from '#app/blog/posts/public-post.server.ts'
import type { Tables } from '#db/tables.ts'
import { newPostEmail } from './new-post.email.tsx'
import type { NewsletterIssue, NewsletterPosts } from './newsletter.ts'
import { isActiveSubscriber, unsubscribeToken } from './subscriber.server.ts'

/** Posts in the list of staff. */
const LISTED = 200
/** Emails queued in one transaction. */
const BATCH = 500

const QUEUE_JOB = 'newsletter.queue'
const DELIVER_JOB = 'newsletter.deliver'

/** The newest public posts, with how far each was sent. */
export async function listNewsletterPosts(): Promise<NewsletterPosts> {
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'title', 'publishedAt'])
    .where(isPublic)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  const issues = await issuesOf(posts.map(({ id }) => id))
  const shown = posts.flatMap(({ publishedAt, ...post }) =>
    publishedAt ? [{ ...post, publishedAt: publishedAt.toISOString(), issue: issues.get(post.id) ?? null }] : [],
  )
  return { posts: shown, recipients: await countActive(), canSend }
}

/** Without a mail server, emails go to the development inbox, if there is one. */
const canSend = env.SMTP_URL !== undefined || isInboxOpen

/**
 * Starts to send a public post to everyone who is subscribed now. Each subscriber gets one email, through kills and restarts. Stops when
 * the post was sent before.
 */
export async function sendIssue(postId: string, sentBy: string): Promise<NewsletterIssue> {
  const post = db
    .selectFrom('posts')
    .select(['id', isPublic.as('isPublic')])
    .where('id', '=', postId)
    .where('removedAt', 'is', null)
  const found = (await post.executeTakeFirst()) ?? stop('notFound', 'Post not found.')
  if (!found.isPublic) stop('conflict', 'Publish the post first.', { code: 'not_public' })
  const recipients = await countActive()
  if (recipients === 0) stop('conflict', 'There are no confirmed subscribers yet.', { code: 'no_subscribers' })
  try {
    await transaction(async (trx) => {
      const { id } = await insert(trx, 'newsletterIssues', { postId, sentBy, recipients })
      await enqueue(trx, { kind: QUEUE_JOB, payload: { issueId: id } })
    })
  } catch (error) {
    if (!breaks(error, 'newsletter_issues_post_id_key')) throw error
    stop('conflict', 'This post was sent to subscribers before.', { code: 'already_sent' })
  }
  return findIssue(postId)
}

/** Sends what failed once more. */
export async function retryIssue(postId: string): Promise<NewsletterIssue> {
  await transaction(async (trx) => {
    const failed = await trx
      .updateTable('newsletterDeliveries')
      .set({ outcome: null, settledAt: null })
      .where('outcome', '=', 'failed')
      .where('issueId', 'in', trx.selectFrom('newsletterIssues').select('id').where('postId', '=', postId))
      .returning('id')
      .execute()
    if (failed.length > 0) await enqueue(trx, ...failed.map(({ id }) => deliveryJob(id)))
  })
  return findIssue(postId)
}

async function findIssue(postId: string): Promise<NewsletterIssue> {
  return (await issuesOf([postId])).get(postId) ?? stop('notFound', 'This post was not sent to subscribers.')
}

async function countActive(): Promise<number> {
  const { count } = await db
    .selectFrom('newsletterSubscribers')
    .select(rowCount.as('count'))
    .where(isActiveSubscriber)
    .executeTakeFirstOrThrow()
  return count
}

const issueRow = {
  postId: z.string(),
  createdAt: z.date(),
  recipients: z.number(),
  sent: z.number(),
  bounced: z.number(),
  skipped: z.number(),
  failed: z.number(),
}

async function issuesOf(postIds: string[]): Promise<Map<string, NewsletterIssue>> {
  const counted = (outcome: string) => sql`count(*) FILTER (WHERE outcome = ${outcome})::int AS ${sql.ref(outcome)}`
  const rows = await queryRows(
    db,
    issueRow,
    sql`
    SELECT post_id, issue.created_at, recipients, ${sql.join(['sent', 'bounced', 'skipped', 'failed'].map(counted))}
    FROM newsletter_issues AS issue LEFT JOIN newsletter_deliveries AS delivery ON issue_id = issue.id
    WHERE post_id = ANY (${postIds}::uuid[]) GROUP BY issue.id`,
  )
  return new Map(
    rows.map(({ postId, createdAt, ...counts }) => {
      const settled = counts.sent + counts.bounced + counts.skipped + counts.failed
      return [postId, { ...counts, sentAt: createdAt.toISOString(), waiting: Math.max(0, counts.recipients - settled) }]
    }),
  )
}

// Each batch is one transaction, so a run after a kill continues behind the last one.
defineJob(QUEUE_JOB, z.object({ issueId: z.uuid() }), async ({ issueId }, { signal }) => {
  while (!signal.aborted && (await transaction((trx) => queueBatch(trx, issueId))));
  signal.throwIfAborted()
})

/** Queues the emails to the next subscribers without one. Returns whether there may be more. */
async function queueBatch(trx: Trx, issueId: string): Promise<boolean> {
  const issue = await trx.selectFrom('newsletterIssues').selectAll().where('id', '=', issueId).forUpdate().executeTakeFirst()
  if (!issue || issue.queuedAt) return false
  const subscribers = await trx
    .selectFrom('newsletterSubscribers')
    .select('id')
    .where(isActiveSubscriber)
    // Later subscribers can read it on the blog.
    .where('confirmedAt', '<=', issue.createdAt)
    .where(
      condition`NOT EXISTS (SELECT FROM newsletter_deliveries WHERE issue_id = ${issueId} AND subscriber_id = newsletter_subscribers.id)`,
    )
    .orderBy('id')
    .limit(BATCH)
    .execute()
  const rows = subscribers.map(({ id: subscriberId }): Insertable<Tables['newsletterDeliveries']> => ({
    id: newId(),
    issueId,
    subscriberId,
  }))
  if (rows.length > 0) {
    await trx.insertInto('newsletterDeliveries').values(rows).execute()
    await enqueue(trx, ...rows.map(({ id }) => deliveryJob(id)))
  }
  if (rows.length === BATCH) return true
  const { count } = await trx
    .selectFrom('newsletterDeliveries')
    .select(rowCount.as('count'))
    .where('issueId', '=', issueId)
    .executeTakeFirstOrThrow()
  await trx.updateTable('newsletterIssues').set({ queuedAt: now, recipients: count }).where('id', '=', issueId).execute()
  return false
}

function deliveryJob(deliveryId: string): NewJob {
  return { kind: DELIVER_JOB, payload: { deliveryId } }
}

// Its own queue, so that thousands of newsletters do not delay the email that signs someone in.
defineJob(DELIVER_JOB, z.object({ deliveryId: z.uuid() }), async ({ deliveryId }, { attempt }) => send(deliveryId, attempt), {
  queue: 'newsletter',
  waits: !canSend,
})

/** Sends one email, unless the subscriber has left or the post is no longer public. */
async function send(deliveryId: string, attempt: number): Promise<void> {
  const email = await findUnsent(deliveryId)
  if (email === 'settled') return
  if (email === 'unwanted') return settle(db, deliveryId, 'skipped')
  const { to, kind, data, subscriberId } = email
  if (!env.SMTP_URL) {
    return transaction(async (trx) => {
      await enqueueEmail(trx, email)
      await settle(trx, deliveryId, 'sent')
    })
  }
  try {
    // A fixed Message-ID: mail programs recognize the second copy that a kill right after the delivery can cause.
    const messageId = `<${deliveryId}@${new URL(env.SITE_URL).hostname}>`
    await deliver({ ...(await renderEmail(kind, JSON.stringify(data))), to, messageId, headers: listHeaders(subscriberId) })
  } catch (error) {
    if (error instanceof RefusedAddress) return markBounced(deliveryId, subscriberId)
    const isOver = attempt >= ATTEMPTS || (error instanceof JobFailure && error.permanent)
    if (!isOver) throw error
    return settle(db, deliveryId, 'failed')
  }
  await settle(db, deliveryId, 'sent')
}

/** Headers with which mail programs show their own button to unsubscribe (RFC 8058, RFC 2919). */
function listHeaders(subscriberId: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${unsubscribeUrl(subscriberId)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': `<newsletter.${new URL(env.SITE_URL).hostname}>`,
  }
}

function unsubscribeUrl(subscriberId: string): string {
  return `${env.SITE_URL}/newsletter/unsubscribe?token=${unsubscribeToken(subscriberId)}`
}

/** The email of a delivery without an outcome; `unwanted` when nobody is to get it. */
async function findUnsent(deliveryId: string) {
  const delivery = await db
    .selectFrom('newsletterDeliveries')
    .select(['issueId', 'subscriberId'])
    .where('id', '=', deliveryId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (!delivery) return 'settled'
  const { issueId, subscriberId } = delivery
  if (subscriberId === null) return 'unwanted'
  const [subscriber, post] = await Promise.all([
    db
      .selectFrom('newsletterSubscribers')
      .select(['email', 'confirmedAt'])
      .where('id', '=', subscriberId)
      .where(isActiveSubscriber)
      .executeTakeFirst(),
    db
      .selectFrom('posts')
      .select(['slug', 'title', 'excerpt', 'words'])
      .where('id', '=', db.selectFrom('newsletterIssues').select('postId').where('id', '=', issueId))
      .where(isPublic)
      .executeTakeFirst(),
  ])
  if (!subscriber?.confirmedAt || !post) return 'unwanted'
  const { slug, title, excerpt, words } = post
  const email = newPostEmail(subscriber.email, {
    title,
    excerpt,
    minutes: readingMinutes(words),
    url: `${env.SITE_URL}/blog/${slug}`,
    unsubscribeUrl: unsubscribeUrl(subscriberId),
    subscribedAt: subscriber.confirmedAt.toISOString(),
  })
  return { ...email, subscriberId }
}

type Outcome = NonNullable<Tables['newsletterDeliveries']['outcome']>

async function settle(connection: typeof db | Trx, deliveryId: string, outcome: Outcome): Promise<void> {
  await connection.updateTable('newsletterDeliveries').set({ outcome, settledAt: now }).where('id', '=', deliveryId).execute()
}

/** The mail server rejected the address permanently: it gets nothing more until its owner subscribes again. */
async function markBounced(deliveryId: string, subscriberId: string): Promise<void> {
  await transaction(async (trx) => {
    await settle(trx, deliveryId, 'bounced')
    await trx.updateTable('newsletterSubscribers').set({ bouncedAt: now }).where('id', '=', subscriberId).execute()
  })
}
