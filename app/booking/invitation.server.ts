import { identity } from '#app/content/identity.ts'
import { senderAddress } from '#app/mail/outbox.server.ts'
import type { EmailCalendar } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type CalendarEvent, icsOf, withdrawalOf } from './calendar/ics.ts'
import type { CallData } from './call-event.ts'

type Invited = { name: string; email: string }
export type Invitation = { zone: string; attendee: Invited; title: string; description: string; isCancelled?: boolean }

/**
 * The calendar part of an email. Guest and host get the same event: one id, and a number that rises with each change, so that a calendar
 * replaces what it has.
 */
export function callInvitation(call: CallData, invitation: Invitation): EmailCalendar {
  const method = invitation.isCancelled ? 'CANCEL' : 'REQUEST'
  return { method, text: icsOf({ ...eventOf(call, invitation), method }) }
}

/** The calendar part of an email about calls that are cancelled together. */
export function callsWithdrawal(calls: readonly { call: CallData; invitation: Invitation }[]): EmailCalendar {
  return { method: 'CANCEL', text: withdrawalOf(calls.map(({ call, invitation }) => eventOf(call, { ...invitation, isCancelled: true }))) }
}

function eventOf(call: CallData, { zone, attendee, title, description, isCancelled = false }: Invitation): CalendarEvent {
  return {
    uid: callUid(call.id),
    sequence: call.sequence,
    startsAt: new Date(call.startsAt),
    endsAt: new Date(call.endsAt),
    zone,
    title,
    description,
    place: call.place,
    // Of the business: a program that finds its own user as the organizer shows no invitation.
    organizer: { name: identity.name, email: senderAddress() },
    attendee,
    createdAt: new Date(call.bookedAt),
    updatedAt: new Date(call.updatedAt),
    status: isCancelled ? 'CANCELLED' : 'CONFIRMED',
  }
}

/** The id of a call in every calendar, for its whole life. */
export function callUid(id: string): string {
  return `${id}@${new URL(env.SITE_URL).hostname}`
}
