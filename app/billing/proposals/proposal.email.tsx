import { secondsFromNow } from '#app/auth/tokens/secrets.tsx'
import { lifeSeconds, lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { identity } from '#app/content/identity.ts'
import { Action, Code, EmailHeading, Facts, FinePrint, Paragraph, Quote } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { proposalUrl } from '#app/billing/orders/proposal-link.server.ts'

type Named = { id: string; name: string; title: string; reference: string; number: number }
type Sent = Named & { intro: string; net: number; currency: string; validUntil: string }

/** The address of the page is made when the email is sent: the queue holds no part of it. */
export const proposalEmail = defineEmail<Sent>('proposal', ({ id, name, title, reference, number, intro, net, currency, validUntil }) => ({
  subject: number === 1 ? `Our proposal: ${title}` : `Our proposal: ${title} (version ${number})`,
  preview: `${moneyText(net, currency)} before tax, valid until ${longDay(new Date(validUntil))}.`,
  body: (
    <>
      <EmailHeading>{title}</EmailHeading>
      <Paragraph>
        Dear {name}, here is our proposal{number === 1 ? '' : ', in a new version that replaces the one before'}.
      </Paragraph>
      {intro && <Quote>{intro}</Quote>}
      <Facts
        rows={[
          ['Proposal', `${reference}, version ${number}`],
          ['Total before tax', moneyText(net, currency)],
          ['Valid until', longDay(new Date(validUntil))],
        ]}
      />
      <Paragraph>Read it, choose options, ask about a line, then accept or decline. This link is only for you.</Paragraph>
      <Action href={proposalUrl(id)}>Open the proposal</Action>
      <FinePrint>You can show it to colleagues: only a code that we email to this address signs it.</FinePrint>
    </>
  ),
}))

export const proposalReminderEmail = defineEmail<Named & { validUntil: string }>(
  'proposal-reminder',
  ({ id, name, title, reference, number, validUntil }) => ({
    subject: `Reminder: our proposal ${title}`,
    preview: `It is valid until ${longDay(new Date(validUntil))}.`,
    body: (
      <>
        <EmailHeading>{title}</EmailHeading>
        <Paragraph>
          Dear {name}, our proposal {reference}, version {number}, waits for you. It is valid until {longDay(new Date(validUntil))}. Is
          anything unclear? Ask beside the line.
        </Paragraph>
        <Action href={proposalUrl(id)}>Open the proposal</Action>
        <FinePrint>Not what you need? Decline it there, and we stop reminding you.</FinePrint>
      </>
    ),
  }),
)

export const proposalCodeEmail = defineEmail(
  'proposal-code',
  ({ code, title, reference }: { code: string; title: string; reference: string }) => ({
    subject: `Your code to sign ${reference}`,
    preview: `It works once, within ${lifeWords.code}.`,
    body: (
      <>
        <EmailHeading>Sign {title}</EmailHeading>
        <Paragraph>Enter this code on the page of proposal {reference}:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>
          It works once, within {lifeWords.code}. With it you accept the proposal on behalf of your company. Don’t share it. If you did not
          ask for it, someone has the link of the proposal and nothing is signed.
        </FinePrint>
      </>
    ),
  }),
  { secret: true, expiresAt: () => secondsFromNow(lifeSeconds.code) },
)

export const proposalAnswerEmail = defineEmail<Named & { question: string; answer: string }>(
  'proposal-answer',
  ({ id, title, question, answer }) => ({
    subject: `Your question about ${title}`,
    preview: 'Our answer.',
    body: (
      <>
        <EmailHeading>Your question about {title}</EmailHeading>
        <Paragraph>You asked:</Paragraph>
        <Quote>{question}</Quote>
        <Paragraph>Our answer:</Paragraph>
        <Quote>{answer}</Quote>
        <Action href={proposalUrl(id)}>Open the proposal</Action>
      </>
    ),
  }),
)

type Accepted = Named & { signer: string; gross: number; deposit: number; currency: string }

export const proposalAcceptedEmail = defineEmail<Accepted>(
  'proposal-accepted',
  ({ id, title, reference, number, signer, gross, deposit, currency }) => ({
    subject: `Accepted: ${title}`,
    preview: `Proposal ${reference} is signed.`,
    body: (
      <>
        <EmailHeading>Thank you for your order</EmailHeading>
        <Paragraph>
          {signer} has signed proposal {reference}. {deposit > 0 ? 'We start when the deposit is paid.' : 'We start now.'}
        </Paragraph>
        <Facts
          rows={[
            ['Proposal', `${reference}, version ${number}`],
            ['Total with tax', moneyText(gross, currency)],
            ['Deposit', deposit > 0 && moneyText(deposit, currency)],
          ]}
        />
        <Action href={proposalUrl(id)}>{deposit > 0 ? 'Pay the deposit' : 'Open the proposal'}</Action>
        <FinePrint>
          The signed file is on the same page. Did someone sign this without your knowledge? Write to {identity.email} at once.
        </FinePrint>
      </>
    ),
  }),
)

export const proposalCountersignedEmail = defineEmail<Named & { signer: string }>(
  'proposal-countersigned',
  ({ id, title, reference, signer }) => ({
    subject: `Countersigned: ${title}`,
    preview: `Proposal ${reference} has both signatures.`,
    body: (
      <>
        <EmailHeading>Both of us have signed</EmailHeading>
        <Paragraph>
          {signer} has countersigned proposal {reference} for {identity.name}. Download the file with both signatures.
        </Paragraph>
        <Action href={proposalUrl(id)}>Open the proposal</Action>
      </>
    ),
  }),
)
