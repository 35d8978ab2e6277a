import { db } from '#app/platform/database/db.server.ts'
import type { Booking } from './booking.server.ts'
import { changeableUntil } from './booking.server.ts'
import { findCallType, readCallTypes } from './call-type.server.ts'
import { listPossibleHosts } from './host.server.ts'
import { manageUrl } from './manage-link.server.ts'
import type { BookingReceipt, GuestBooking, StaffBooking } from './rules/booking.ts'

/** The receipt of a booking for its guest. */
export function toReceipt(booking: Booking): BookingReceipt {
  const { id, reference, startsAt, endsAt } = booking
  return {
    id,
    reference: reference ?? '',
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    manageUrl: manageUrl(booking),
  }
}

/** A booking for its guest. */
export async function describeBooking(booking: Booking): Promise<GuestBooking> {
  const [callType, hosts] = await Promise.all([findCallType(booking.callTypeId), listPossibleHosts()])
  const host = hosts.find(({ id }) => id === booking.hostId)
  const { status, guestZone, place, name, email, company, phone, projectDescription, answers, sequence } = booking
  const until = changeableUntil(booking, callType)
  return {
    ...toReceipt(booking),
    isEmailed: booking.guestEmailed,
    status,
    title: callType.title,
    timeZone: guestZone ?? 'UTC',
    host: { name: host?.name ?? '', timeZone: host?.rules.zone ?? 'UTC' },
    place,
    name: name ?? '',
    email: email ?? '',
    company,
    phone,
    projectDescription: projectDescription ?? '',
    answers,
    sequence,
    changeableUntil: until.toISOString(),
    isChangeable: status === 'booked' && Date.now() <= until.getTime(),
  }
}

/** The filters of the staff's list: calls that begin in a range, of one host, or of one enquiry. */
export type BookingFilter = {
  from?: Date | undefined
  until?: Date | undefined
  hostId?: string | undefined
  contactId?: string | undefined
  withCancelled?: boolean
}

const MOST_LISTED = 500

/** Calls in order of their time, without holds. */
export async function listBookings({ from, until, hostId, contactId, withCancelled = false }: BookingFilter): Promise<StaffBooking[]> {
  const rows = await db
    .selectFrom('bookings')
    .selectAll()
    .where('status', 'in', withCancelled ? ['booked', 'completed', 'no_show', 'cancelled'] : ['booked', 'completed', 'no_show'])
    .$if(from !== undefined, (query) => query.where('endsAt', '>', from ?? new Date()))
    .$if(until !== undefined, (query) => query.where('startsAt', '<', until ?? new Date()))
    .$if(hostId !== undefined, (query) => query.where('hostId', '=', hostId ?? ''))
    .$if(contactId !== undefined, (query) => query.where('contactId', '=', contactId ?? ''))
    .orderBy('startsAt')
    .limit(MOST_LISTED)
    .execute()
  return describeForStaff(rows)
}

/** One call, unless it is only held. */
export async function findStaffBooking(id: string): Promise<StaffBooking | undefined> {
  const row = await db.selectFrom('bookings').selectAll().where('id', '=', id).where('status', '<>', 'held').executeTakeFirst()
  return row && toStaffBooking(row)
}

/** A booking for staff. */
export async function toStaffBooking(booking: Booking): Promise<StaffBooking> {
  const [described] = await describeForStaff([booking])
  if (!described) throw new Error('A booking was not described.')
  return described
}

async function describeForStaff(bookings: readonly Booking[]): Promise<StaffBooking[]> {
  const [hosts, typeOf] = await Promise.all([listPossibleHosts(), readCallTypes()])
  return bookings.map((booking) => describe(booking, hosts, typeOf(booking.callTypeId).title))
}

function describe(booking: Booking, hosts: readonly { id: string; name: string }[], title: string): StaffBooking {
  const host = hosts.find(({ id }) => id === booking.hostId)
  const { id, reference, source, isVerified, status, place, name, email, company, phone, projectDescription, answers } = booking
  const { contactId, consultationId, sequence, changedBy, changeReason } = booking
  return {
    id,
    reference,
    source,
    title: source === 'site' ? title : null,
    isVerified,
    status,
    place,
    name,
    email,
    company,
    phone,
    projectDescription,
    answers,
    contactId,
    consultationId,
    sequence,
    changedBy,
    changeReason,
    startsAt: booking.startsAt.toISOString(),
    endsAt: booking.endsAt.toISOString(),
    timeZone: booking.guestZone,
    host: booking.hostId ? { id: booking.hostId, name: host?.name ?? '' } : null,
    createdAt: booking.createdAt.toISOString(),
  }
}
