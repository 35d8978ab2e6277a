import { z } from 'zod'
import { currentAccounts, provenAddress } from '#app/auth/users/account.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { effectiveRole } from '#app/auth/users/staff-factor.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import { noticeEmail } from './notice.email.tsx'
import { kindsFor, notificationKind, type NotificationKind } from './notification.ts'
import { channelsOf, readPreferences } from './preference.server.ts'
import { listPushDeviceIds } from './push-device.server.ts'
import { pushJob } from './push.server.ts'
import type { KindChannels } from './preference.ts'

const JOB = 'notifications.dispatch'
const channels = ['email', 'push'] as const

const dispatchJob = z.object({ userId: z.string(), channel: z.enum(channels), dueAt: z.string() })
type DispatchJob = z.infer<typeof dispatchJob>

type Told = { id: string; userId: string; kind: NotificationKind }

/** Plans how new notifications leave by email and push, in the transaction that stores them. One job for each person, channel and moment. */
export async function planDispatches(trx: Trx, told: Told[]): Promise<void> {
  if (told.length === 0) return
  const preferencesOf = await readPreferences(trx, [...new Set(told.map(({ userId }) => userId))])
  const now = new Date()
  const planned = told.flatMap(({ id: notificationId, userId, kind }) => {
    const held = preferencesOf(userId)
    return channels.flatMap((channel) => {
      const dueAt = dispatchTime(channel, channelsOf(held, kind), held, now)
      return dueAt ? [{ notificationId, channel, userId, dueAt }] : []
    })
  })
  if (planned.length === 0) return
  await trx.insertInto('notificationDispatches').values(planned).execute()
  const jobs = new Map(
    planned.map(({ userId, channel, dueAt }) => [`${userId}:${channel}:${dueAt.toISOString()}`, { userId, channel, dueAt }]),
  )
  await enqueue(trx, ...[...jobs.values()].map(jobOf))
}

function jobOf({ userId, channel, dueAt }: { userId: string; channel: 'email' | 'push'; dueAt: Date }): NewJob {
  const payload: DispatchJob = { userId, channel, dueAt: dueAt.toISOString() }
  return { kind: JOB, payload, runAt: dueAt }
}

/**
 * Sends what is due to a person by a channel, in one message. The rows are marked in the transaction that enqueues it, so that each leaves
 * once, however many processes and jobs there are. It leaves out notifications that were read meanwhile, turned off, or lost with a role, and
 * all of a person who is suspended.
 */
export async function dispatchDue({ userId, channel, dueAt }: DispatchJob): Promise<void> {
  await transaction(async (trx) => {
    const due = await trx
      .updateTable('notificationDispatches')
      .set({ sentAt: new Date() })
      .where('userId', '=', userId)
      .where('channel', '=', channel)
      .where('sentAt', 'is', null)
      .where('dueAt', '<=', new Date(Math.max(Date.now(), Date.parse(dueAt))))
      .returning('notificationId')
      .execute()
    if (due.length === 0) return
    const items = await findUnread(trx, { userId, channel, ids: due.map(({ notificationId }) => notificationId) })
    if (items.length === 0) return
    const jobs = channel === 'email' ? await emailOf(trx, userId, items) : await pushesOf(trx, userId, items)
    if (jobs.length > 0) await enqueue(trx, ...jobs)
  })
}

type Asked = { userId: string; channel: 'email' | 'push'; ids: string[] }
type Item = {
  id: string
  kind: NotificationKind
  title: string
  body: string | null
  link: string
  subjectId: string | null
  isDigest: boolean
}

