import { z } from 'zod'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { listAccountIds } from '#app/auth/users/account.server.ts'
import { role } from '#app/auth/users/role.ts'
import { type FailedEmail, listFailedEmails } from '#app/mail/emails.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, daysAgo, rowCount } from '#app/platform/database/sql.server.ts'
import { signal } from '#app/platform/database/signals.server.ts'
import { defineJob, enqueue, type NewJob, onFailedJob, takeDueJobs } from '#app/platform/jobs.server.ts'
import type { NewRow, Row } from '#db/tables.ts'
import { planDispatches } from './dispatch.server.ts'
import { kindsFor, type Notification, notificationKind, type NotificationKind, type NotificationPage, rightOf } from './notification.ts'

/** The signal that open pages subscribe to. Its payload is the list of user ids, or null for everyone. */
export const NOTIFIED = 'notifications'

/** Read or not, a notification is deleted after this time. */
const KEPT_DAYS = 90
/** A signal holds at most 7,000 bytes. */
const MOST_SIGNALED = 150

const notice = z.object({
  kind: notificationKind,
  title: z.string().max(200),
  body: z.string().max(300).nullish(),
  link: z.string().regex(/^\/(?!\/)/),
  subjectId: z.string().optional(),
  dedupeKey: z.string(),
  to: z.union([z.object({ userIds: z.array(z.string()) }), z.object({ roles: z.array(role) })]),
  by: z.string().optional(),
})

/** `by` is the account whose act it is, which is not told of it. `subjectId` is the row that it is about; `dedupeKey` names the event, which each person is told once. */
export type NewNotification = z.infer<typeof notice>

const JOB = 'notifications.tell'

/** The job of `notify`, for callers that enqueue it with others in one statement. */
export function notificationJob(given: NewNotification): NewJob {
  return { kind: JOB, payload: given, dedupeKey: `${JOB}:${given.dedupeKey}` }
}

/** Tells people about an event: in the bell, and by email and push as each of them has chosen. In the transaction of the event. */
export async function notify(connection: Database | Trx, given: NewNotification): Promise<void> {
  await enqueue(connection, notificationJob(given))
}

/** The notifications that one run takes along, and the rows of one statement. */
const MOST_TOGETHER = 100
const MOST_ROWS = 1000

/** A job of an earlier release can hold several. */
const notices = z.union([notice.transform((one) => [one]), z.array(notice)])

// Many people can be told, so this happens beside the request that caused it.
defineJob(
  JOB,
  notices,
  async (given, { attempt }) => {
    const told = await transaction(async (trx) => {
      // One run sends the notifications of a burst. A job that failed before runs alone, so it does not block the others.
      const others = attempt === 1 ? await takeDueJobs(trx, JOB, MOST_TOGETHER) : []
      const rows = await toRows(trx, [...given, ...others.flatMap((payload) => notices.parse(payload))])
      for (let at = 0; at < rows.length; at += MOST_ROWS) await addNotifications(trx, rows.slice(at, at + MOST_ROWS))
      return new Set(rows.map(({ userId }) => userId))
    })
    if (told.size > 0) await announceNotifications([...told])
  },
  { keepDays: 1 },
)

async function addNotifications(trx: Trx, rows: NewRow<'notifications'>[]) {
  const added = await trx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['userId', 'dedupeKey']).doNothing())
    .returning(['id', 'userId', 'kind'])
    .execute()
  await planDispatches(
    trx,
    added.map(({ kind, ...row }) => ({ ...row, kind: notificationKind.parse(kind) })),
  )
}

async function toRows(trx: Trx, given: readonly NewNotification[]) {
  const holders = new Map<string, string[]>()
  const recipients = async (to: NewNotification['to'], kind: NotificationKind) => {
    if ('userIds' in to) return to.userIds
    const right = rightOf(kind)
    const key = [right, ...to.roles].join()
    const ids = holders.get(key) ?? (await listAccountIds(to.roles, { right, connection: trx }))
    holders.set(key, ids)
    return ids
  }
  const rows = []
  for (const { to, by, ...rest } of given) {
    const userIds = await recipients(to, rest.kind)
    rows.push(...userIds.filter((userId) => userId !== by).map((userId) => ({ id: newId(), userId, ...rest })))
  }
  return rows
}

type Person = Pick<CurrentUser, 'id' | 'role' | 'rights'>

type Asked = { person: Person; unread: boolean; kind: NotificationKind | undefined; cursor: string | undefined; limit: number }

