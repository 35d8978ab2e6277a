import { type QueryClient, useIsFetching, useIsMutating } from '@tanstack/react-query'
import { href, Link } from 'react-router'
import { QueryProvider } from '#app/platform/browser/query-client.tsx'
import { LeaveQuestion } from '#app/ui/admin/leave-warning.tsx'
import { PendingBar } from '#app/ui/pending-bar.tsx'
import { toast } from '#app/ui/toast.ts'
import { DeletionNotice } from '#app/account/deletion/deletion-notice.tsx'
import { LocalMoment } from '#app/ui/local-moment.tsx'
import { restoreSession } from './auth.ts'
import type { Notices } from './notices.ts'
import { signInAgain } from './signed-out.ts'
import { useEffect, useState } from 'react'
import { askIdentityBy } from '#app/platform/browser/confirm-identity.ts'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'

type WorkspaceProps = { notices: Notices; children: React.ReactNode }

/** The frame of signed-in pages: data from the API is cached while it is mounted. */
export function Workspace({ notices, children }: WorkspaceProps) {
  return (
    <QueryProvider onSignedOut={resumeOrLeave}>
      <Activity />
      <AccountNotices notices={notices} />
      {children}
      <ConfirmIdentity />
      <LeaveQuestion />
    </QueryProvider>
  )
}

/** A bar while a request of the page, or a change, takes longer than a moment. */
function Activity() {
  return <PendingBar isOn={useIsFetching() + useIsMutating() > 0} />
}

/** The server no longer knows this browser: it may only have slept too long; otherwise the person has to sign in again. */
function resumeOrLeave(client: QueryClient) {
  restoreSession().then(
    (resumed) => (resumed ? client.refetchQueries({ predicate: ({ state }) => state.status === 'error' }) : signInAgain()),
    () => toast({ title: 'No connection', description: 'The server could not be reached. Please try again.', look: 'danger' }),
  )
}

/** Non-blocking notices above every page of the workspace. */
function AccountNotices({ notices: { hasShortPassword, lacksFactor, factorDueAt, isPaused, deletionDueAt } }: { notices: Notices }) {
  return (
    <>
      {deletionDueAt && <DeletionNotice dueAt={deletionDueAt} />}
      {hasShortPassword && (
        <Advice to={href('/account/security')} deed="Choose a longer one">
          Your password is too short for staff: use at least 12 characters.
        </Advice>
      )}
      {lacksFactor && (factorDueAt || !hasShortPassword) && (
        <Advice to={`${href('/account/security')}#two-step`} deed="Enable 2FA">
          {wordsOf({ factorDueAt, isPaused })}
        </Advice>
      )}
    </>
  )
}

function wordsOf({ factorDueAt, isPaused }: Pick<Notices, 'factorDueAt' | 'isPaused'>) {
  if (isPaused) return 'Your staff access is paused. Set up two-factor authentication to get it back.'
  if (!factorDueAt) return 'Your account can see customer data. Turn on two-factor authentication.'
  return (
    <>
      Set up two-factor authentication by <LocalMoment at={factorDueAt} /> to keep your staff access.
    </>
  )
}

/** One at a time: the longer password comes before two-factor authentication. */
function Advice({ to, deed, children }: { to: string; deed: string; children: React.ReactNode }) {
  return (
    <p className="border-b border-line bg-grain-wash">
      <span className="wrap block py-1.5 text-small">
        {children}{' '}
        <Link to={to} className="link py-2 whitespace-nowrap">
          {deed}
        </Link>
      </span>
    </p>
  )
}

const code = laterCode('The confirmation', () => import('./identity-dialog.tsx'))

/** Asks the person to confirm their identity when the server requires it for a sensitive change, which then continues. */
function ConfirmIdentity() {
  const [answer, setAnswer] = useState<(confirmed: boolean) => void>()
  useEffect(() => askIdentityBy(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (!answer) return null
  const close = (confirmed: boolean) => {
    setAnswer(undefined)
    answer(confirmed)
  }
  return (
    <LaterDialog code={code} onClose={() => close(false)}>
      {({ IdentityDialog }) => <IdentityDialog close={close} />}
    </LaterDialog>
  )
}
