import { db } from '#app/platform/database/db.server.ts'
import type { Booking } from './booking.server.ts'
import { changeableUntil } from './booking.server.ts'
import { findBookingSettings, type Host, listPossibleHosts } from './host.server.ts'
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
  const [settings, hosts] = await Promise.all([findBookingSettings(), listPossibleHosts()])
  const host = hosts.find(({ id }) => id === booking.hostId)
  const { status, guestZone, place, name, email, company, phone, projectDescription, answers, sequence } = booking
  const until = changeableUntil(booking, settings)
  return {
    ...toReceipt(booking),
    isEmailed: booking.guestEmailed,
    status,
    title: settings.title,
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
  const hosts = await listPossibleHosts()
  return rows.map((row) => toStaffBooking(row, hosts))
}

/** One call, unless it is only held. */
export async function findStaffBooking(id: string): Promise<StaffBooking | undefined> {
  const row = await db.selectFrom('bookings').selectAll().where('id', '=', id).where('status', '<>', 'held').executeTakeFirst()
  return row && toStaffBooking(row, await listPossibleHosts())
}

/** A booking for staff. */
export function toStaffBooking(booking: Booking, hosts: readonly Host[]): StaffBooking {
  const host = hosts.find(({ id }) => id === booking.hostId)
  const { id, reference, source, isVerified, status, place, name, email, company, phone, projectDescription, answers } = booking
  const { contactId, consultationId, sequence, changedBy, changeReason } = booking
  return {
    id,
    reference,
    source,
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
