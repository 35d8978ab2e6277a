import { KeyList } from '#app/auth/tokens/key-list.tsx'
import type { NamedKey } from '#app/auth/users/user-keys.server.ts'
import type { MadeBefore } from '#app/auth/users/made-before.server.ts'
import type { OtherSignIns } from '#app/auth/users/other-sign-ins.server.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { Action, EmailHeading, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'

/**
 * `keys` are the API keys of the account, which were revoked with the change or still work; `signIns` still work in any case. `made`: what was
 * made in the account before its recovery.
 */
type Changed = { at: string; keys?: NamedKey[]; revoked?: boolean; signIns?: OtherSignIns; made?: MadeBefore | undefined }

export const passwordChangedEmail = defineEmail('password-changed', ({ at, keys = [], revoked = false, signIns, made }: Changed) => ({
  subject: 'Your password was changed',
  preview: 'All other devices were signed out.',
  body: (
    <>
      <EmailHeading>Your password was changed</EmailHeading>
      <Paragraph>Your account password was changed on {inUtc(at)}. We signed out all other devices.</Paragraph>
      <KeyList keys={keys} revoked={revoked} />
      <OtherSignInList passkeys={[]} providers={[]} {...signIns} />
      {made && <MadeBeforeList {...made} />}
      <Paragraph>If this was you, no action is needed. If it wasn’t, reset your password now.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>Reset my password</Action>
    </>
  ),
}))

/** The API keys are listed above. */
function MadeBeforeList({ invited, webhooks }: MadeBefore) {
  if (invited.length + webhooks.length === 0) return null
  return (
    <>
      <Paragraph>
        These were made with your account before. Remove any that you don’t recognize on{' '}
        <TextLink href={`${env.SITE_URL}/account/security`}>your security page</TextLink>:
      </Paragraph>
      {invited.map(({ id, email }) => (
        <Paragraph key={id}>Invited account: {email}</Paragraph>
      ))}
      {webhooks.map(({ id, label }) => (
        <Paragraph key={id}>Webhook: {label}</Paragraph>
      ))}
    </>
  )
}

function OtherSignInList({ passkeys, providers }: OtherSignIns) {
  if (passkeys.length + providers.length === 0) return null
  return (
    <>
      <Paragraph>
        These sign-in methods still work. Remove any that you don’t recognize on{' '}
        <TextLink href={`${env.SITE_URL}/account/security`}>your security page</TextLink>:
      </Paragraph>
      {passkeys.map((name) => (
        <Paragraph key={`passkey ${name}`}>Passkey: {name}</Paragraph>
      ))}
      {providers.map((provider) => (
        <Paragraph key={provider}>{providerName(provider)}</Paragraph>
      ))}
    </>
  )
}
