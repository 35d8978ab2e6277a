import { identity } from '#app/content/identity.ts'
import { senderAddress } from '#app/mail/outbox.server.ts'
import type { Booking } from '#app/booking/booking.server.ts'
import { readCallTypes } from '#app/booking/call-type.server.ts'
import { type Host, listPossibleHosts } from '#app/booking/host.server.ts'
import { answerLines } from '#app/booking/call-event.ts'
import { callUid } from '#app/booking/invitation.server.ts'
import { hashOfToken } from '#app/booking/manage-link.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type CalendarEvent, subscriptionOf } from './ics.ts'
import { callLink } from '#app/booking/rules/booking.ts'

const KEPT_DAYS = 90
const MOST_CALLS = 2000

/** The calls of the host whose private address has this token, as a calendar to subscribe to. Undefined: the address leads nowhere. */
export async function calendarOfToken(token: string): Promise<string | undefined> {
  const found = await db.selectFrom('bookingHosts').select('userId').where('feedTokenHash', '=', hashOfToken(token)).executeTakeFirst()
  // An account that is banned or no longer staff is no host.
  const host = found && (await listPossibleHosts()).find(({ id }) => id === found.userId)
  if (!host) return undefined
  const typeOf = await readCallTypes()
  const calls = await db
    .selectFrom('bookings')
    .selectAll()
    .where('hostId', '=', host.id)
    .where('status', 'in', ['booked', 'completed', 'no_show'])
    .where('startsAt', '>', daysAgo(KEPT_DAYS))
    .orderBy('startsAt')
    .limit(MOST_CALLS)
    .execute()
  return subscriptionOf(
    `${identity.name}: calls`,
    calls.map((call) => eventOf(call, host, typeOf(call.callTypeId).title)),
  )
}

function eventOf(call: Booking, { rules }: Host, title: string): CalendarEvent {
  const { id, sequence, startsAt, endsAt, place, name, email, phone, company, projectDescription, answers, createdAt, updatedAt } = call
  const lines = [name, company, email, phone, projectDescription, ...answerLines(answers), env.SITE_URL + callLink(id)]
  return {
    uid: callUid(id),
    sequence,
    startsAt,
    endsAt,
    place,
    createdAt,
    updatedAt,
    zone: rules.zone,
    title: `${title}: ${name ?? ''}`,
    description: lines.filter(Boolean).join('\n'),
    organizer: { name: identity.name, email: senderAddress() },
    status: 'CONFIRMED',
  }
}
