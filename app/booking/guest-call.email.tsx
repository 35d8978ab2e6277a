import { isPlainName } from '#app/leads/lead/plain-name.ts'
import { defineEmail, type EmailText } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, FinePrint, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { durationText } from '#app/platform/time/duration.ts'
import type { GuestCallData } from './call-event.ts'
import { callInvitation, callsWithdrawal, type Invitation } from './invitation.server.ts'
import { callTime } from './rules/call-time.ts'
import { LINK_COMES } from './rules/place.ts'

/*
 * Anyone can type any address, so these emails repeat nothing of what was typed, except a name that cannot be anything else.
 */

const secret = { secret: true }
/** Of no use once the call has begun. */
const untilCall = { ...secret, expiresAt: ({ startsAt }: GuestCallData) => new Date(startsAt) }

type CallReminder = GuestCallData & { hours: number }
type CallProposal = GuestCallData & { proposed: string; proof: string }

export const guestBookedEmail = defineEmail<GuestCallData>(
  'call-booked',
  (call) => ({
    subject: `Your call is booked: ${callTime(call.startsAt, call.guestZone)}`,
    preview: `With ${call.host.name}. Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>Your call is booked</EmailHeading>
        <Paragraph>
          {call.changedBy === 'staff' ? 'We booked this call for you.' : greeting(call)} We look forward to talking to you.
        </Paragraph>
        <CallFacts call={call} />
        <Ways call={call} />
        <FinePrint>
          {call.changedBy === 'staff'
            ? 'If the time does not suit you, choose another one with the button.'
            : 'If you did not book this call, someone mistyped an address. Ignore this email, or cancel the call with the button.'}
        </FinePrint>
      </>
    ),
    calendar: toGuest(call),
  }),
  secret,
)

export const guestChangedEmail = defineEmail<GuestCallData>(
  'call-changed',
  (call) => ({
    subject: `Your call has changed: ${callTime(call.startsAt, call.guestZone)}`,
    preview: `Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>Your call has changed</EmailHeading>
        <Paragraph>
          {call.changedBy === 'guest' ? 'As you asked, the call has moved.' : 'We had to change the call. Does it still suit you?'}
        </Paragraph>
        <CallFacts call={call} />
        <Ways call={call} />
      </>
    ),
    calendar: toGuest(call),
  }),
  secret,
)

/** Keeps the promise of a link, as soon as the host has set the place. */
export const guestPlacedEmail = defineEmail<GuestCallData>(
  'call-placed',
  (call) => ({
    subject: `Where your call takes place: ${callTime(call.startsAt, call.guestZone)}`,
    preview: `${call.place}. Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>Where your call takes place</EmailHeading>
        <CallFacts call={call} />
        <Ways call={call} />
      </>
    ),
    calendar: toGuest(call),
  }),
  untilCall,
)

export const guestCancelledEmail = defineEmail<GuestCallData>(
  'call-cancelled',
  (call): EmailText => ({
    subject: `Your call is cancelled: ${callTime(call.startsAt, call.guestZone)}`,
    preview: `Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>Your call is cancelled</EmailHeading>
        <Paragraph>{call.changedBy === 'guest' ? 'As you asked, we have cancelled the call.' : 'We had to cancel the call.'}</Paragraph>
        <CallFacts call={call} isCancelled />
        <Action href={bookUrl(call)}>Book another time</Action>
      </>
    ),
    calendar: toGuest(call, { isCancelled: true }),
  }),
  secret,
)

/** Calls of one guest that staff cancelled together. */
export const guestCallsCancelledEmail = defineEmail<{ calls: GuestCallData[] }>(
  'calls-cancelled',
  ({ calls }): EmailText => ({
    subject: calls.length === 1 ? 'Your call is cancelled' : `Your ${calls.length} calls are cancelled`,
    preview: 'We had to cancel them.',
    body: (
      <>
        <EmailHeading>{calls.length === 1 ? 'Your call is cancelled' : 'Your calls are cancelled'}</EmailHeading>
        <Paragraph>We had to cancel what was booked with your address.</Paragraph>
        <Facts
          rows={[
            ...calls.map((call): [string, string] => [call.reference, callTime(call.startsAt, call.guestZone)]),
            ['Reason', calls[0]?.reason ?? null],
          ]}
        />
      </>
    ),
    calendar: callsWithdrawal(calls.map((call) => ({ call, invitation: guestInvitation(call, true) }))),
  }),
  secret,
)

