import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'
import { Secrets } from './secrets.tsx'

/** To whoever has forgotten their password. */
export const resetPasswordLetter = defineLetter(
  'reset-password',
  ({ link, code, target }: { link: string; code: string; target?: string }) => ({
    subject: 'Choose a new password',
    preview: `The link works once and for ${lifeWords.link}.`,
    body: (
      <>
        <Heading>Choose a new password</Heading>
        <Paragraph>You asked for a new password for your account. Your old one works until you have chosen another.</Paragraph>
        <Action href={mailLink('recovery', link, target)}>Choose a new password</Action>
        <Secrets code={code}>If this was not you, you need not do anything.</Secrets>
      </>
    ),
  }),
  { secret: true },
)
