import { Action, FinePrint, Heading, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'

/** To someone who signs up again: the sign-in page does not tell strangers who has an account, so a letter tells its owner. */
export const existingAccountLetter = defineLetter(
  'existing-account',
  ({ link, target }: { link: string; target?: string }) => ({
    subject: 'You already have an account',
    preview: 'Someone tried to sign up with your address again.',
    body: (
      <>
        <Heading>You already have an account</Heading>
        <Paragraph>
          Someone, probably you, tried to create an account with this address. There is one already, and nothing about it has changed.
        </Paragraph>
        <Action href={`${env.SITE_URL}/login`}>Sign in</Action>
        <Paragraph>
          If you do not remember your password, <TextLink href={mailLink('recovery', link, target)}>choose a new one</TextLink>. That link
          works once and for {lifeWords.link}.
        </Paragraph>
        <FinePrint>If this was not you, you need not do anything: nobody learns from us that you have an account.</FinePrint>
      </>
    ),
  }),
  { secret: true },
)
