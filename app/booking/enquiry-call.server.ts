import { db } from '#app/platform/database/db.server.ts'
import { manageUrl } from './manage-link.server.ts'
import { callTime } from './rules/call-time.ts'

/** A call as the page of its enquiry shows it. */
export type EnquiryCall = { bookedAt: Date | null; time: string; isOver: boolean; manage: string }

/** The latest call that was booked about an enquiry and is not cancelled. */
export async function findCallOfEnquiry(contactId: string): Promise<EnquiryCall | undefined> {
  const booking = await db
    .selectFrom('bookings')
    .selectAll()
    .where('contactId', '=', contactId)
    .where('status', 'in', ['booked', 'completed', 'no_show'])
    .orderBy('startsAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!booking) return undefined
  return {
    bookedAt: booking.bookedAt,
    time: callTime(booking.startsAt, booking.guestZone ?? 'UTC'),
    isOver: booking.endsAt.getTime() < Date.now(),
    manage: new URL(manageUrl(booking)).pathname,
  }
}
