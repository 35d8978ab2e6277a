import { inUtc } from '#app/auth/tokens/email-time.ts'
import { EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { identity } from '#app/content/identity.ts'

/** Sent to the old address, which can no longer recover the account: only we can help. */
export const emailChangedEmail = defineEmail('email-changed', ({ at }: { at: string }) => ({
  subject: 'Your email address was changed',
  preview: 'You now sign in with a different address.',
  body: (
    <>
      <EmailHeading>Your email address was changed</EmailHeading>
      <Paragraph>The email address of your account was changed on {inUtc(at)}. This address no longer belongs to it.</Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, email us immediately at {identity.email}.</Paragraph>
    </>
  ),
  replyTo: identity.email,
}))

/** `isGone`: another person has proven the number, so it was removed from this account. */
export const phoneChangedEmail = defineEmail('phone-changed', ({ at, isGone = false }: { at: string; isGone?: boolean }) => ({
  subject: isGone ? 'Your phone number was removed' : 'Your phone number was changed',
  preview: isGone ? 'Someone else confirmed this number.' : 'Your account now has a different number.',
  body: (
    <>
      <EmailHeading>{isGone ? 'Your phone number was removed' : 'Your phone number was changed'}</EmailHeading>
      <Paragraph>
        {isGone
          ? `Someone confirmed your account’s phone number on ${inUtc(at)}. You hadn’t confirmed it, so the number now has its own account. Nothing else has changed.`
          : `The phone number of your account was changed on ${inUtc(at)}. We now send codes to the new number.`}
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, change your password now and email us at {identity.email}.</Paragraph>
    </>
  ),
  replyTo: identity.email,
}))
