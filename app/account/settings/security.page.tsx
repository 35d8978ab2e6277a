import { allow } from '#app/access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/security.page.ts'
import { AccountState } from './account-state.tsx'
import { accountHead } from './page-title.ts'
import { FactorSection } from './factor-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SignInMethodsSection } from './sign-in-methods-section.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'workspace.enter')
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
          <SignInMethodsSection account={account} />
        </>
      )}
    </AccountState>
  )
}
