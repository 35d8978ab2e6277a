import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '#app/auth/users/audit.server.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { advanceLead } from '#app/leads/lead/stage.server.ts'
import { manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { announceBookings } from './booking-signal.server.ts'
import { isZone } from '#app/platform/time/weekly-hours.ts'
import { emitBooking } from './booking-webhook.server.ts'
import type { SchedulerCall, SchedulerEvent } from './scheduler-event.ts'

type Booking = Row<'bookings'>

/** Older ones can be repeats of somebody who has overheard them. */
const MOST_AGE_MS = 5 * 60_000

/** Any number that no other lock of the installation has. */
const SCHEDULER_LOCK = 1_467_511_417

/** Whether a text carries the signature of our secret: HMAC-SHA256 in hexadecimal digits. */
export function isSigned(secret: string, text: string, signature: string): boolean {
  if (!/^[\da-f]{64}$/i.test(signature)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(text).digest(), Buffer.from(signature, 'hex'))
}

export function isRecent(at: Date): boolean {
  return Math.abs(Date.now() - at.getTime()) <= MOST_AGE_MS
}

/**
 * Notes what a scheduler tells of a booking. Events may come more than once and in any order: what is cancelled stays so, bookings that follow
 * one another share a consultation, and the result is always the same.
 */
export async function noteSchedulerEvent(event: SchedulerEvent): Promise<void> {
  await transaction(async (trx) => {
    await lockEvents(trx)
    const before = await find(trx, event.scheduler, event.externalId)
    const booking = before ? await renew(trx, before, event) : await create(trx, event)
    const relatives = [event.replaces, event.replacedBy].filter((id) => id !== null && id !== event.externalId)
    for (const id of relatives) await join(trx, booking, await findOrExpect(trx, event, id ?? '', id === event.replaces))
    await settleLink(trx, booking.id)
    const action = event.happened === 'cancelled' ? 'call_cancelled' : 'call_booked'
    const isNews = before?.status !== booking.status
    if (!isNews) return
    await audit(trx, action, { subjectId: booking.id, detail: { scheduler: event.scheduler } })
    await emitBooking(trx, event.happened, booking)
  })
  announceBookings()
  announceLeads()
}

/** A booking that the page of an embedded calendar has told of. It counts as unverified until the scheduler's webhook tells the same. */
export async function noteEmbeddedBooking(call: SchedulerCall): Promise<void> {
  await transaction(async (trx) => {
    await lockEvents(trx)
    const known = await trx
      .selectFrom('bookings')
      .select('id')
      .where('source', '<>', 'site')
      .where('email', '=', call.email)
      .where('startsAt', '=', call.startsAt)
      .executeTakeFirst()
    if (known) return
    const booking = await insertCall(trx, call, {
      source: 'embed',
      status: 'booked',
      isVerified: false,
      externalId: null,
      updatedAt: new Date(),
    })
    await settleLink(trx, booking.id)
  })
  announceBookings()
  announceLeads()
}

async function lockEvents(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${SCHEDULER_LOCK}::bigint)`.execute(trx)
}

async function find(trx: Trx, source: Booking['source'], externalId: string): Promise<Booking | undefined> {
  return trx.selectFrom('bookings').selectAll().where('source', '=', source).where('externalId', '=', externalId).executeTakeFirst()
}

/** The page of the embedded calendar may have told first: the same address at the same time is the same call. */
async function create(trx: Trx, { scheduler, externalId, happened, at, call, reason }: SchedulerEvent): Promise<Booking> {
  const status = happened === 'booked' ? ('booked' as const) : ('cancelled' as const)
  const adopted = await trx
    .updateTable('bookings')
    .set({
      source: scheduler,
      externalId,
      isVerified: true,
      status,
      ...timesOf(call),
      ...guestOf(call),
      changeReason: reason,
      updatedAt: at,
    })
    .where('source', '=', 'embed')
    .where('email', '=', call.email)
    .where('startsAt', '=', call.startsAt)
    .returningAll()
    .executeTakeFirst()
  return adopted ?? insertCall(trx, call, { source: scheduler, status, isVerified: true, externalId, updatedAt: at })
}

/** `updatedAt`: the time of the event, by the scheduler's clock. What is older than it changes no details. */
type Origin = Pick<Booking, 'source' | 'status' | 'isVerified' | 'externalId' | 'updatedAt'>

async function insertCall(trx: Trx, call: SchedulerCall, origin: Origin): Promise<Booking> {
  return insert(trx, 'bookings', { ...origin, ...timesOf(call), ...(await whoseCall(trx, call)), bookedAt: new Date() })
}

/** The person and the consultation of a call. */
async function whoseCall(trx: Trx, call: SchedulerCall, known: string | null = null) {
  const { guestZone, ...guest } = guestOf(call)
  const { id: personId } = await attachPerson(trx, guest)
  const consultation = known ? { id: known } : await insert(trx, 'consultations', { ...guest, source: 'booking', personId })
  return { ...guest, guestZone, personId, consultationId: consultation.id }
}

/** A later word about a booking: its details when only its id was known, and its end, which is final. */
async function renew(trx: Trx, before: Booking, { call, happened, at, reason }: SchedulerEvent): Promise<Booking> {
  const isExpected = before.email === null
  const isNewer = isExpected || at.getTime() >= before.updatedAt.getTime()
  // An older repeat changes nothing, and a statement must change something.
  if (!isNewer && happened !== 'cancelled') return before
  const details = isExpected ? await whoseCall(trx, call, before.consultationId) : isNewer ? guestOf(call) : {}
  return trx
    .updateTable('bookings')
    .set({
      ...details,
      ...(isNewer && { ...timesOf(call), updatedAt: at }),
      ...(happened === 'cancelled' && { status: 'cancelled' as const, changedBy: 'scheduler' as const, changeReason: reason }),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The booking before or after a change. The one before is over; its own event may still be on its way. */
async function findOrExpect(
  trx: Trx,
  { scheduler, call }: SchedulerEvent,
  externalId: string,
  isOver: boolean,
): Promise<Booking | undefined> {
  const found = await find(trx, scheduler, externalId)
  if (!isOver) return found
  if (found)
    return trx
      .updateTable('bookings')
      .set({ status: 'cancelled', changedBy: 'scheduler' })
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  return insert(trx, 'bookings', { source: scheduler, externalId, status: 'cancelled', changedBy: 'scheduler', ...timesOf(call) })
}

/** Both bookings are one consultation. Of two, the older one stays. */
async function join(trx: Trx, { id }: Booking, relative: Booking | undefined): Promise<void> {
  if (!relative) return
  const own = await trx.selectFrom('bookings').select('consultationId').where('id', '=', id).executeTakeFirstOrThrow()
  const both = [own.consultationId, relative.consultationId].filter((found) => found !== null).toSorted()
  const [kept, dropped] = [both[0], both.find((found) => found !== both[0])]
  if (!kept) return
  await trx
    .updateTable('bookings')
    .set({ consultationId: kept })
    .where((row) => row.or([row('id', 'in', [id, relative.id]), row('consultationId', '=', dropped ?? kept)]))
    .execute()
  if (dropped) await trx.deleteFrom('consultations').where('id', '=', dropped).execute()
}

/** While a call is ahead, its consultation is that of the person's latest enquiry, unless that has another one. */
async function settleLink(trx: Trx, id: string): Promise<void> {
  const booking = await trx.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { consultationId, personId } = booking
  if (!consultationId || !personId) return
  const alive = await trx
    .selectFrom('bookings')
    .select('id')
    .where('consultationId', '=', consultationId)
    .where('status', '=', 'booked')
    .execute()
  const contact = await trx
    .selectFrom('contacts')
    .select('id')
    .where('personId', '=', personId)
    .where('quarantinedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  const contactId = contact?.id ?? null
  await trx.updateTable('bookings').set({ contactId }).where('consultationId', '=', consultationId).execute()
  if (contactId && alive.length > 0) {
    if (booking.contactId !== contactId)
      await noteLeadEvent(trx, { contactId, kind: 'call_booked', detail: { startsAt: booking.startsAt.toISOString() } })
    await advanceLead(trx, contactId, 'call')
  }
  const taken =
    contactId &&
    (await trx
      .selectFrom('consultations')
      .select('id')
      .where('contactId', '=', contactId)
      .where('id', '<>', consultationId)
      .executeTakeFirst())
  const linked = alive.length > 0 && !taken ? contactId : null
  await trx.updateTable('consultations').set({ contactId: linked }).where('id', '=', consultationId).execute()
}

function timesOf({ startsAt, endsAt }: SchedulerCall) {
  return { startsAt, endsAt, blockedFrom: startsAt, blockedUntil: endsAt }
}

/** Their forms have no limits, ours do. */
function guestOf({ name, email, zone, phone, description }: SchedulerCall) {
  return {
    name: oneLine(name).slice(0, enquiryLimits.name) || email,
    email,
    phone: phone ? oneLine(phone).slice(0, 40) : null,
    projectDescription: manyLines(description).slice(0, enquiryLimits.message) || 'Booked in the calendar.',
    guestZone: zone && isZone(zone) ? zone : null,
  }
}
