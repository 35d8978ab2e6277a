import { KeyList } from '#app/account-letter/key-list.tsx'
import type { NamedKey } from '#app/identity/user-keys.server.ts'
import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'

/** `keys` are the API keys of the account, which were revoked with the change or still work. */
type Changed = { at: string; keys?: NamedKey[]; revoked?: boolean }

/** After the fact, so that nobody's password is changed without their knowing. */
export const passwordChangedLetter = defineLetter('password-changed', ({ at, keys = [], revoked = false }: Changed) => ({
  subject: 'Your password has been changed',
  preview: 'All other devices have been signed out.',
  body: (
    <>
      <Heading>Your password has been changed</Heading>
      <Paragraph>
        The password of your account was changed on {inUtc(at)}. Everyone else who was signed in to it has been signed out.
      </Paragraph>
      <KeyList keys={keys} revoked={revoked} />
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
