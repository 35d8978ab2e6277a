import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { providerName } from './provider-name.ts'
import { env } from '#app/platform/env.server.ts'

type Changed = { at: string; provider: string; isAdded: boolean }

/** After the fact, so that nobody gets or loses a way into an account without its holder's knowing. */
export const identityLetter = defineLetter('identity', ({ at, provider, isAdded }: Changed) => ({
  subject: isAdded ? 'A way to sign in was added' : 'A way to sign in was removed',
  preview: isAdded
    ? `Your account can be opened with ${providerName(provider)}.`
    : `Your account can no longer be opened with ${providerName(provider)}.`,
  body: (
    <>
      <Heading>{isAdded ? 'A way to sign in was added' : 'A way to sign in was removed'}</Heading>
      <Paragraph>
        On {inUtc(at)} signing in with {providerName(provider)} was {isAdded ? 'added to' : 'removed from'} your account.
      </Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
