import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { LeavingObstacle } from './leaving-check.server.ts'

/** To a person whose account cannot be deleted any more, since something changed during the waiting period. */
export const deletionRefusedEmail = defineEmail('deletion-refused', ({ sentence, path, label }: Omit<LeavingObstacle, 'code'>) => ({
  subject: 'Your account has not been deleted',
  preview: sentence,
  body: (
    <>
      <EmailHeading>Your account has not been deleted</EmailHeading>
      <Paragraph>You asked us to delete your account today. {sentence} Then ask again.</Paragraph>
      <Action href={`${env.SITE_URL}${path}`}>{label}</Action>
    </>
  ),
}))
