import type { QueryClient } from '@tanstack/react-query'
import { href, Link } from 'react-router'
import { QueryProvider } from '#app/platform/query-client.tsx'
import { toast } from '#app/ui/toast.ts'
import { restoreSession } from './auth.ts'
import { signInAgain } from './signed-out.ts'

type WorkspaceProps = { /** Shorter than those of staff have to be by now. */ hasShortPassword: boolean; children: React.ReactNode }

/** Around what is for those signed in: what the browser has read from the API is kept for as long as it stands. */
export function Workspace({ hasShortPassword, children }: WorkspaceProps) {
  return (
    <QueryProvider onSignedOut={resumeOrLeave}>
      {hasShortPassword && <ShortPassword />}
      {children}
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

function ShortPassword() {
  return (
    <p className="border-b border-line bg-grain-wash">
      <span className="wrap flex flex-wrap items-center gap-x-3 py-2 text-small">
        Your password is shorter than those of staff have to be: 12 characters.
        <Link to={href('/login/forgot-password')} className="link inline-flex min-h-11 items-center">
          Choose a longer one
        </Link>
      </span>
    </p>
  )
}
