import { Badge } from '#app/ui/badge.tsx'
import type { OwnAccount } from '#app/own-account/account.ts'
import { AccountSection } from '#app/own-account/account-section.tsx'
import { formatDay } from '#app/own-account/moment.ts'

const names: Record<string, string> = { email: 'E-mail', phone: 'Phone', github: 'GitHub', gitlab: 'GitLab', web3: 'Wallet' }

/** Which accounts elsewhere, and which address, open this one. */
export function WaysSection({ account: { identities, hasPassword } }: { account: OwnAccount }) {
  if (identities.length === 0) return null
  return (
    <AccountSection id="ways" title="Ways to sign in" intro="Each of these opens your account.">
      <ul className="divide-y divide-line border-y border-line">
        {identities.map(({ id, provider, email, lastSignInAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-small">
            <span className="font-semibold">{nameOf(provider)}</span>
            {email && <span className="min-w-0 font-mono text-fine break-words text-muted">{email}</span>}
            {provider === 'email' && <Badge>{hasPassword ? 'Password or code' : 'Code by letter'}</Badge>}
            <span className="ml-auto text-muted">{lastSignInAt ? `Last used ${formatDay(lastSignInAt)}` : 'Not used yet'}</span>
          </li>
        ))}
      </ul>
    </AccountSection>
  )
}

function nameOf(provider: string): string {
  return names[provider] ?? provider.slice(0, 1).toUpperCase() + provider.slice(1)
}
