import { href, Link } from 'react-router'
import { DeletionNotice } from '#app/account/deletion/deletion-notice.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import type { Notices } from './notices.ts'

/** Non-blocking notices above every page of the workspace. */
export function AccountNotices({ notices: { hasShortPassword, lacksFactor, factorDueAt, isPaused, deletionDueAt } }: { notices: Notices }) {
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
      Set up two-factor authentication by <time dateTime={factorDueAt}>{formatMoment(factorDueAt)}</time> to keep your staff access.
    </>
  )
}

/** One at a time: the longer password comes before two-factor authentication. */
function Advice({ to, deed, children }: { to: string; deed: string; children: React.ReactNode }) {
  return (
    <p className="border-b border-line bg-grain-wash">
      <span className="wrap flex flex-wrap items-center gap-x-3 py-2 text-small">
        <span>{children}</span>
        <Link to={to} className="link inline-flex min-h-11 items-center">
          {deed}
        </Link>
      </span>
    </p>
  )
}
