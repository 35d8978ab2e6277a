import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { Secrets } from './secrets.tsx'

/** Proves that an address is theirs who sign up. `isBare`: it was asked for again without saying for which sign-up, so a password is chosen with it. */
export const confirmAddressLetter = defineLetter(
  'confirm-address',
  ({ link, code, target, isBare = false }: { link: string; code: string; target?: string; isBare?: boolean }) => ({
    subject: 'Confirm your email address',
    preview: 'One step, and your account is ready.',
    body: (
      <>
        <Heading>Confirm your email address</Heading>
        <Paragraph>
          {isBare
            ? 'Confirm that this address is yours and choose a password, then you can sign in.'
            : 'You have created an account with this address. Confirm that it is yours, then you can sign in.'}
        </Paragraph>
        <Action href={mailLink('signup', link, target, isBare ? 'recovery' : 'signup')}>Confirm this address</Action>
        <Secrets code={code}>If this was not you, you need not do anything.</Secrets>
      </>
    ),
  }),
  { secret: true },
)
