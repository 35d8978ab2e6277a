import { Action, Code, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'

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
        <Paragraph>Where a code is asked for, it is:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>
          The link works once and for {lifeWords.link}, the code for {lifeWords.code}. If you do not know what this is about, you need not
          do anything.
        </FinePrint>
      </>
    ),
  }),
  { secret: true },
)
