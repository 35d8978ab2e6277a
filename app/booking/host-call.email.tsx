import { defineEmail, type EmailText } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, FinePrint, Paragraph, Quote, TextLink } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'
import { answerLines, type CallData } from './call-event.ts'
import { callInvitation, callsWithdrawal, type Invitation } from './invitation.server.ts'
import { HOURS_PAGE } from './rules/hours.ts'
import { callTime } from './rules/call-time.ts'
import { LINK_COMES } from './rules/place.ts'

/** `email` is the guest's, so that erasing a person finds the emails about them. */
type HostCall = CallData & { email: string }
type HostReminder = HostCall & { hours: number }

export const hostBookedEmail = defineEmail<HostCall>('host-call-booked', (call) => ({
  ...about(
    call,
    'Call booked',
    call.changedBy === 'staff'
      ? `A colleague or you booked a call with ${call.guest.name}.`
      : `${call.guest.name} has booked a call with you.`,
  ),
  calendar: toHost(call),
}))

export const hostChangedEmail = defineEmail<HostCall>('host-call-changed', (call) => ({
  ...about(call, 'Call changed', call.changedBy === 'guest' ? `${call.guest.name} has moved the call.` : 'The call has changed.'),
  calendar: toHost(call),
}))

export const hostCancelledEmail = defineEmail<HostCall>('host-call-cancelled', (call) => ({
  ...about(call, 'Call cancelled', call.changedBy === 'guest' ? `${call.guest.name} has cancelled the call.` : 'The call was cancelled.', {
    isOver: true,
  }),
  calendar: toHost(call, { isCancelled: true }),
}))

/** Calls of one guest that staff cancelled together. */
export const hostCallsCancelledEmail = defineEmail<{ email: string; calls: CallData[] }>('host-calls-cancelled', ({ email, calls }) => ({
  subject: `${calls.length === 1 ? 'Call' : `${calls.length} calls`} cancelled: ${email}`,
  preview: 'Their times are free again.',
  body: (
    <>
      <EmailHeading>{calls.length === 1 ? 'Call cancelled' : `${calls.length} calls cancelled`}</EmailHeading>
      <Paragraph>All upcoming calls with {email} were cancelled. Their times are free again.</Paragraph>
      <Facts
        rows={[
          ...calls.map((call): [string, string] => [call.reference, callTime(call.startsAt, call.host.zone)]),
          ['Reason', calls[0]?.reason ?? null],
        ]}
      />
    </>
  ),
  calendar: callsWithdrawal(calls.map((call) => ({ call, invitation: hostInvitation(call, true) }))),
  replyTo: email,
}))

/** To the host who no longer has the call. */
export const hostHandedOverEmail = defineEmail<HostCall>('host-call-handed-over', (call) => ({
  ...about(call, 'Call handed over', 'Someone else takes this call now.', { isOver: true }),
  calendar: toHost(call, { isCancelled: true }),
}))

export const hostReminderEmail = defineEmail<HostReminder>(
  'host-call-reminder',
  (call) => about(call, call.hours === 1 ? 'Call in an hour' : 'Call tomorrow', `Your call with ${call.guest.name} is coming up.`),
  { expiresAt: ({ startsAt }) => new Date(startsAt) },
)

function about(call: HostCall, heading: string, sentence: string, { isOver = false } = {}): EmailText {
  const { guest, host } = call
  const isToPlace = call.place === '' && !isOver
  return {
    subject: `${heading}: ${guest.name}, ${callTime(call.startsAt, host.zone)} (${call.reference})`,
    preview: call.projectDescription.slice(0, 120),
    replyTo: guest.email,
    body: (
      <>
        <EmailHeading>{heading}</EmailHeading>
        <Paragraph>{sentence}</Paragraph>
        {isToPlace && (
          <Paragraph>
            Your guest was told: “{LINK_COMES}”. <TextLink href={`${env.SITE_URL}${HOURS_PAGE}`}>Say where your calls take place</TextLink>,
            and we tell them.
          </Paragraph>
        )}
        <Facts
          rows={[
            ['Call', call.title],
            ['When', callTime(call.startsAt, host.zone)],
            ['Before', call.formerly && call.formerly !== call.startsAt ? callTime(call.formerly, host.zone) : null],
            ['For the guest', callTime(call.startsAt, call.guestZone)],
            ['Where', call.place],
            ['Name', guest.name],
            [
              'Email',
              <TextLink key="email" href={`mailto:${guest.email}`}>
                {guest.email}
              </TextLink>,
            ],
            ['Company', guest.company],
            ['Phone', guest.phone],
            ...call.answers.map(({ question, answer }): [string, string] => [question, answer]),
            ['Reason', call.reason],
            ['Reference', call.reference],
          ]}
        />
        <Quote>{call.projectDescription}</Quote>
        <Action href={`${env.SITE_URL}/dashboard?tab=consultations`}>Open it in the dashboard</Action>
        <FinePrint>A reply to this email goes to {guest.email}.</FinePrint>
      </>
    ),
  }
}

function toHost(call: HostCall, { isCancelled = false } = {}) {
  return callInvitation(call, hostInvitation(call, isCancelled))
}

function hostInvitation(call: CallData, isCancelled: boolean): Invitation {
  const { guest, host } = call
  return {
    zone: host.zone,
    attendee: { name: host.name, email: host.email ?? '' },
    title: `${call.title}: ${guest.name}`,
    description: [guest.email, guest.phone, call.projectDescription, ...answerLines(call.answers), `Reference ${call.reference}`]
      .filter(Boolean)
      .join('\n'),
    isCancelled,
  }
}
