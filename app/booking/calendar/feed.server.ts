import { sql } from 'kysely'
import { z } from 'zod'
import { notify } from '#app/account/notifications/notification.server.ts'
import { announceBookings } from '#app/booking/booking-signal.server.ts'
import { listPossibleHosts } from '#app/booking/host.server.ts'
import { callUid } from '#app/booking/invitation.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { fetchPublic } from '#app/platform/http/fetch-public.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { readBusyTimes } from './busy-thread.server.ts'
import { BrokenCalendar } from './broken-calendar.ts'
import type { BusyTimes } from './busy-times.ts'
import { type HostFeed, MOST_FEEDS } from './calendar.ts'

const BOUNDS = { ms: 10_000, bytes: 5 * 1024 * 1024 }
const DAY = 24 * 3_600_000

/** The calendars that a host has subscribed to, oldest first. */
export async function listFeeds(hostId: string): Promise<HostFeed[]> {
  const rows = await db.selectFrom('bookingFeeds').selectAll().where('hostId', '=', hostId).orderBy('id').execute()
  return rows.map((row) => toFeed(row))
}

/** Subscribes to a calendar. Its address is a secret that gives access to all of it, so it is sealed. */
export async function addFeed(hostId: string, { label, url }: { label: string; url: string }): Promise<string> {
  const id = newId()
  await transaction(async (trx) => {
    // Two at the same time would both find room.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`booking-feeds:${hostId}`}, 0))`.execute(trx)
    const known = await trx.selectFrom('bookingFeeds').selectAll().where('hostId', '=', hostId).execute()
    if (known.length >= MOST_FEEDS) stop('conflict', `A host has at most ${MOST_FEEDS} calendars.`, { code: 'too_many_feeds' })
    if (known.some((row) => addressOf(row) === url)) stop('conflict', 'This calendar is already in the list.', { code: 'feed_exists' })
    await trx
      .insertInto('bookingFeeds')
      .values({ id, hostId, label, urlSealed: seal(PURPOSE, id, url) })
      .execute()
  })
  return id
}

/** Ends a subscription; its busy times are free again. Returns whether there was one. */
export async function removeFeed(hostId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('bookingFeeds').where('id', '=', id).where('hostId', '=', hostId).executeTakeFirst()
  announceBookings()
  return numDeletedRows > 0n
}

/** Reads a calendar now. A failure keeps the busy times of the last success. Undefined: there is no such subscription. */
export async function readFeed(
  id: string,
  fetchText: (url: string, bounds: typeof BOUNDS) => Promise<string> = fetchPublic,
): Promise<HostFeed | undefined> {
  const row = await db.selectFrom('bookingFeeds').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const outcome = await read(row, fetchText)
  const settled = await transaction((trx) => ('failure' in outcome ? noteFailure(trx, id, outcome.failure) : keepTimes(trx, id, outcome)))
  announceBookings()
  return settled && toFeed(settled)
}

type FeedRow = Row<'bookingFeeds'>

const PURPOSE = 'booking-feed'

function addressOf({ id, urlSealed }: FeedRow): string {
  return unseal(PURPOSE, id, urlSealed).toString()
}

async function read(row: FeedRow, fetchText: typeof fetchPublic): Promise<BusyTimes | { failure: string }> {
  const host = (await listPossibleHosts()).find(({ id }) => id === row.hostId)
  if (!host) return { failure: 'Its host has left.' }
  const now = Date.now()
  const { zone, horizonDays } = host.rules
  const range = { zone, from: now - DAY, until: now + (horizonDays + 2) * DAY }
  try {
    return await readBusyTimes({ text: await fetchText(addressOf(row), BOUNDS), range, ownUids: callUid('') })
  } catch (error) {
    if (error instanceof FetchFailure || error instanceof BrokenCalendar) return { failure: error.message }
    throw error
  }
}

/** What the host has to know of a calendar that was read. Undefined: nothing. */
function noteOf({ skipped, unread, zones }: Omit<BusyTimes, 'spans'>): string | undefined {
  const events = unread.length > 0 ? `: ${unread.join('; ')}` : ''
  const notes = [
    ...(skipped > 0
      ? [`${skipped} ${skipped === 1 ? 'event' : 'events'} can’t be read${events}. Calls may be booked at the same time.`]
      : []),
    ...(zones.length > 0
      ? [`Unknown time zone: ${zones.join('; ')}. Its events are busy both in your time zone and in UTC, or with and without summer time.`]
      : []),
  ]
  return notes.length > 0 ? notes.join(' ') : undefined
}

async function keepTimes(trx: Trx, id: string, { spans, ...rest }: BusyTimes): Promise<FeedRow | undefined> {
  const note = noteOf(rest) ?? null
  const now = new Date()
  // Also the lock against a second reading at the same time.
  const feed = await trx
    .updateTable('bookingFeeds')
    .set({ state: 'ok', lastTriedAt: now, lastSuccessAt: now, lastError: note })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!feed) return undefined
  await trx.deleteFrom('bookingBusy').where('feedId', '=', id).execute()
  const rows = spans.map(({ from, until }) => ({
    id: newId(),
    hostId: feed.hostId,
    feedId: id,
    startsAt: new Date(from),
    endsAt: new Date(until),
  }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await trx
      .insertInto('bookingBusy')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  return feed
}

/** A statement has at most 65,535 parameters. */
const ROWS_AT_ONCE = 5000

/** Tells the host once for each time that it begins to fail. */
async function noteFailure(trx: Trx, id: string, reason: string): Promise<FeedRow | undefined> {
  const before = await trx.selectFrom('bookingFeeds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) return undefined
  if (before.state !== 'failing') {
    const since = before.lastSuccessAt ?? before.createdAt
    await notify(trx, {
      kind: 'booking',
      title: 'A calendar of yours can’t be read',
      body: `${before.label}: ${reason} Its last busy times still count.`,
      link: '/admin/calendar?tab=calendars',
      subjectId: id,
      dedupeKey: `booking_feed:${id}:${since.toISOString()}`,
      to: { userIds: [before.hostId] },
    })
  }
  return trx
    .updateTable('bookingFeeds')
    .set({ state: 'failing', lastTriedAt: new Date(), lastError: reason })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

function toFeed(row: FeedRow): HostFeed {
  const { id, label, state, lastTriedAt, lastSuccessAt, lastError, createdAt } = row
  const since = lastSuccessAt ?? createdAt
  return {
    id,
    label,
    server: new URL(addressOf(row)).host,
    state,
    lastTriedAt: lastTriedAt?.toISOString() ?? null,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    note: lastError,
    isStale: state === 'failing' && since.getTime() < Date.now() - DAY,
  }
}

const FEED_JOB = 'booking.feed'

// A calendar that fails is read again with the next round, not by repeats of the job.
defineJob(FEED_JOB, z.object({ id: z.string() }), async ({ id }) => void (await readFeed(id)), { keepDays: 1 })

defineJob(
  'booking.feeds',
  z.unknown(),
  async (_nothing, { id: round }) => {
    const feeds = await db.selectFrom('bookingFeeds').select('id').execute()
    const jobs = feeds.map(({ id }) => ({ kind: FEED_JOB, payload: { id }, dedupeKey: `${FEED_JOB}:${id}:${round}` }))
    if (jobs.length > 0) await enqueue(db, ...jobs)
  },
  { every: 'quarter', keepDays: 1 },
)
