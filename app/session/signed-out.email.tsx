import { KeyList } from '#app/account-letter/key-list.tsx'
import { inUtc } from '#app/account-letter/letter-time.ts'
import type { NamedKey } from '#app/identity/user-keys.server.ts'
import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

/** After signing out everywhere, for those with API keys: what became of them. */
export const signedOutLetter = defineLetter('signed-out', ({ at, keys, revoked }: { at: string; keys: NamedKey[]; revoked: boolean }) => ({
  subject: 'You signed out everywhere',
  preview: revoked ? 'Your API keys were revoked as well.' : 'Your API keys still work.',
  body: (
    <>
      <Heading>You signed out everywhere</Heading>
      <Paragraph>On {inUtc(at)} every device was signed out of your account.</Paragraph>
      <KeyList keys={keys} revoked={revoked} />
      <Action href={`${env.SITE_URL}/account/keys`}>See your keys</Action>
    </>
  ),
}))
