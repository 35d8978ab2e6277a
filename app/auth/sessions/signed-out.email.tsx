import { KeyList } from '#app/auth/tokens/key-list.tsx'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import type { NamedKey } from '#app/auth/users/user-keys.server.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

/** Sent after signing out everywhere to users with API keys. */
export const signedOutEmail = defineEmail('signed-out', ({ at, keys, revoked }: { at: string; keys: NamedKey[]; revoked: boolean }) => ({
  subject: 'You signed out everywhere',
  preview: revoked ? 'Your API keys were revoked as well.' : 'Your API keys still work.',
  body: (
    <>
      <EmailHeading>You signed out everywhere</EmailHeading>
      <Paragraph>All devices were signed out of your account on {inUtc(at)}.</Paragraph>
      <KeyList keys={keys} revoked={revoked} />
      <Action href={`${env.SITE_URL}/account/keys`}>View API keys</Action>
    </>
  ),
}))