/** One page, newest first. The cursor is the id of the last entry. */
export async function listNotifications({ person, unread, kind, cursor, limit }: Asked): Promise<NotificationPage> {
  const visible = visibleTo(person)
  const rows = await visible
    .selectAll()
    .$if(unread, (query) => query.where('readAt', 'is', null))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await visible.select(rowCount.as('total')).where('readAt', 'is', null).executeTakeFirstOrThrow()
  const items = rows.slice(0, limit).map(toNotification)
  return { items, unread: total, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Marks one as read or unread. Returns `undefined` if this person has no such notification. */
export async function markNotification(userId: string, id: string, isRead: boolean): Promise<Notification | undefined> {
  const row = await db
    .updateTable('notifications')
    .set((eb) => ({ readAt: isRead ? eb.fn.coalesce('readAt', eb.val(new Date())) : null }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row) await announceNotifications([userId])
  return row && toNotification(row)
}

/**
 * Marks everything up to an entry as read, so nothing that arrived meanwhile is marked unseen; with a kind, only entries of that kind. Returns how many.
 */
export async function markAllRead(userId: string, upTo: string, kind: NotificationKind | undefined): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ readAt: new Date() })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('id', '<=', upTo)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .executeTakeFirst()
  await announceNotifications([userId])
  return Number(numUpdatedRows)
}

/**
 * Marks what leads to a page as read, because the person has opened it. A page can have further parameters than the link. Returns how many.
 */
export async function markOpened(userId: string, path: string): Promise<number> {
  const [pathname = '', search] = path.split(/\?(.*)/s)
  const unread = await db
    .selectFrom('notifications')
    .select(['id', 'link'])
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where((eb) => eb.or([eb('link', '=', pathname), eb(eb.fn('starts_with', ['link', eb.val(`${pathname}?`)]), '=', true)]))
    .execute()
  const shown = new URLSearchParams(search)
  const opened = unread.filter(({ link }) =>
    [...new URLSearchParams(link.split(/\?(.*)/s)[1])].every(([key, value]) => shown.get(key) === value),
  )
  if (opened.length === 0) return 0
  await db
    .updateTable('notifications')
    .set({ readAt: new Date() })
    .where(
      'id',
      'in',
      opened.map(({ id }) => id),
    )
    .execute()
  await announceNotifications([userId])
  return opened.length
}

function visibleTo(person: Person) {
  return db.selectFrom('notifications').where('userId', '=', person.id).where('kind', 'in', kindsFor(person))
}

function toNotification({ id, kind, title, body, link, readAt, createdAt }: Row<'notifications'>): Notification {
  return {
    id,
    kind: notificationKind.parse(kind),
    title,
    body,
    link,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** Refreshes the open pages of these people, in every process. */
async function announceNotifications(userIds: string[]): Promise<void> {
  await signal(NOTIFIED, userIds.length > MOST_SIGNALED ? null : userIds)
}

/** Tells staff about each email that could not be delivered: which one, to whom, about which lead, and why. */
async function tellFailedEmails(): Promise<void> {
  await transaction(async (trx) => {
    const failed = await listFailedEmails(trx)
    const contactIds = failed.flatMap(({ contactId }) => contactId ?? [])
    const leads = await trx
      .selectFrom('contacts')
      .select(['id', 'reference'])
      .where(condition`id = ANY(${contactIds}::uuid[])`)
      .execute()
    const references = new Map(leads.map(({ id, reference }) => [id, reference]))
    const told = failed.map((email) => failureNotice(email, references.get(email.contactId ?? '')))
    if (told.length > 0) await enqueue(trx, ...told)
  })
}

function failureNotice({ id, to, kind, subject, attempts, reason, contactId }: FailedEmail, lead: string | undefined): NewJob {
  const name = subject ?? kind
  const named = lead && !name.includes(lead) ? `${name} (${lead})` : name
  return notificationJob({
    kind: 'email_failed',
    title: `Email to ${to} could not be delivered`.slice(0, 200),
    body: `${named.slice(0, 150)}. ${reason ?? ''}`.trim().slice(0, 300),
    link: lead ? `/leads/${lead}` : '/dashboard/letters',
    subjectId: (lead && contactId) || id,
    // Sent again, it may fail again.
    dedupeKey: `email_failed:${id}:${attempts}`,
    to: { roles: ['staff', 'owner'] },
  })
}

onFailedJob(EMAIL_JOB, tellFailedEmails)
// Finds failures of a process that died before it told anyone.
defineJob('notifications.failed-emails', z.unknown(), tellFailedEmails, { every: 'hour' })

defineJob(
  'notifications.housekeeping',
  z.unknown(),
  async () => void (await db.deleteFrom('notifications').where('createdAt', '<', daysAgo(KEPT_DAYS)).execute()),
  { every: 'day' },
)
