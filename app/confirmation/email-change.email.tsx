import { Secrets } from '#app/account-letter/secrets.tsx'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'

type Data = { link: string; code: string; newEmail: string; target?: string }

/** To the address that an account is to have: proves that it belongs to whoever wants it. */
export const newAddressLetter = defineLetter(
  'email-change-new',
  ({ link, code, newEmail, target }: Data) => ({
    subject: 'Confirm your new email address',
    preview: 'Your account keeps its old address until you have done so.',
    body: (
      <>
        <Heading>Confirm your new email address</Heading>
        <Paragraph>You want to sign in with {newEmail} from now on. Confirm that this address is yours.</Paragraph>
        <Action href={mailLink('email_change', link, target)}>Confirm the new address</Action>
        <Secrets code={code} />
      </>
    ),
  }),
  { secret: true },
)

/** To the address that the account has: nobody takes an account over by naming another address for it. */
export const oldAddressLetter = defineLetter(
  'email-change-current',
  ({ link, code, newEmail, target }: Data) => ({
    subject: 'Do you want to change your email address?',
    preview: 'Nothing changes until you have agreed.',
    body: (
      <>
        <Heading>Do you want to change your email address?</Heading>
        <Paragraph>
          Someone who is signed in to your account wants it to have the address {newEmail} in place of this one. Agree, and follow the email
          to the new address as well; the order does not matter.
        </Paragraph>
        <Action href={mailLink('email_change', link, target)}>Agree to the change</Action>
        <Secrets code={code} />
        <Paragraph>If this was not you, do not press it, and choose a new password now.</Paragraph>
      </>
    ),
  }),
  { secret: true },
)
