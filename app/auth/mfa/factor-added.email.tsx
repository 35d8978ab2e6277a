import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'
import { type FactorType, nameOfKind } from './factor-type.ts'

type Added = { at: string; factorType: FactorType }

export const factorAddedEmail = defineEmail('factor-added', ({ at, factorType }: Added) => ({
  subject: 'Two-factor authentication is on',
  preview: `You can now confirm your sign-in with ${nameOfKind(factorType)}.`,
  body: (
    <>
      <EmailHeading>Two-factor authentication is on</EmailHeading>
      <Paragraph>
        On {inUtc(at)} {nameOfKind(factorType)} was added to your account as a second factor. We signed out all devices that had not used
        two-factor authentication.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, reset your password now.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Reset my password</Action>
    </>
  ),
}))
