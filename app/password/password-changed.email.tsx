import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'

/** After the fact, so that nobody's password is changed without their knowing. */
export const passwordChangedLetter = defineLetter('password-changed', ({ at }: { at: string }) => ({
  subject: 'Your password has been changed',
  preview: 'All other devices have been signed out.',
  body: (
    <>
      <Heading>Your password has been changed</Heading>
      <Paragraph>
        The password of your account was changed on {inUtc(at)}. Everyone else who was signed in to it has been signed out.
      </Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
