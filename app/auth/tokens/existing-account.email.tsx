import { Action, FinePrint, EmailHeading, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mailLink } from './mail-link.server.ts'
import { secondsFromNow } from './secrets.tsx'
import { lifeSeconds, lifeWords } from './token-life.server.ts'

/** Sent for a repeated sign-up: the page must not show strangers that the account exists, so the email tells its owner. */
export const existingAccountEmail = defineEmail(
  'existing-account',
  ({ link, target }: { link: string; target?: string }) => ({
    subject: 'You already have an account',
    preview: 'Someone tried to sign up with your email address.',
    body: (
      <>
        <EmailHeading>You already have an account</EmailHeading>
        <Paragraph>
          Someone, probably you, tried to create an account with this address. You already have one, and nothing about it has changed.
        </Paragraph>
        <Action href={`${env.SITE_URL}/login`}>Sign in</Action>
        <Paragraph>
          If you forgot your password, <TextLink href={mailLink('recovery', link, target)}>choose a new one</TextLink>. That link works
          once, within {lifeWords.link}.
        </Paragraph>
        <FinePrint>If this wasn’t you, ignore this email.</FinePrint>
      </>
    ),
  }),
  { secret: true, expiresAt: () => secondsFromNow(lifeSeconds.link) },
)
