import type { Handle } from '#app/access.server.ts'
import { findBookingByToken } from '#app/booking/booking.server.ts'
import { describeBooking } from '#app/booking/booking-view.server.ts'
import { icsOf } from '#app/booking/calendar/ics.ts'
import { LINK_COMES } from '#app/booking/rules/place.ts'
import { callUid } from '#app/booking/invitation.server.ts'
import { senderAddress } from '#app/mail/outbox.server.ts'
import { identity } from '#app/content/identity.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Route } from './+types/call-file.page.ts'

export const handle = { access: 'public' } satisfies Handle

/** A booked call as a file for any calendar. */
export async function loader({ params: { token } }: Route.LoaderArgs) {
  const booking =
    (await findBookingByToken(token)) ?? stop('notFound', 'This link doesn’t lead to a booking. Use the one in our latest email.')
  const call = await describeBooking(booking)
  const text = icsOf({
    uid: callUid(call.id),
    sequence: call.sequence,
    method: 'PUBLISH',
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    zone: call.timeZone,
    title: `${call.title}: ${identity.name}`,
    description: [call.place ? '' : `${LINK_COMES}.`, call.reference, call.manageUrl].filter(Boolean).join('\n'),
    place: call.place,
    organizer: { name: identity.name, email: senderAddress() },
    createdAt: booking.bookedAt ?? booking.createdAt,
    updatedAt: booking.updatedAt,
    status: call.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED',
  })
  return new Response(text, {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="call.ics"',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  })
}
