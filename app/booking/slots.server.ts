import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { onBookingsChange } from './booking-signal.server.ts'
import { findCallType, hostFor } from './call-type.server.ts'
import { type Host, listHosts } from './host.server.ts'
import { freeSlots, type HostDay, type Slot, type TimeSpan } from './rules/free-slots.ts'
import type { CallType } from './rules/hours.ts'

const DAY = 24 * 3_600_000

/** Longer than any call with its buffers and a day of a host's zone: what blocks a slot begins or ends within this distance. */
const MARGIN = 2 * DAY

/** Which free times are asked for. */
export type SlotChoice = {
  /** Bookings that do not count as taken: the asker's own. */
  except?: readonly string[]
  /** The call type; without one, the first. */
  callTypeId?: string | null | undefined
  /** Times of this host only. */
  hostId?: string | undefined
}

/** A free time with its text for programs: ISO 8601. */
type WrittenSlot = Slot & { written: { startsAt: string; endsAt: string } }

const MOST_DAYS = 62

/** The range that a request asks for, if it is not too long. */
export function rangeOf(from: string, to: string): TimeSpan {
  const range = { from: Date.parse(from), until: Date.parse(to) }
  if (range.until - range.from > MOST_DAYS * DAY) stop('unprocessable', `Ask for at most ${MOST_DAYS} days.`, { code: 'validation_failed' })
  return range
}

/** Free times that begin in the range, in order: at most a second old. The transaction that takes one looks itself. */
export async function listSlots(range: TimeSpan, choice: SlotChoice = {}): Promise<WrittenSlot[]> {
  const now = Date.now()
  if (choice.hostId === undefined && (choice.except ?? []).length === 0)
    return (await slotsOfAll(choice.callTypeId ?? '', now)).filter(
      ({ startsAt }) => startsAt >= Math.max(range.from, now) && startsAt < range.until,
    )
  return searchSlots(range, choice, now)
}

/** Searching 60 days of several hosts takes ten times as long as sending the result. */
const FRESH_MS = 1000
/** By the call type. */
const found = new Map<string, { slots: Promise<WrittenSlot[]>; at: number; isAsked: boolean }>()

/** The free times of everyone, searched once for all who ask until something changes: calls, holds or hours, or the clock. */
function slotsOfAll(callTypeId: string, now: number): Promise<WrittenSlot[]> {
  const known = found.get(callTypeId)
  const current = known && Math.abs(now - known.at) < FRESH_MS ? known : searchForAll(callTypeId, now)
  current.isAsked = true
  return current.slots
}

function searchForAll(callTypeId: string, now: number) {
  const searched = { slots: searchSlots({ from: now, until: Infinity }, { callTypeId }, now), at: now, isAsked: false }
  found.set(callTypeId, searched)
  searched.slots.catch(() => {
    if (found.get(callTypeId) === searched) found.delete(callTypeId)
  })
  return searched
}

// While visitors ask, the next search begins with the change and not with the next visitor.
onBookingsChange(() => {
  const asked = [...found].filter(([, { isAsked }]) => isAsked)
  found.clear()
  for (const [callTypeId] of asked) searchForAll(callTypeId, Date.now())
})

async function searchSlots(range: TimeSpan, choice: SlotChoice, now: number): Promise<WrittenSlot[]> {
  const [callType, hosts] = await Promise.all([findCallType(choice.callTypeId), listHosts()])
  const slots = await findFreeSlots(db, { callType, hosts, range, choice, now })
  return slots.map((slot) => ({ ...slot, written: { startsAt: iso(slot.startsAt), endsAt: iso(slot.endsAt) } }))
}

function iso(moment: number): string {
  return new Date(moment).toISOString()
}

type SlotSearch = { callType: CallType; hosts: readonly Host[]; range: TimeSpan; choice: SlotChoice; now: number }

/** The same with loaded settings, also inside a transaction. */
export async function findFreeSlots(connection: Database | Trx, search: SlotSearch): Promise<Slot[]> {
  const { callType, hosts, choice, now } = search
  const asked = hosts.filter(({ id }) => choice.hostId === undefined || id === choice.hostId).map((host) => hostFor(callType, host))
  const range = clamp(search.range, now, asked)
  if (range.until <= range.from) return []
  return freeSlots(await readHosts(connection, asked, { range, choice, now }), callType, range, now)
}

const NEAREST = 3
/** One after the other: the first is nearly always enough, and quick to search. */
const SEARCHED_DAYS = [1, 4, 366]

