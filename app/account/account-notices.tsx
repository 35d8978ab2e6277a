import { href, Link } from 'react-router'
import { DeletionNotice } from '#app/deletion/deletion-notice.tsx'
import type { Notices } from './notices.ts'

/** Above every page of the workspace. None of them stands in anyone's way. */
export function AccountNotices({ notices: { hasShortPassword, lacksFactor, deletionDueAt } }: { notices: Notices }) {
  return (
    <>
      {deletionDueAt && <DeletionNotice dueAt={deletionDueAt} />}
      {hasShortPassword && (
        <Advice to={href('/account/security')} deed="Choose a longer one">
          Your password is shorter than those of staff have to be: 12 characters.
        </Advice>
      )}
      {lacksFactor && !hasShortPassword && (
        <Advice to={`${href('/account/security')}#two-step`} deed="Set it up">
          You see other people’s data. Protect your sign-in with a second step.
        </Advice>
      )}
    </>
  )
}

/** One at a time: the password comes before its second step. */
function Advice({ to, deed, children }: { to: string; deed: string; children: string }) {
  return (
    <p className="border-b border-line bg-grain-wash">
      <span className="wrap flex flex-wrap items-center gap-x-3 py-2 text-small">
        {children}
        <Link to={to} className="link inline-flex min-h-11 items-center">
          {deed}
        </Link>
      </span>
    </p>
  )
}
