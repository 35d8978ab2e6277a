import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'
import { type FactorType, nameOfKind } from './factor-type.ts'

type Removed = { at: string; factorType: FactorType; isLast: boolean }

export const factorRemovedEmail = defineEmail('factor-removed', ({ at, factorType, isLast }: Removed) => ({
  subject: isLast ? 'Two-factor authentication is off' : 'A second factor was removed',
  preview: isLast ? 'Your account no longer asks for a second factor.' : 'Your other second factors stay active.',
  body: (
    <>
      <EmailHeading>{isLast ? 'Two-factor authentication is off' : 'A second factor was removed'}</EmailHeading>
      <Paragraph>
        On {inUtc(at)} {nameOfKind(factorType)} was removed from your account.{' '}
        {isLast
          ? 'Your account no longer asks for a second factor, and your recovery codes no longer work.'
          : 'Your other second factors stay active.'}
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, reset your password now.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Reset my password</Action>
    </>
  ),
}))
