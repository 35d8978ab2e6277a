import { inUtc } from '#app/auth/tokens/email-time.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { Action, EmailHeading, Paragraph, Quote } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

type Dataset = { slug: string; name: string }

const pageOf = ({ slug }: Dataset) => `${env.SITE_URL}${MARKETPLACE}/${slug}`

/** To a customer who gets access. `until` is ISO 8601; null means no end. */
export const datasetGrantedEmail = defineEmail('dataset-granted', (given: Dataset & { until: string | null }) => ({
  subject: `You have access to ${given.name}`,
  preview: given.until ? `Until ${inUtc(given.until)}.` : 'Download it or use the API as often as you like.',
  body: (
    <>
      <EmailHeading>You have access to {given.name}</EmailHeading>
      <Paragraph>
        Access starts now: download the dataset or read it through the API.{' '}
        {given.until ? `Your access lasts until ${inUtc(given.until)}.` : 'Your access does not expire.'}
      </Paragraph>
      <Action href={pageOf(given)}>Open the dataset</Action>
    </>
  ),
}))

/** To a customer whose request is declined. */
export const datasetDeclinedEmail = defineEmail('dataset-declined', (given: Dataset & { reason: string }) => ({
  subject: `About your request for ${given.name}`,
  preview: 'We cannot give you access to it.',
  body: (
    <>
      <EmailHeading>About your request for {given.name}</EmailHeading>
      <Paragraph>You requested access to this dataset. We cannot give it to you.</Paragraph>
      {given.reason && <Quote>{given.reason}</Quote>}
      <Paragraph>If you think this is a mistake, or another dataset would help you, reply to this email.</Paragraph>
    </>
  ),
}))

/** To a customer who loses access. */
export const datasetRevokedEmail = defineEmail('dataset-revoked', (given: Dataset) => ({
  subject: `Your access to ${given.name} has ended`,
  preview: 'You can no longer download it or read it through the API.',
  body: (
    <>
      <EmailHeading>Your access to {given.name} has ended</EmailHeading>
      <Paragraph>
        You can no longer download the dataset or read it with your API keys. If you think this is a mistake, reply to this email.
      </Paragraph>
    </>
  ),
}))
