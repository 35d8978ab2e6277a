import { allow } from '#app/access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/data.page.ts'
import { AccountState } from './account-state.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { ExportSection } from './export-section.tsx'
import { accountHead } from './page-title.ts'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'workspace.enter')
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
