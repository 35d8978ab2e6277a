import { inUtc } from '#app/account-letter/letter-time.ts'
import { Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { identity } from '#app/site/content/identity.ts'

/** After the fact, to the old address: it opens nothing any more, so only we can help. */
export const emailChangedLetter = defineLetter('email-changed', ({ at }: { at: string }) => ({
  subject: 'Your email address has been changed',
  preview: 'From now on you sign in with another one.',
  body: (
    <>
      <Heading>Your email address has been changed</Heading>
      <Paragraph>Your account has had another email address since {inUtc(at)}. This one no longer belongs to it.</Paragraph>
      <Paragraph>If this was you, all is well. If it was not, write to us at {identity.email} at once.</Paragraph>
    </>
  ),
  replyTo: identity.email,
}))

/** The same for the number of a phone. */
export const phoneChangedLetter = defineLetter('phone-changed', ({ at }: { at: string }) => ({
  subject: 'Your phone number has been changed',
  preview: 'From now on your account has another one.',
  body: (
    <>
      <Heading>Your phone number has been changed</Heading>
      <Paragraph>Your account has had another phone number since {inUtc(at)}. Codes go to that one from now on.</Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now and write to us at {identity.email}.</Paragraph>
    </>
  ),
  replyTo: identity.email,
}))
