import { orThrow } from '#app/account/session/session-over.ts'
import { connectProvider, disconnect } from '#app/account/session/provider-auth.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Removal } from './removal.tsx'

/** The connected external accounts and the email address. */
export function SignInMethodsSection({ account }: { account: OwnAccount }) {
  const { identities, hasPassword, connectable, mayConnect } = account
  if (identities.length === 0 && connectable.length === 0) return null
  return (
    <AccountSection id="ways" title="Sign-in methods" intro="You can sign in with any of these.">
      <ul className="divide-y divide-line border-y border-line">
        {identities.map((identity) => (
          <Way key={identity.id} identity={identity} hasPassword={hasPassword} mayGo={mayConnect && identities.length > 1} />
        ))}
      </ul>
      {connectable.length > 0 && <Connections providers={connectable} />}
    </AccountSection>
  )
}

type WayProps = {
  identity: OwnAccount['identities'][number]
  hasPassword: boolean
  /** The last sign-in method cannot be removed. */ mayGo: boolean
}

function Way({ identity: { id, provider, email, lastSignInAt }, hasPassword, mayGo }: WayProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-small">
      <span className="font-semibold">{providerName(provider)}</span>
      {email && <span className="min-w-0 font-mono text-fine break-words text-muted">{email}</span>}
      {provider === 'email' && <Badge>{hasPassword ? 'Password or code' : 'Code by email'}</Badge>}
      <span className="ml-auto text-muted">{lastSignInAt ? `Last used ${formatLongDay(lastSignInAt)}` : 'Not used yet'}</span>
      {mayGo && (
        <Removal name={providerName(provider)} remove={() => disconnect(id)} done={`${providerName(provider)} removed`}>
          You can no longer sign in with it. Your other sign-in methods stay active.
        </Removal>
      )}
    </li>
  )
}

/** Redirects to the provider, which sends people back. */
function Connections({ providers }: { providers: OwnAccount['connectable'] }) {
  return (
    <div className="flex flex-wrap gap-3">
      {providers.map((provider) => (
        <ActionButton
          key={provider}
          action={{ send: async () => orThrow(connectProvider(provider)), failed: 'Not connected', touches: [] }}
          pending="Connecting..."
        >
          Connect {providerName(provider)}
        </ActionButton>
      ))}
    </div>
  )
}
