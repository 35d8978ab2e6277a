import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'

/** When a sign-in was used from two places as if it had been copied. */
export const securityLetter = defineLetter('security', ({ at }: { at: string }) => ({
  subject: 'We have signed you out to be safe',
  preview: 'One of your sign-ins was used in a way that should not happen.',
  body: (
    <>
      <Heading>We have signed you out to be safe</Heading>
      <Paragraph>
        On {inUtc(at)} one of your sign-ins was renewed with a key that had already been replaced. It may have been copied, so we ended that
        sign-in. A device that lost its connection at the wrong moment looks the same. Please sign in again.
      </Paragraph>
      <Action href={`${env.SITE_URL}/login`}>Sign in again</Action>
      <Paragraph>If you did not expect this, choose a new password as well.</Paragraph>
    </>
  ),
}))
