import { inUtc } from '#app/auth/tokens/email-time.ts'
import { Action, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

/** Sent immediately, so the account's owner learns of the deletion and can cancel it. */
export const deletionAskedEmail = defineEmail('deletion-asked', ({ at }: { at: string }) => ({
  subject: 'Your account will be deleted',
  preview: `On ${inUtc(at)}, unless you keep it.`,
  body: (
    <>
      <EmailHeading>Your account will be deleted</EmailHeading>
      <Paragraph>
        You asked us to delete your account. We will delete it on {inUtc(at)}. Until then everything works as before, and you can change
        your mind.
      </Paragraph>
      <Action href={`${env.SITE_URL}/account/data`}>Keep my account</Action>
      <Paragraph>
        Your enquiries are not part of the account: we keep them as business correspondence. To have them erased too, reply to this email.
      </Paragraph>
      <FinePrint>If this wasn’t you, keep your account, then choose a new password.</FinePrint>
    </>
  ),
}))
