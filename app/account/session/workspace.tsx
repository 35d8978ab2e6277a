import type { QueryClient } from '@tanstack/react-query'
import { QueryProvider } from '#app/platform/browser/query-client.tsx'
import { toast } from '#app/ui/toast.ts'
import { AccountNotices } from './account-notices.tsx'
import { restoreSession } from './auth.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import type { Notices } from './notices.ts'
import { signInAgain } from './signed-out.ts'

type WorkspaceProps = { notices: Notices; children: React.ReactNode }

/** The frame of signed-in pages: data from the API is cached while it is mounted. */
export function Workspace({ notices, children }: WorkspaceProps) {
  return (
    <QueryProvider onSignedOut={resumeOrLeave}>
      <AccountNotices notices={notices} />
      {children}
      <ConfirmIdentity />
    </QueryProvider>
  )
}

/** The server no longer knows this browser: it may only have slept too long; otherwise the person has to sign in again. */
function resumeOrLeave(client: QueryClient) {
  restoreSession().then(
    (resumed) => (resumed ? client.refetchQueries({ predicate: ({ state }) => state.status === 'error' }) : signInAgain()),
    () => toast({ title: 'No connection', description: 'The server could not be reached. Please try again.', look: 'danger' }),
  )
}
