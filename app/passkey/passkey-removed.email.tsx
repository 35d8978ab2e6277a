import { inUtc } from '#app/account-letter/letter-time.ts'
import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

type Removed = { at: string; name: string }

/** Tells the holder that a passkey no longer works. */
export const passkeyRemovedLetter = defineLetter('passkey-removed', ({ at, name }: Removed) => ({
  subject: 'A passkey was removed from your account',
  preview: `${name} no longer signs in to your account.`,
  body: (
    <>
      <Heading>A passkey was removed from your account</Heading>
      <Paragraph>
        The passkey “{name}” was removed on {inUtc(at)}. It no longer signs in to your account.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If not, change your password.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Change password</Action>
    </>
  ),
}))