/** The free times closest to one that is taken, in order. */
export async function nearestSlots(startsAt: number, choice: SlotChoice = {}, now = Date.now()): Promise<Slot[]> {
  const [callType, hosts] = await Promise.all([findCallType(choice.callTypeId), listHosts()])
  for (const days of SEARCHED_DAYS) {
    const range = { from: startsAt - days * DAY, until: startsAt + days * DAY }
    const slots = await findFreeSlots(db, { callType, hosts, range, choice, now })
    const others = slots.filter((slot) => slot.startsAt !== startsAt)
    if (others.length < NEAREST && days !== SEARCHED_DAYS.at(-1)) continue
    const distance = (slot: Slot) => Math.abs(slot.startsAt - startsAt)
    const nearest = others.toSorted((one, other) => distance(one) - distance(other)).slice(0, NEAREST)
    return nearest.toSorted((one, other) => one.startsAt - other.startsAt)
  }
  return []
}

/** Nothing is free in the past or beyond the horizons, however far a request asks. */
function clamp({ from, until }: TimeSpan, now: number, hosts: readonly Host[]): TimeSpan {
  const horizon = Math.max(0, ...hosts.map(({ rules }) => rules.horizonDays))
  return { from: Math.max(from, now), until: Math.min(until, now + horizon * DAY + 1) }
}

type Reading = { range: TimeSpan; choice: SlotChoice; now: number }

async function readHosts(connection: Database | Trx, hosts: readonly Host[], { range, choice, now }: Reading): Promise<HostDay[]> {
  if (hosts.length === 0) return []
  const ids = hosts.map(({ id }) => id)
  const [from, until] = [new Date(range.from - MARGIN), new Date(range.until + MARGIN)]
  const isTheirs = sql`host_id = ANY (${ids}::uuid[])`
  const isOther = sql`id <> ALL (${choice.except ?? []}::uuid[])`
  const isAlive = sql`(status IN ('booked', 'completed', 'no_show') OR (status = 'held' AND held_until > ${new Date(now)}))`
  const [overrides, calls, busy] = await Promise.all([
    connection
      .selectFrom('bookingOverrides')
      .select(['hostId', 'onDate', 'spans'])
      .where('hostId', 'in', ids)
      .where('onDate', '>=', from.toISOString().slice(0, 10))
      .where('onDate', '<=', until.toISOString().slice(0, 10))
      .execute(),
    queryRows(
      connection,
      { hostId: z.string(), starts: millis, froms: millis, untils: millis },
      sql`SELECT host_id, ${all('starts_at')} AS starts, ${all('blocked_from')} AS froms, ${all('blocked_until')} AS untils FROM bookings
        WHERE ${isTheirs} AND ${isOther} AND ${isAlive} AND starts_at >= ${from} AND starts_at < ${until} GROUP BY host_id`,
    ),
    queryRows(
      connection,
      { hostId: z.string(), froms: millis, untils: millis },
      sql`SELECT host_id, ${all('starts_at')} AS froms, ${all('ends_at')} AS untils FROM booking_busy
        WHERE ${isTheirs} AND ends_at > ${from} AND starts_at < ${until} GROUP BY host_id`,
    ),
  ])
  return hosts.map(({ id, rules }) => ({
    id,
    rules,
    overrides: new Map(overrides.filter(({ hostId }) => hostId === id).map(({ onDate, spans }) => [onDate, spans])),
    calls: spansOf(calls, id, ({ starts, froms, untils }, at) => ({
      startsAt: starts[at] ?? NaN,
      from: froms[at] ?? NaN,
      until: untils[at] ?? NaN,
    })),
    busy: spansOf(busy, id, ({ froms, untils }, at) => ({ from: froms[at] ?? NaN, until: untils[at] ?? NaN })),
  }))
}

/** Instants in milliseconds since 1970, as JSON. */
const millis = z.array(z.number())

/** All values of a column, in the order of the others. A row for each host, and floating point, are several times cheaper than a row for each span. */
function all(column: string) {
  return sql`json_agg(date_part('epoch', ${sql.ref(column)}) * 1000)`
}

type OfHost = { hostId: string; froms: number[] }

function spansOf<Found extends OfHost, Span>(rows: readonly Found[], id: string, spanAt: (row: Found, at: number) => Span): Span[] {
  const row = rows.find(({ hostId }) => hostId === id)
  return row ? row.froms.map((_from, at) => spanAt(row, at)) : []
}
