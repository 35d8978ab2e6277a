import { randomBytes } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { enqueuePlacedEmails } from '#app/booking/booking-emails.server.ts'
import { announceBookings } from '#app/booking/booking-signal.server.ts'
import { findCallType } from '#app/booking/call-type.server.ts'
import { type Host, keepHost, listPossibleHosts } from '#app/booking/host.server.ts'
import { hashOfToken } from '#app/booking/manage-link.server.ts'
import type { Slot } from '#app/booking/rules/free-slots.ts'
import type { HourSpan } from '#app/platform/time/weekly-hours.ts'
import type { HostRules } from '#app/booking/rules/hours.ts'
import { findFreeSlots } from '#app/booking/slots.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type BusySpan, type HostBody, type Override, PREVIEW_DAYS } from './calendar.ts'

const DAY = 24 * 3_600_000

/** Saves and thereby confirms the hours of a host, based on a version of them. Undefined: someone saved them meanwhile. */
export async function saveHost({ id, usualName }: Host, body: HostBody, version: number): Promise<number | undefined> {
  const { hours, name, ...rest } = body
  const row = { ...rest, name: name === usualName ? null : name, hours: JSON.stringify(hours), confirmedAt: new Date() }
  const saved = await transaction(async (trx) => {
    const stored = await storeHost(trx, id, row, version)
    if (stored && row.place !== '') await placeCalls(trx, condition`host_id = ${id}`, row.place)
    return stored
  })
  announceBookings()
  return saved
}

type StoredHost = Omit<HostBody, 'hours' | 'name'> & { name: string | null; hours: string; confirmedAt: Date }

async function storeHost(trx: Trx, id: string, row: StoredHost, version: number): Promise<number | undefined> {
  const saved =
    version === 0
      ? await trx
          .insertInto('bookingHosts')
          .values({ ...row, userId: id })
          .onConflict((conflict) => conflict.column('userId').doNothing())
          .returning('version')
          .executeTakeFirst()
      : await trx
          .updateTable('bookingHosts')
          .set({ ...row, version: version + 1, updatedAt: new Date() })
          .where('userId', '=', id)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return saved?.version
}

/** Calls ahead, of a host or of a call type, that were booked before their place was known: their guests were promised the link. */
export async function placeCalls(trx: Trx, isTheirs: RawBuilder<boolean>, place: string): Promise<void> {
  const placed = await trx
    .updateTable('bookings')
    .set((row) => ({ place, sequence: row('sequence', '+', 1), updatedAt: new Date() }))
    .where(isTheirs)
    .where('status', '=', 'booked')
    .where('place', '=', '')
    .where('startsAt', '>', new Date())
    .returningAll()
    .execute()
  await enqueuePlacedEmails(trx, placed)
}

/** Other hours from today on, in order. */
export async function listOverrides(hostId: string): Promise<Override[]> {
  const rows = await db
    .selectFrom('bookingOverrides')
    .select(['onDate', 'spans'])
    .where('hostId', '=', hostId)
    .where('onDate', '>=', new Date(Date.now() - DAY).toISOString().slice(0, 10))
    .orderBy('onDate')
    .execute()
  return rows.map(({ onDate, spans }) => ({ date: onDate, spans }))
}

const MOST_OVERRIDES = 400

export async function saveOverride(hostId: string, date: string, spans: readonly HourSpan[]): Promise<void> {
  const known = await listOverrides(hostId)
  if (known.length >= MOST_OVERRIDES && !known.some((each) => each.date === date))
    stop('conflict', `At most ${MOST_OVERRIDES} dates can have other hours. Remove one first.`)
  const row = { spans: JSON.stringify(spans), updatedAt: new Date() }
  await db
    .insertInto('bookingOverrides')
    .values({ hostId, onDate: date, ...row })
    .onConflict((conflict) => conflict.columns(['hostId', 'onDate']).doUpdateSet(row))
    .execute()
  announceBookings()
}

/** Returns whether the date had other hours. */
export async function removeOverride(hostId: string, date: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bookingOverrides')
    .where('hostId', '=', hostId)
    .where('onDate', '=', date)
    .executeTakeFirst()
  announceBookings()
  return numDeletedRows > 0n
}

/** The free times for the first call type in the next days if a host had these rules. */
export async function previewSlots(host: Host, rules: HostRules): Promise<Slot[]> {
  const callType = await findCallType(null)
  const now = Date.now()
  const range = { from: now, until: now + PREVIEW_DAYS * DAY }
  return findFreeSlots(db, { callType, hosts: [{ ...host, rules }], range, choice: {}, now })
}

const MOST_BUSY = 2000

/** Spans without calls that touch a range: blocked by hand, or busy in another calendar. */
export async function listBusy(from: Date, until: Date): Promise<BusySpan[]> {
  const rows = await db
    .selectFrom('bookingBusy')
    .selectAll()
    .where('endsAt', '>', from)
    .where('startsAt', '<', until)
    .orderBy('startsAt')
    .limit(MOST_BUSY)
    .execute()
  return rows.map(({ id, hostId, feedId, startsAt, endsAt, reason }) => ({
    id,
    hostId,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    source: feedId === null ? 'block' : 'feed',
    reason,
  }))
}

const LONGEST_BLOCK_DAYS = 366

export async function blockSpan(hostId: string, span: { startsAt: Date; endsAt: Date; reason: string | null }): Promise<BusySpan> {
  if (span.endsAt.getTime() - span.startsAt.getTime() > LONGEST_BLOCK_DAYS * DAY)
    stop('unprocessable', `Block at most ${LONGEST_BLOCK_DAYS} days at once.`)
  const { id, reason } = await insert(db, 'bookingBusy', { hostId, ...span })
  announceBookings()
  return { id, hostId, startsAt: span.startsAt.toISOString(), endsAt: span.endsAt.toISOString(), source: 'block', reason }
}

/** Returns whether this host had blocked it. */
export async function unblockSpan(hostId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bookingBusy')
    .where('id', '=', id)
    .where('hostId', '=', hostId)
    .where('feedId', 'is', null)
    .executeTakeFirst()
  announceBookings()
  return numDeletedRows > 0n
}

/** Makes a new private address for a host's own calls. The one before ends. */
export async function renewAddress(hostId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await transaction(async (trx) => {
    await keepHost(trx, (await listPossibleHosts(trx)).find(({ id }) => id === hostId) ?? stop('notFound', 'This host doesn’t exist.'))
    await trx
      .updateTable('bookingHosts')
      .set({ feedTokenHash: hashOfToken(token) })
      .where('userId', '=', hostId)
      .execute()
  })
  return `${env.SITE_URL}/calendar/${token}.ics`
}

export async function revokeAddress(hostId: string): Promise<void> {
  await db.updateTable('bookingHosts').set({ feedTokenHash: null }).where('userId', '=', hostId).execute()
}

/** Hosts who have a private address. */
export async function listAddressed(): Promise<Set<string>> {
  const rows = await db.selectFrom('bookingHosts').select('userId').where('feedTokenHash', 'is not', null).execute()
  return new Set(rows.map(({ userId }) => userId))
}
