import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { Secrets } from './secrets.tsx'

/** To whoever signs up: proves that the address is theirs. */
export const confirmAddressLetter = defineLetter(
  'confirm-address',
  ({ link, code, target }: { link: string; code: string; target?: string }) => ({
    subject: 'Confirm your email address',
    preview: 'One step, and your account is ready.',
    body: (
      <>
        <Heading>Confirm your email address</Heading>
        <Paragraph>You have created an account with this address. Confirm that it is yours, then you can sign in.</Paragraph>
        <Action href={mailLink('signup', link, target)}>Confirm this address</Action>
        <Secrets code={code}>If this was not you, you need not do anything.</Secrets>
      </>
    ),
  }),
  { secret: true },
)
