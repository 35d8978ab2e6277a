import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'

export const recoveryCodeUsedEmail = defineEmail('recovery-code-used', ({ at, left }: { at: string; left: number }) => ({
  subject: 'A recovery code was used',
  preview: `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`,
  body: (
    <>
      <EmailHeading>A recovery code was used</EmailHeading>
      <Paragraph>
        Someone signed in to your account with a recovery code on {inUtc(at)}. You have {left} recovery {left === 1 ? 'code' : 'codes'}{' '}
        left. You can create new ones in your account.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, reset your password now.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Reset my password</Action>
    </>
  ),
}))
