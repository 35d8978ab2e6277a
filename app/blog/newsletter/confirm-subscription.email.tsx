import { Action, EmailHeading, FinePrint, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { identity } from '#app/content/identity.ts'
import { env } from '#app/platform/env.server.ts'

/** How long the link works. */
export const CONFIRM_DAYS = 7

type LinkToken = { token: string }

/** Asks whether the owner of the address wants the newsletter. Nothing else is sent to it before. */
export const confirmSubscriptionEmail = defineEmail<LinkToken>(
  'newsletter-confirm',
  ({ token }) => ({
    subject: `Confirm your subscription to ${identity.name}`,
    preview: 'One click, and you get new posts by email.',
    body: (
      <>
        <EmailHeading>Confirm your subscription</EmailHeading>
        <Paragraph>Someone entered this address to get new posts of the {identity.name} blog by email.</Paragraph>
        <Action href={`${env.SITE_URL}/newsletter/confirm?token=${token}`}>Confirm subscription</Action>
        <FinePrint>The link works for {CONFIRM_DAYS} days. If this wasn’t you, ignore this email. You won’t get another.</FinePrint>
      </>
    ),
  }),
  { secret: true, expiresAt: () => new Date(Date.now() + CONFIRM_DAYS * 24 * 3_600_000) },
)

/** For an address that is on the list already: the form says the same either way. */
export const alreadySubscribedEmail = defineEmail<LinkToken>(
  'newsletter-already',
  ({ token }) => ({
    subject: `You already subscribe to ${identity.name}`,
    preview: 'You get new posts by email. Nothing changes.',
    body: (
      <>
        <EmailHeading>You already subscribe</EmailHeading>
        <Paragraph>
          Someone entered this address to get new posts of the {identity.name} blog by email. It is on the list already, so nothing changes.
        </Paragraph>
        <FinePrint>
          Don’t want these emails? <TextLink href={`${env.SITE_URL}/newsletter/unsubscribe?token=${token}`}>Unsubscribe</TextLink>
        </FinePrint>
      </>
    ),
  }),
  { secret: true },
)
