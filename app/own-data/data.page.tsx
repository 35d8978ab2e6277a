import { allow } from '#app/access.server.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import type { Route } from './+types/data.page.ts'
import { AccountState } from '#app/own-account/account-state.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { ExportSection } from './export-section.tsx'
import { accountHead } from '#app/own-account/page-title.ts'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(visitOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('Your data')

export default function DataPage() {
  return (
    <AccountState>
      {(account) => (
        <>
          <ExportSection />
          <DeletionSection account={account} />
        </>
      )}
    </AccountState>
  )
}