export const guestReminderEmail = defineEmail<CallReminder>(
  'call-reminder',
  (call) => ({
    subject: `Your call is ${call.hours === 1 ? 'in an hour' : 'tomorrow'}: ${callTime(call.startsAt, call.guestZone)}`,
    preview: `With ${call.host.name}. Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>{call.hours === 1 ? 'Your call is in an hour' : 'Your call is tomorrow'}</EmailHeading>
        <CallFacts call={call} />
        <Ways call={call} />
      </>
    ),
  }),
  untilCall,
)

export const guestProposalEmail = defineEmail<CallProposal>(
  'call-proposal',
  (call) => ({
    subject: `Could we move your call to ${callTime(call.proposed, call.guestZone)}?`,
    preview: `Nothing changes unless you agree. Reference ${call.reference}.`,
    body: (
      <>
        <EmailHeading>Would another time suit you?</EmailHeading>
        <Paragraph>We would like to move your call. It stays where it is unless you agree.</Paragraph>
        <Facts
          rows={[
            ['Booked', callTime(call.startsAt, call.guestZone)],
            ['Proposed', callTime(call.proposed, call.guestZone)],
            ['Reason', call.reason],
            ['Reference', call.reference],
          ]}
        />
        <Action href={`${call.manageUrl}?${new URLSearchParams({ to: call.proposed, proposal: call.proof })}`}>Look at the new time</Action>
      </>
    ),
  }),
  untilCall,
)

type CallTimes = {
  email: string
  title: string
  minutes: number
  host: string | null
  zone: string
  times: { startsAt: string; url: string }[]
  note: string | null
  bookUrl: string
}

/** Times for a call that is not booked yet. Staff wrote the note. */
export const guestTimesEmail = defineEmail<CallTimes>(
  'call-times',
  ({ title, minutes, host, zone, times, note, bookUrl }) => ({
    subject: times.length === 1 ? 'A time for our call' : `${times.length} times for our call`,
    preview: times.map(({ startsAt }) => callTime(startsAt, zone)).join(', '),
    body: (
      <>
        <EmailHeading>When shall we talk?</EmailHeading>
        {note && <Paragraph>{note}</Paragraph>}
        <Paragraph>
          {title}, {minutes} minutes{host && ` with ${host}`}. Choose the time that suits you:
        </Paragraph>
        {times.map(({ startsAt, url }) => (
          <Action key={startsAt} href={url}>
            {callTime(startsAt, zone)}
          </Action>
        ))}
        <Paragraph>
          None of them? <TextLink href={bookUrl}>Choose another time</TextLink>.
        </Paragraph>
        <FinePrint>We do not hold these times. One that someone else books first says so, and offers the nearest free ones.</FinePrint>
      </>
    ),
  }),
  { ...secret, expiresAt: ({ times }) => new Date(times.at(-1)?.startsAt ?? Date.now()) },
)

export const guestMissedEmail = defineEmail<GuestCallData>(
  'call-missed',
  (call) => ({
    subject: `We missed you. Another time? (${call.reference})`,
    preview: 'Book another time that suits you.',
    body: (
      <>
        <EmailHeading>We missed you</EmailHeading>
        <Paragraph>
          We could not reach you for the call on {callTime(call.startsAt, call.guestZone)}. Another time may suit you better.
        </Paragraph>
        <Action href={bookUrl(call)}>Book another time</Action>
      </>
    ),
  }),
  secret,
)

export const guestNewLinkEmail = defineEmail<GuestCallData>(
  'call-new-link',
  (call) => ({
    subject: `The new link for your call (${call.reference})`,
    preview: 'The former link no longer works.',
    body: (
      <>
        <EmailHeading>Your new link</EmailHeading>
        <Paragraph>Someone with the former link asked for a new one. The former link no longer works.</Paragraph>
        <CallFacts call={call} />
        <Ways call={call} />
      </>
    ),
  }),
  secret,
)

function CallFacts({ call, isCancelled = false }: { call: GuestCallData; isCancelled?: boolean }) {
  return (
    <Facts
      rows={[
        ['Call', call.title],
        ['When', callTime(call.startsAt, call.guestZone)],
        ['Before', call.formerly && call.formerly !== call.startsAt ? callTime(call.formerly, call.guestZone) : null],
        ['With', call.host.name],
        ['Where', call.place || (isCancelled ? null : LINK_COMES)],
        ['Reason', call.changedBy === 'staff' ? call.reason : null],
        ['Reference', call.reference],
      ]}
    />
  )
}

function Ways({ call }: { call: GuestCallData }) {
  return (
    <>
      <Action href={call.manageUrl}>Change or cancel</Action>
      {call.changeWindowMinutes > 0 && (
        <FinePrint>You can change or cancel until {durationText(call.changeWindowMinutes * 60, Math.round)} before the call.</FinePrint>
      )}
    </>
  )
}

function greeting({ guest }: GuestCallData): string {
  return isPlainName(guest.name) ? `Thank you, ${guest.name}.` : 'Thank you.'
}

function bookUrl({ manageUrl }: GuestCallData): string {
  return new URL('/book', manageUrl).href
}

function toGuest(call: GuestCallData, { isCancelled = false } = {}) {
  return callInvitation(call, guestInvitation(call, isCancelled))
}

function guestInvitation(call: GuestCallData, isCancelled: boolean): Invitation {
  const name = isPlainName(call.guest.name) ? call.guest.name : call.guest.email
  return {
    zone: call.guestZone,
    attendee: { name, email: call.guest.email },
    title: `${call.title} with ${call.host.name}`,
    description: `${call.place || isCancelled ? '' : `${LINK_COMES}. `}Reference ${call.reference}. Change or cancel: ${call.manageUrl}`,
    isCancelled,
  }
}
