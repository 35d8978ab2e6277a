import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { Secrets } from './secrets.tsx'

/** To someone for whom the owner has made an account. */
export const inviteLetter = defineLetter(
  'invite',
  ({ link, code, target }: { link: string; code: string; target?: string }) => ({
    subject: 'You are invited',
    preview: 'Choose a password, and your account is ready.',
    body: (
      <>
        <Heading>You are invited</Heading>
        <Paragraph>An account with this address has been made for you. Choose a password for it, then you can sign in.</Paragraph>
        <Action href={mailLink('invite', link, target)}>Choose a password</Action>
        <Secrets code={code}>If you do not know what this is about, you need not do anything.</Secrets>
      </>
    ),
  }),
  { secret: true },
)
