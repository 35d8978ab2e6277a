import { timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { judge } from '#app/leads/spam/judge.server.ts'
import { mayEmailGuest } from '#app/mail/budget.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { condition, daysAgo, now, queryRow, rowCount } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import { isWithin, type Limit } from '#app/platform/guard/limits.server.ts'
import { inBatches, type ListFile } from '#app/platform/tables/list-file.server.ts'
import { requireMatches } from '#app/platform/tables/matches.server.ts'
import { campaignText, type Source } from '#app/platform/http/source.ts'
import type { Row } from '#db/tables.ts'
import { alreadySubscribedEmail, CONFIRM_DAYS, confirmSubscriptionEmail } from './confirm-subscription.email.tsx'
import type {
  Subscriber,
  SubscriberChoice,
  SubscriberFilter,
  SubscriberPage,
  SubscriberQuery,
  SubscriberSource,
  SubscriberState,
} from './newsletter.ts'

/** The limit of emails to one address: anyone can type any address. */
const perAddress: Limit = { name: 'newsletter-address', points: 3, seconds: 24 * 3600 }

const LINK_MS = CONFIRM_DAYS * 24 * 3_600_000
/** Addresses that were never confirmed, and those that left, are deleted after this time. */
const PENDING_DAYS = 30
const LEFT_DAYS = 90

type Wish = {
  email: string
  source: SubscriberSource
  cameFrom: Source
  /** Whether the hidden field was filled in. */
  trapped: boolean
  /** Of the visitor's network. */
  address: string
}

/**
 * Emails a link that confirms the subscription. Callers learn nothing about the address: a subscriber gets an email as well, and a doubtful
 * request, or one too many for this address, gets none.
 */
export async function requestSubscription({ email, source, cameFrom, trapped, address }: Wish): Promise<void> {
  const { outcome } = await judge({ name: '', email, message: '', lines: [] }, { trapped, token: undefined, proof: undefined }, email)
  if (outcome !== 'clean' || !(await mayEmail(email)) || !(await mayEmailGuest(email, address))) return
  await transaction(async (trx) => {
    const row = await trx
      .insertInto('newsletterSubscribers')
      .values({ id: newId(), email, source, cameFrom: JSON.stringify(cameFrom) })
      .onConflict((conflict) => conflict.column('email').doUpdateSet({ askedAt: now }))
      .returningAll()
      .executeTakeFirstOrThrow()
    const isActive = stateOf(row) === 'active'
    await enqueueEmail(
      trx,
      isActive
        ? alreadySubscribedEmail(email, { token: unsubscribeToken(row.id) })
        : confirmSubscriptionEmail(email, { token: confirmToken(row.id) }),
    )
  })
}

function mayEmail(email: string): Promise<boolean> {
  return isWithin(perAddress, macText('newsletter-address', email.toLowerCase()))
}

/** Whether the link still confirms. It changes nothing, because mail scanners open links. */
export async function isConfirmLinkGood(token: string): Promise<boolean> {
  return (await findByConfirmToken(token)) !== undefined
}

/** Confirms the subscription. Returns `false` when the link has expired, or the person has unsubscribed since it was sent. */
export async function confirmSubscription(token: string): Promise<boolean> {
  const found = await findByConfirmToken(token)
  if (!found) return false
  await db
    .updateTable('newsletterSubscribers')
    .set((eb) => ({ confirmedAt: stateOf(found) === 'active' ? eb.ref('confirmedAt') : now, unsubscribedAt: null, bouncedAt: null }))
    .where('id', '=', found.id)
    .execute()
  return true
}

async function findByConfirmToken(token: string): Promise<Row<'newsletterSubscribers'> | undefined> {
  const [id = '', at = ''] = token.split('.')
  const askedAt = Number.parseInt(at, 36)
  if (!isOurs(token, `confirm ${id} ${at}`) || Date.now() - askedAt > LINK_MS) return undefined
  const row = await db.selectFrom('newsletterSubscribers').selectAll().where('id', '=', id).executeTakeFirst()
  return row && (row.unsubscribedAt?.getTime() ?? 0) < askedAt ? row : undefined
}

/** The id of the subscriber that an unsubscribe link is about, also when they are deleted; undefined when it is not ours. */
export function readUnsubscribeToken(token: string): string | undefined {
  const [id = ''] = token.split('.')
  return isOurs(token, `unsubscribe ${id}`) ? id : undefined
}

/** Ends a subscription immediately, also for emails that are queued. A repeated call, and one for a deleted address, do no harm. */
export async function unsubscribe(id: string): Promise<void> {
  await db
    .updateTable('newsletterSubscribers')
    .set({ unsubscribedAt: now })
    .where('id', '=', id)
    .where('unsubscribedAt', 'is', null)
    .execute()
}

function confirmToken(id: string): string {
  const at = Date.now().toString(36)
  return `${id}.${at}.${sign(`confirm ${id} ${at}`)}`
}

/** Valid for as long as there are emails with it. */
export function unsubscribeToken(id: string): string {
  return `${id}.${sign(`unsubscribe ${id}`)}`
}

function isOurs(token: string, note: string): boolean {
  const given = Buffer.from(token.slice(token.lastIndexOf('.') + 1))
  const expected = Buffer.from(sign(note))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(note: string): string {
  return macText('newsletter', note)
}

/** The condition of subscribers who get the next post. */
export const isActiveSubscriber = condition`(confirmed_at IS NOT NULL AND unsubscribed_at IS NULL AND bounced_at IS NULL)`

const conditions: Record<SubscriberState, RawBuilder<boolean>> = {
  active: isActiveSubscriber,
  pending: condition`(confirmed_at IS NULL AND unsubscribed_at IS NULL AND bounced_at IS NULL)`,
  unsubscribed: condition`unsubscribed_at IS NOT NULL`,
  bounced: condition`(bounced_at IS NOT NULL AND unsubscribed_at IS NULL)`,
}

function stateOf(row: Pick<Row<'newsletterSubscribers'>, 'confirmedAt' | 'unsubscribedAt' | 'bouncedAt'>): SubscriberState {
  if (row.unsubscribedAt) return 'unsubscribed'
  if (row.bouncedAt) return 'bounced'
  return row.confirmedAt ? 'active' : 'pending'
}

/** One page, newest first. */
export async function listSubscribers({ cursor, limit, ...filter }: SubscriberQuery): Promise<SubscriberPage> {
  const rows = await filtered(filter)
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .limit(limit + 1)
    .execute()
  const subscribers = rows.slice(0, limit).map(toSubscriber)
  const nextCursor = rows.length > limit ? (subscribers.at(-1)?.id ?? null) : null
  return { subscribers, total: await countMatches(filter), counts: await countSubscribers(), nextCursor }
}

async function countMatches(filter: SubscriberFilter): Promise<number> {
  const { count } = await db
    .selectFrom('newsletterSubscribers')
    .select(rowCount.as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow()
  return count
}

async function countSubscribers(): Promise<SubscriberPage['counts']> {
  return queryRow(
    db,
    { active: z.number(), pending: z.number(), unsubscribed: z.number(), bounced: z.number() },
    sql`
    SELECT count(*) FILTER (WHERE ${conditions.active})::int AS active, count(*) FILTER (WHERE ${conditions.pending})::int AS pending,
      count(*) FILTER (WHERE ${conditions.unsubscribed})::int AS unsubscribed, count(*) FILTER (WHERE ${conditions.bounced})::int AS bounced
    FROM newsletter_subscribers`,
  )
}

/** Deletes a subscriber with everything that names them. Returns `false` when there is none. */
export async function deleteSubscriber(id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('newsletterSubscribers').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes subscribers with everything that names them, and returns their number. */
export async function deleteSubscribers(choice: SubscriberChoice, actor: Actor): Promise<number> {
  return transaction(async (trx) => {
    const chosen = 'ids' in choice ? condition`id = ANY(${choice.ids}::uuid[])` : matching(choice.filter)
    const { numDeletedRows } = await trx.deleteFrom('newsletterSubscribers').where(chosen).executeTakeFirst()
    const deleted = Number(numDeletedRows)
    if ('count' in choice) requireMatches(deleted, choice.count, ['subscriber', 'subscribers'])
    if (deleted > 0) await audit(trx, 'subscriber_removed', { ...by(actor), detail: { subscribers: deleted } })
    return deleted
  })
}

/** The matching subscribers, newest first. */
export function exportSubscribers(filter: SubscriberFilter): ListFile<Row<'newsletterSubscribers'>> {
  return {
    columns: {
      Email: ({ email }) => email,
      Status: stateOf,
      Form: ({ source }) => source,
      'Requested At': ({ askedAt }) => askedAt.toISOString(),
      'Confirmed At': ({ confirmedAt }) => confirmedAt?.toISOString(),
      'Form Page': ({ cameFrom }) => cameFrom?.path,
      Referrer: ({ cameFrom }) => cameFrom?.referrer,
      Campaign: ({ cameFrom }) => cameFrom && campaignText(cameFrom),
    },
    batches: inBatches(async (last, limit) => {
      const query = filtered(filter).limit(limit)
      return (last ? query.where('id', '<', last.id) : query).execute()
    }),
  }
}

function filtered(filter: SubscriberFilter) {
  return db.selectFrom('newsletterSubscribers').selectAll().where(matching(filter)).orderBy('id', 'desc')
}

function matching({ q = '', state }: SubscriberFilter): RawBuilder<boolean> {
  const part = `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return condition`${q === '' ? sql`true` : condition`lower(email::text) LIKE ${part}`} AND ${state ? conditions[state] : sql`true`}`
}

function toSubscriber(row: Row<'newsletterSubscribers'>): Subscriber {
  const { id, email, source, askedAt, confirmedAt } = row
  return {
    id,
    email,
    source,
    state: stateOf(row),
    askedAt: askedAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
  }
}

// A bounced address stays, so that it is not written to again.
defineJob(
  'newsletter.housekeeping',
  z.unknown(),
  async () => {
    await db
      .deleteFrom('newsletterSubscribers')
      .where((or) =>
        or.or([
          or.and([or('confirmedAt', 'is', null), or('askedAt', '<', daysAgo(PENDING_DAYS))]),
          // Those who ask again have a link that confirms.
          or.and([or('unsubscribedAt', '<', daysAgo(LEFT_DAYS)), or('askedAt', '<', daysAgo(PENDING_DAYS))]),
        ]),
      )
      .execute()
  },
  { every: 'day' },
)
