import { providerName } from '#app/auth/protocol/provider-name.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { mailLink } from './mail-link.server.ts'
import { inUtc } from './email-time.ts'
import { defineSecretEmail, Secrets } from './secrets.tsx'

/**
 * `at` and `device` belong to a sign-up, `provider` is the service where someone signed in with this address. `isBare`: a repeated request
 * named no sign-up, so the link also asks for a password.
 */
type Confirmed = { at?: string; device?: string; provider?: string; isBare?: boolean }

/** Proves that an address belongs to the person who signs up with it. */
export const confirmAddressEmail = defineSecretEmail<{ target?: string } & Confirmed>(
  'confirm-address',
  ({ link, code, target, ...confirmed }) => ({
    subject: confirmed.provider ? `Confirm your sign-in with ${providerName(confirmed.provider)}` : 'Confirm your email address',
    preview: confirmed.provider
      ? `This adds ${providerName(confirmed.provider)} to your account.`
      : 'One more step to finish your account.',
    body: (
      <>
        <EmailHeading>Confirm your email address</EmailHeading>
        <Paragraph>{whatFor(confirmed)}</Paragraph>
        <Action href={mailLink('signup', link, target, confirmed.isBare ? 'recovery' : 'signup')}>Confirm this address</Action>
        <Secrets code={code}>{confirmed.isBare ? NOT_YOU : `Each sign-up sends its own email. Confirm only yours. ${NOT_YOU}`}</Secrets>
      </>
    ),
  }),
)

const NOT_YOU = 'If this wasn’t you, ignore this email.'

function whatFor({ at, device, provider, isBare }: Confirmed): string {
  const on = at ? ` on ${inUtc(at)}` : ''
  if (isBare) return 'Confirm that this address is yours and choose a password. You can then sign in.'
  if (provider) {
    const name = providerName(provider)
    return `Someone signed in with ${name}${on} and gave this address. If it was you, confirm it in the same browser. That ${name} account can then sign in to your account here. Any other browser asks you to choose a password instead.`
  }
  const where = device ? ` in ${device}` : ''
  return `Someone, probably you, created an account with this address${on}${where}. If it was you, confirm it in the same browser. Any other browser asks you to choose a new password.`
}
