import { allow } from '#app/access.server.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import type { Route } from './+types/security.page.ts'
import { AccountState } from '#app/own-account/account-state.tsx'
import { accountHead } from '#app/own-account/page-title.ts'
import { FactorSection } from './factor-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { WaysSection } from './ways-section.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(visitOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('Security')

export default function SecurityPage() {
  return (
    <AccountState>
      {(account) => (
        <>
          <PasswordSection account={account} />
          {account.hasPasskeys && <PasskeySection />}
          <FactorSection account={account} />
          <WaysSection account={account} />
        </>
      )}
    </AccountState>
  )
}
