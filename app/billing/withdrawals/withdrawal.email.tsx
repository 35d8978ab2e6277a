import { WITHDRAWAL, WITHDRAWAL_LINK, withdrawalWords } from '#app/content/withdrawal.ts'
import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, FinePrint, Paragraph, Quote } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'

type Received = { reference: string; statement: string; at: string; total: string; next: string }

/** The receipt of a withdrawal, at once: its content, and when it arrived. */
export const withdrawalReceivedEmail = defineEmail('withdrawal-received', ({ reference, statement, at, total, next }: Received) => ({
  subject: `Withdrawal received: ${reference}`,
  preview: `It arrived on ${at}.`,
  body: (
    <>
      <EmailHeading>We have received your withdrawal</EmailHeading>
      <Facts
        rows={[
          ['Order', reference],
          ['Total', total],
          ['Received', at],
        ]}
      />
      <Paragraph>You have sent us this statement:</Paragraph>
      <Quote>{statement}</Quote>
      <Paragraph>{next}</Paragraph>
      <FinePrint>Keep this email as evidence.</FinePrint>
    </>
  ),
}))

type Settled = { reference: string; title: string; next: string }

/** The end of a withdrawal: the amount, and what happens to it. */
export const withdrawalSettledEmail = defineEmail('withdrawal-settled', ({ reference, title, next }: Settled) => ({
  subject: `Your withdrawal from ${reference}`,
  preview: next,
  body: (
    <>
      <EmailHeading>
        Your withdrawal from {title} ({reference})
      </EmailHeading>
      <Paragraph>{next}</Paragraph>
      <FinePrint>Questions? Reply to this email.</FinePrint>
    </>
  ),
}))

type ContractTold = {
  reference: string
  title: string
  detail: string
  amounts: [label: string, amount: string][]
  at: string
  seller: string
  buyer: string
  licence: string
  consent: { text: string; at: string }
  terms: string
}

/** The confirmation of a contract with a private person, whole: it can be kept and read without us. */
export const contractEmail = defineEmail(
  'contract',
  ({ reference, title, detail, amounts, at, seller, buyer, ...texts }: ContractTold) => ({
    subject: `Your contract: ${title} (${reference})`,
    preview: 'What you bought, the terms, and your rights. Keep this email.',
    body: (
      <>
        <EmailHeading>Your contract for {title}</EmailHeading>
        <Facts
          rows={[['Order', reference], ['Ordered', at], ['What you get', detail], ...amounts, ['Seller', seller], ['Buyer', buyer]]}
          kind="sentences"
        />
        <Paragraph>Withdrawal. {withdrawalWords.information}</Paragraph>
        <Action href={`${env.SITE_URL}${WITHDRAWAL}?order=${reference}`}>{WITHDRAWAL_LINK}</Action>
        <Paragraph>Your consent of {texts.consent.at}:</Paragraph>
        <Quote>{texts.consent.text}</Quote>
        <Paragraph>The license that you accepted:</Paragraph>
        <Quote>{texts.licence}</Quote>
        <Paragraph>Our terms of service, as they are now:</Paragraph>
        <Quote>{texts.terms}</Quote>
        <FinePrint>Keep this email: it is the confirmation of your contract.</FinePrint>
      </>
    ),
  }),
)
