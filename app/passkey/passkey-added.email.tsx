import { inUtc } from '#app/account-letter/letter-time.ts'
import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

type Added = { at: string; name: string }

/** Tells the holder that one more thing opens their account. */
export const passkeyAddedLetter = defineLetter('passkey-added', ({ at, name }: Added) => ({
  subject: 'A passkey was added to your account',
  preview: `You can now sign in with ${name}.`,
  body: (
    <>
      <Heading>A passkey was added to your account</Heading>
      <Paragraph>
        The passkey “{name}” was added on {inUtc(at)}. It signs in to your account without a password.
      </Paragraph>
      <Paragraph>If this was you, no action is needed. If not, remove the passkey and change your password.</Paragraph>
      <Action href={`${env.SITE_URL}/account/security`}>Review passkeys</Action>
    </>
  ),
}))
