import { inUtc } from '#app/auth/tokens/email-time.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

type Removed = { at: string; name: string }

export const passkeyRemovedEmail = defineEmail('passkey-removed', ({ at, name }: Removed) => ({
  subject: 'A passkey was removed from your account',
  preview: `${name} no longer signs in to your account.`,
  body: (
    <>
      <EmailHeading>A passkey was removed from your account</EmailHeading>
      <Paragraph>
        The passkey “{name}” was removed on {inUtc(at)}. It no longer signs in to your account.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If not, change your password.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Change password</Action>
    </>
  ),
}))
