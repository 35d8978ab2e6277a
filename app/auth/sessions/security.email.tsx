import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'

/** Sent when a used refresh token is presented again, as a copied one would be. */
export const securityEmail = defineEmail('security', ({ at }: { at: string }) => ({
  subject: 'We signed you out as a precaution',
  preview: 'One of your sessions may have been copied.',
  body: (
    <>
      <EmailHeading>We signed you out as a precaution</EmailHeading>
      <Paragraph>
        On {inUtc(at)} a device tried to renew one of your sessions with a key that had already been replaced. The key may have been copied,
        so we ended that session. A lost connection can have the same effect. Please sign in again.
      </Paragraph>
      <Action href={`${env.SITE_URL}/login`}>Sign in again</Action>
      <Paragraph>If you didn’t expect this, also change your password.</Paragraph>
    </>
  ),
}))
