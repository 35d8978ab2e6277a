import { Action, Facts, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { callAt } from '#app/content/calls.ts'
import { budgets, timeframes } from '#app/content/contact-options.ts'
import { pageUrlOf } from './page-link.server.ts'
import { isPlainName } from './plain-name.ts'
import { hours, promisedTime } from '#app/content/hours.ts'
import { weekdayAndTime } from '#app/platform/time/clock.ts'
import { numberText } from '#app/platform/text/english-number.ts'

type Acknowledged = {
  reference: string
  name: string
  serviceType: string | null
  budget: string | null
  timeframe: string | null
  /** ISO 8601 */
  receivedAt: string
  /** The English name of a known country, not the typed text. These three are missing in emails that an earlier version queued. */
  country?: string | undefined
  /** In characters. */
  messageLength?: number
  /** Books a call about this enquiry. */
  callUrl?: string
  /** Start of the promised hours (ISO 8601): the release, for an enquiry that was in quarantine. */
  promisedFrom: string
  /** The deadlines (ISO 8601), and the visitor's own page, whose address is made when the email is sent. Missing in emails that an earlier version queued. */
  acknowledgeBy?: string
  answerBy?: string
  page?: Parameters<typeof pageUrlOf>[0]
}

/**
 * Acknowledges an enquiry with its reference and deadlines. Anyone can type any address, so it contains no text with which a stranger could
 * annoy or deceive: of the message only its length, and a name only when it cannot be anything else.
 */
export const acknowledgementEmail = defineEmail<Acknowledged>(
  'acknowledgement',
  ({
    reference,
    name,
    serviceType,
    budget,
    timeframe,
    country,
    messageLength,
    callUrl,
    receivedAt,
    promisedFrom,
    acknowledgeBy,
    answerBy,
    page,
  }) => ({
    subject: `We have your enquiry ${reference}`,
    preview: `A person confirms it within ${promisedTime('acknowledgement')} and replies within ${promisedTime('response')}.`,
    body: (
      <>
        <EmailHeading>We have your enquiry</EmailHeading>
        <Paragraph>
          {greeting(name)} We received your enquiry. Its number is <strong style={{ whiteSpace: 'nowrap' }}>{reference}</strong>. Quote it
          if you email us about this.
        </Paragraph>
        <Paragraph>Details sent:</Paragraph>
        <Facts
          rows={[
            ['Reference', reference],
            ['Received', atUtc(receivedAt)],
            ['Service', serviceType],
            ['Budget', budgets.find(({ value }) => value === budget)?.label],
            ['Timeframe', timeframes.find(({ value }) => value === timeframe)?.label],
            ['Country', country],
            ['Message', messageLength && `${numberText(messageLength)} characters, exactly as you typed it`],
          ]}
        />
        <Paragraph>What happens next:</Paragraph>
        <Facts
          kind="sentences"
          rows={[
            [
              `Within ${promisedTime('acknowledgement')}`,
              `A person confirms that they have read it. By ${atUtc(acknowledgeBy ?? later(promisedFrom, hours.acknowledgement))}.`,
            ],
            [
              `Within ${promisedTime('response')}`,
              `We reply with a proposal or with questions. By ${atUtc(answerBy ?? later(promisedFrom, hours.response))}.`,
            ],
          ]}
        />
        {page && (
          <>
            <Paragraph>See what happens with it, add details or files, or withdraw it. This link is only for you.</Paragraph>
            <Action href={pageUrlOf(page)}>Open your enquiry</Action>
          </>
        )}
        {callUrl && (
          <>
            <Paragraph>Rather talk about it? Choose a time that suits you.</Paragraph>
            <Action href={callUrl}>{callAt(undefined).label}</Action>
          </>
        )}
        <Paragraph>Something to add? Reply to this email.</Paragraph>
        <FinePrint>If you did not write to us, someone mistyped an address. Ignore this email; we will not write again.</FinePrint>
      </>
    ),
  }),
)

function greeting(name: string): string {
  return isPlainName(name) ? `Thank you, ${name}.` : 'Thank you.'
}

function later(iso: string, count: number): string {
  return new Date(Date.parse(iso) + count * 3_600_000).toISOString()
}

function atUtc(iso: string): string {
  return weekdayAndTime(new Date(iso), 'UTC')
}
