import { inUtc } from '#app/account-letter/letter-time.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import { Action, Heading, Paragraph, Quote } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

type Dataset = { slug: string; name: string }

const pageOf = ({ slug }: Dataset) => `${env.SITE_URL}${MARKETPLACE}/${slug}`

/** To a customer who may have a dataset from now on. `until` is ISO 8601; null: for good. */
export const datasetGrantedLetter = defineLetter('dataset-granted', (given: Dataset & { until: string | null }) => ({
  subject: `You have access to ${given.name}`,
  preview: given.until ? `Until ${inUtc(given.until)}.` : 'Take it as a file or by the API, as often as you like.',
  body: (
    <>
      <Heading>You have access to {given.name}</Heading>
      <Paragraph>
        It counts at once: take the dataset as a file, or read it by the API.{' '}
        {given.until ? `Your access lasts until ${inUtc(given.until)}.` : 'Your access has no end.'}
      </Paragraph>
      <Action href={pageOf(given)}>Open the dataset</Action>
    </>
  ),
}))

/** To a customer who asked and does not get it. */
export const datasetDeclinedLetter = defineLetter('dataset-declined', (given: Dataset & { reason: string }) => ({
  subject: `About your request for ${given.name}`,
  preview: 'We cannot give you access to it.',
  body: (
    <>
      <Heading>About your request for {given.name}</Heading>
      <Paragraph>You asked for access to this dataset, and we cannot give it to you.</Paragraph>
      {given.reason && <Quote>{given.reason}</Quote>}
      <Paragraph>If you think that this is a mistake, or something else would help you, reply to this email.</Paragraph>
    </>
  ),
}))

/** To a customer who had it. */
export const datasetRevokedLetter = defineLetter('dataset-revoked', (given: Dataset) => ({
  subject: `Your access to ${given.name} has ended`,
  preview: 'It can no longer be downloaded or read by the API.',
  body: (
    <>
      <Heading>Your access to {given.name} has ended</Heading>
      <Paragraph>
        We have ended it: the dataset can no longer be downloaded with your account, nor read with your API keys. If you think that this is
        a mistake, reply to this email.
      </Paragraph>
    </>
  ),
}))
