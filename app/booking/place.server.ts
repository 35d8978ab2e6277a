import { sql } from 'kysely'
import { breaks } from '#app/platform/database/database-error.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { durationText } from '#app/platform/time/duration.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { findCallType, hostFor } from './call-type.server.ts'
import { type Host, listHosts } from './host.server.ts'
import { NO_CALLS } from './rules/booking.ts'
import { blockedBy } from './rules/free-slots.ts'
import type { CallType } from './rules/hours.ts'
import { findFreeSlots, nearestSlots, type SlotChoice } from './slots.server.ts'

/** Any number that no other lock of the installation has. */
const PLACES_LOCK = 1_467_511_419

/** Thrown inside a transaction, so that nothing of it stays. */
class SlotTaken extends Error {}

/** A time with the host who takes the call there. */
export type Place = { host: Host; callType: CallType; startsAt: Date; endsAt: Date; blockedFrom: Date; blockedUntil: Date }

/** How a transaction finds its place. */
export type Places = {
  trx: Trx
  callType: CallType
  hosts: readonly Host[]
  /** The place for a call, by the rules of the hosts. Ends the transaction when the time is not free. */
  take: (startsAt: Date, wish?: PlaceWish) => Promise<Place>
}

/** `preferred` is the host who takes the call if they are free. */
type PlaceWish = SlotChoice & { preferred?: string | null; lengthMinutes?: number }

/**
 * Runs a transaction that gives away a time. They run one after the other, so the daily cap and the choice of the host hold too; the
 * constraint of the table is the last word. Stops with `slot_taken` and the nearest free times when the time went to another.
 */
export async function inPlace<T>(startsAt: Date, choice: SlotChoice, work: (places: Places) => Promise<T>): Promise<T> {
  try {
    return await transaction(async (trx) => {
      await waitForPlaces(trx)
      await trx.deleteFrom('bookings').where('status', '=', 'held').where('heldUntil', '<=', new Date()).execute()
      const callType = await findCallType(choice.callTypeId, trx)
      const hosts = await listHosts(trx)
      return work({ trx, callType, hosts, take: (moment, how = {}) => takePlace({ trx, callType, hosts }, moment, how) })
    })
  } catch (error) {
    if (!(error instanceof SlotTaken) && !breaks(error, 'bookings_no_overlap')) throw error
    return refuseTaken(startsAt, choice)
  }
}

/** Until this transaction ends, no other one gives a time away. */
export async function waitForPlaces(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${PLACES_LOCK}::bigint)`.execute(trx)
}

async function refuseTaken(startsAt: Date, choice: SlotChoice): Promise<never> {
  const [alternatives, callType, hosts] = await Promise.all([
    nearestSlots(startsAt.getTime(), choice),
    findCallType(choice.callTypeId),
    listHosts(),
  ])
  const theirs = hosts.map((host) => hostFor(callType, host))
  stop('conflict', whyTaken(startsAt.getTime(), theirs, Date.now()), {
    code: 'slot_taken',
    alternatives: alternatives.map((slot) => ({ startsAt: new Date(slot.startsAt).toISOString() })),
  })
}

/** The reason for which a time is not free, as far as the hosts' rules give one. */
function whyTaken(startsAt: number, hosts: readonly Host[], now: number): string {
  if (hosts.length === 0) return NO_CALLS
  if (startsAt <= now) return 'This time has passed.'
  const notice = Math.min(...hosts.map(({ rules }) => rules.noticeMinutes))
  if (startsAt < now + notice * MINUTE) return `This time is too soon: we need ${durationText(notice * 60, Math.round)} of notice.`
  const horizon = Math.max(...hosts.map(({ rules }) => rules.horizonDays))
  return startsAt > now + horizon * DAY ? `We take calls at most ${horizon} days ahead.` : TAKEN
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const TAKEN = 'This time was just taken.'

type Search = Pick<Places, 'trx' | 'callType' | 'hosts'>

async function takePlace(
  { trx, callType, hosts }: Search,
  startsAt: Date,
  { preferred, lengthMinutes = callType.lengthMinutes, ...choice }: PlaceWish,
): Promise<Place> {
  const asked = { ...callType, lengthMinutes }
  const range = { from: startsAt.getTime(), until: startsAt.getTime() + 1 }
  const [slot] = await findFreeSlots(trx, { callType: asked, hosts, range, choice, now: Date.now() })
  if (!slot) throw new SlotTaken()
  const free = hosts.filter(({ id }) => slot.hostIds.includes(id))
  const host = free.find(({ id }) => id === preferred) ?? (await leastRecent(trx, free))
  return placeAt(startsAt, asked, host)
}

/** The place of a call with a host, whether or not it is free. */
export function placeAt(startsAt: Date, callType: CallType, ownHost: Host): Place {
  const host = hostFor(callType, ownHost)
  const blocked = blockedBy(startsAt.getTime(), callType.lengthMinutes, host.rules)
  return {
    host,
    callType,
    startsAt,
    endsAt: new Date(startsAt.getTime() + callType.lengthMinutes * 60_000),
    blockedFrom: new Date(blocked.from),
    blockedUntil: new Date(blocked.until),
  }
}

/** The one whose latest call is the longest ago, so that calls go round. */
async function leastRecent(trx: Trx, hosts: readonly Host[]): Promise<Host> {
  const latest = await trx
    .selectFrom('bookings')
    .select((row) => ['hostId', row.fn.max('startsAt').as('startsAt')])
    .where(
      'hostId',
      'in',
      hosts.map(({ id }) => id),
    )
    .where('status', 'in', ['booked', 'completed', 'no_show'])
    .groupBy('hostId')
    .execute()
  const callOf = ({ id }: Host) => latest.find(({ hostId }) => hostId === id)?.startsAt.getTime() ?? 0
  const [first] = hosts.toSorted((one, other) => callOf(one) - callOf(other))
  if (!first) throw new SlotTaken()
  return first
}