async function findUnread(trx: Trx, { userId, channel, ids }: Asked): Promise<Item[]> {
  const account = await currentAccounts(trx)
    .select(['role', 'rights', 'bannedUntil', 'staffSince', 'hasFactor'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!account || (account.bannedUntil !== null && account.bannedUntil > new Date())) return []
  const { rights, staffSince, hasFactor } = account
  const visible = new Set(kindsFor({ rights, role: effectiveRole({ role: roleOf(account), staffSince, hasFactor }) }))
  const held = (await readPreferences(trx, [userId]))(userId)
  const rows = await trx
    .selectFrom('notifications')
    .select(['id', 'kind', 'title', 'body', 'link', 'subjectId'])
    .where('id', 'in', ids)
    .where('readAt', 'is', null)
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => {
    const kind = notificationKind.parse(row.kind)
    const { email, push } = channelsOf(held, kind)
    const isOn = channel === 'email' ? email !== 'off' : push
    return visible.has(kind) && isOn ? [{ ...row, kind, isDigest: email === 'digest' }] : []
  })
}

async function emailOf(trx: Trx, userId: string, items: Item[]): Promise<NewJob[]> {
  const address = await provenAddress(userId, trx)
  if (!address) return []
  const texts = items.map(({ title, body, link }) => ({ title, body, link }))
  const email = noticeEmail(address, { items: texts, isDigest: items.some(({ isDigest }) => isDigest), subjectIds: subjectsOf(items) })
  return [emailJob(email)]
}

/** One message for each browser: several notifications that waited come as one. */
async function pushesOf(trx: Trx, userId: string, items: Item[]): Promise<NewJob[]> {
  const [first] = items
  const last = items.at(-1)
  if (!first || !last) return []
  const message =
    items.length === 1
      ? { title: first.title, body: first.body ?? '', link: first.link }
      : {
          title: `${items.length} notifications`,
          body: shortened(items.map(({ title }) => title).join(' · '), 200),
          link: '/notifications',
        }
  const deviceIds = await listPushDeviceIds(trx, userId)
  return deviceIds.map((deviceId) => pushJob({ ...message, deviceId, tag: last.id, subjectIds: subjectsOf(items) }))
}

function subjectsOf(items: Item[]): string[] {
  return items.flatMap(({ subjectId }) => subjectId ?? [])
}

defineJob(JOB, dispatchJob, dispatchDue, { keepDays: 1 })

type Times = { zone: string; digestHour: number; quietFrom: number | null; quietUntil: number | null }

/**
 * When a notification leaves by a channel: now, after the quiet hours, or with the digest. Undefined: not at all. The digest comes at its hour
 * also when that is quiet: the person chose it.
 */
export function dispatchTime(channel: 'email' | 'push', { email, push }: KindChannels, times: Times, now: Date): Date | undefined {
  if (channel === 'push') return push ? afterQuietHours(times, now) : undefined
  if (email === 'off') return undefined
  return email === 'now' ? afterQuietHours(times, now) : nextOnClock(times.digestHour * 60, times.zone, now)
}

function afterQuietHours({ zone, quietFrom, quietUntil }: Times, now: Date): Date {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return now
  const { hour, minute } = zonedTime(zone, now)
  const minutes = hour * 60 + minute
  const isQuiet = quietFrom < quietUntil ? minutes >= quietFrom && minutes < quietUntil : minutes >= quietFrom || minutes < quietUntil
  return isQuiet ? nextOnClock(quietUntil, zone, now, { again: true }) : now
}

/**
 * The next moment at which the clock of a zone shows a time. In the gap of a clock change it is the moment after; of two, the first, or the one that
 * is still ahead if `again` is set.
 */
export function nextOnClock(minutes: number, zone: string, now: Date, { again = false } = {}): Date {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
  const today = zonedTime(zone, now).toPlainDate()
  const ways = again ? (['compatible', 'later'] as const) : (['compatible'] as const)
  for (const days of [0, 1]) {
    const shown = today.add({ days }).toPlainDateTime(time)
    const moments = ways.map((disambiguation) => shown.toZonedDateTime(zone, { disambiguation }).epochMilliseconds)
    const moment = moments.find((each) => each > now.getTime())
    if (moment !== undefined) return new Date(moment)
  }
  throw new Error(`The clock of ${zone} shows ${String(time)} neither today nor tomorrow.`)
}

function zonedTime(zone: string, moment: Date) {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
}
