import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from './email-time.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { env } from '#app/platform/env.server.ts'

type Changed = { at: string; provider: string; isAdded: boolean }

export const identityEmail = defineEmail('identity', ({ at, provider, isAdded }: Changed) => ({
  subject: isAdded ? 'A sign-in method was added' : 'A sign-in method was removed',
  preview: isAdded ? `You can now sign in with ${providerName(provider)}.` : `You can no longer sign in with ${providerName(provider)}.`,
  body: (
    <>
      <EmailHeading>{isAdded ? 'A sign-in method was added' : 'A sign-in method was removed'}</EmailHeading>
      <Paragraph>
        {providerName(provider)} sign-in was {isAdded ? 'added to' : 'removed from'} your account on {inUtc(at)}.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If it wasn’t, reset your password now.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Reset my password</Action>
    </>
  ),
}))
