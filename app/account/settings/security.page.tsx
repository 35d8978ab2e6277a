import type { Handle } from '#app/access.server.ts'
import { AccountState } from './account-state.tsx'
import { accountHead } from './page-title.ts'
import { FactorSection } from './factor-section.tsx'
import { MadeBeforeSection } from './made-before-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SignInMethodsSection } from './sign-in-methods-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Security')

export default function SecurityPage() {
  return (
    <AccountState>
      {(account) => (
        <>
          {account.madeBefore && <MadeBeforeSection madeBefore={account.madeBefore} />}
          <PasswordSection account={account} />
          {account.hasPasskeys && <PasskeySection />}
          <FactorSection account={account} />
          <SignInMethodsSection account={account} />
        </>
      )}
    </AccountState>
  )
}
