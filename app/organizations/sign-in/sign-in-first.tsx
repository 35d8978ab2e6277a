import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { signOut } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { ACCOUNT, ownAccount } from '#app/account/settings/account.ts'
import { loginPath } from '#app/account/sign-in/sign-in-texts.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'

/** In place of an organization whose members have to sign in with another provider than this session did. */
export function SignInFirst({ name, provider }: { name: string; provider: string }) {
  const account = useQuery(apiQuery(ACCOUNT, ownAccount))
  const by = providerName(provider)
  return (
    <AccountSection
      id="sign-in-first"
      title={`Sign in with ${by}`}
      intro={`${name} asks its members to sign in with ${by}. You used another sign-in method. Sign in with ${by} to open its datasets, orders and members. Your API keys keep working.`}
    >
      {account.data && (
        <p className="text-small wrap-anywhere">
          Use the {by} account with the address <strong>{account.data.email}</strong>. Without one, ask an admin of {name}. Meanwhile you
          can switch to Personal in{' '}
          <Link to="/account/organization" className="link">
            Your organizations
          </Link>
          .
        </p>
      )}
      <SignInAgain look="primary" className="justify-self-start">
        Sign out, then sign in with {by}
      </SignInAgain>
    </AccountSection>
  )
}

type AgainProps = Omit<React.ComponentProps<typeof ActionButton>, 'action' | 'pending'>

/** Signs out, and comes back here by the sign-in page. A new document discards all data of the person. */
export function SignInAgain(props: AgainProps) {
  const leave = {
    send: async () => orThrow(signOut()),
    failed: 'Not signed out',
    touches: [],
    onDone: () => window.location.assign(loginPath({ next: window.location.pathname })),
  }
  return <ActionButton {...props} action={leave} pending="Signing out..." />
}
