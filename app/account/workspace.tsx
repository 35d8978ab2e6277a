import type { QueryClient } from '@tanstack/react-query'
import { QueryProvider } from '#app/platform/query-client.tsx'
import { toast } from '#app/ui/toast.ts'
import { AccountNotices } from './account-notices.tsx'
import { restoreSession } from '#app/auth-client/auth.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import type { Notices } from './notices.ts'
import { signInAgain } from './signed-out.ts'

type WorkspaceProps = { notices: Notices; children: React.ReactNode }

/** Around what is for those signed in: what the browser has read from the API is kept for as long as it stands. */
export function Workspace({ notices, children }: WorkspaceProps) {
  return (
    <QueryProvider onSignedOut={resumeOrLeave}>
      <AccountNotices notices={notices} />
      {children}
      <ConfirmIdentity />
    </QueryProvider>
  )
}

/** The server no longer knows this browser: it may only have slept too long, else its person has to sign in again. */
function resumeOrLeave(client: QueryClient) {
  restoreSession().then(
    (resumed) => (resumed ? client.refetchQueries({ predicate: ({ state }) => state.status === 'error' }) : signInAgain()),
    () => toast({ title: 'No connection', description: 'The server could not be reached. Please try again.', look: 'danger' }),
  )
}
