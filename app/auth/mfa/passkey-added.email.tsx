import { inUtc } from '#app/auth/tokens/email-time.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

type Added = { at: string; name: string }

export const passkeyAddedEmail = defineEmail('passkey-added', ({ at, name }: Added) => ({
  subject: 'A passkey was added to your account',
  preview: `You can now sign in with ${name}.`,
  body: (
    <>
      <EmailHeading>A passkey was added to your account</EmailHeading>
      <Paragraph>
        The passkey “{name}” was added on {inUtc(at)}. It signs in to your account without a password.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If not, remove the passkey and change your password.</Paragraph>
      <Action href={`${env.SITE_URL}/account/security`}>Review passkeys</Action>
    </>
  ),
}))
