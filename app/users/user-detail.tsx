import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { role as roleSchema } from '#app/auth/users/role.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { listedSession, type ListedSession, type ListedUser } from '#app/auth/directory/user-directory.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { deviceOf } from '#app/auth/sessions/device.ts'
import { RoleSelect } from './role-select.tsx'
import { USERS } from './user-admin.ts'
import { UserBan } from './user-ban.tsx'
import { RoleBadge, roleLabels, StateBadge } from './user-state.tsx'

type UserDetailProps = { user: ListedUser; isSelf: boolean; mayDelete: boolean; close: () => void }

/** The owner's view of one account, with its actions. */
export function UserDetail({ user, isSelf, mayDelete, close }: UserDetailProps) {
  return (
    <div className="grid grid-cols-1 gap-8 pb-4">
      <Facts user={user} isSelf={isSelf} />
      <RoleForm user={user} />
      <UserSessions userId={user.id} />
      {!isSelf && <UserBan user={user} />}
      {!isSelf && mayDelete && <Deletion user={user} close={close} />}
    </div>
  )
}

function Facts({ user, isSelf }: { user: ListedUser; isSelf: boolean }) {
  const { email, createdAt, invitedAt, confirmedAt, lastSeenAt, bannedUntil } = user
  const times = [
    ['Joined', createdAt],
    ['Invited', invitedAt],
    ['Confirmed', confirmedAt],
    ['Last sign-in', lastSeenAt],
    ['Suspended until', bannedUntil],
  ] as const
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap gap-2">
        <RoleBadge user={user} />
        <StateBadge user={user} />
        {isSelf && <span className="text-small text-muted">This is you.</span>}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-small [&_dt]:text-muted">
        <dt>Email</dt>
        <dd className="min-w-0 break-words">{email ?? '-'}</dd>
        {times.map(
          ([label, at]) =>
            at && (
              <div key={label} className="contents">
                <dt>{label}</dt>
                <dd>
                  <time dateTime={at}>{formatMoment(at)}</time>
                </dd>
              </div>
            ),
        )}
      </dl>
    </div>
  )
}

const NOT_PROVEN = 'This account has not confirmed its address yet. Roles can be given once it has.'

function RoleForm({ user: { id, role, isProven, invitedRole } }: { user: ListedUser }) {
  const give = useAdminAction<string>({
    method: 'PATCH',
    url: `${USERS}/${id}`,
    body: (wanted) => ({ role: wanted }),
    done: 'Role changed',
    failed: 'Role not changed',
  })
  return (
    <form
      method="post"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        give.mutate(roleSchema.parse(new FormData(event.currentTarget).get('role')))
      }}
    >
      <RoleSelect value={role} />
      {invitedRole && (
        <p className="text-small text-muted">Invited as {roleLabels[invitedRole]}. The role starts once the address is confirmed.</p>
      )}
      <Button look="quiet" busy={give.isPending} className="justify-self-start" {...(!isProven && { unavailable: NOT_PROVEN })}>
        {give.isPending ? 'Saving...' : 'Change role'}
      </Button>
    </form>
  )
}

function Deletion({ user: { id, email, name }, close }: { user: ListedUser; close: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useAdminAction({
    method: 'DELETE',
    url: `${USERS}/${id}`,
    done: 'Account deleted',
    failed: 'Not deleted',
    onDone: close,
  })
  return (
    <section aria-labelledby="delete-user" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="delete-user">Delete this account</h3>
      <p className="text-small text-muted">
        Their profile, password, second factors and sessions are deleted immediately and permanently. Their enquiries stay among the leads.
      </p>
      <Button type="button" look="danger" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        title="Delete this account?"
        confirm={remove.isPending ? 'Deleting...' : 'Delete account'}
        busy={remove.isPending}
      >
        <p>{name ?? email ?? 'This person'} will be signed out immediately and lose this account. This can’t be undone.</p>
      </ConfirmDialog>
    </section>
  )
}

/** A person's sessions, with buttons to end them. */
function UserSessions({ userId }: { userId: string }) {
  const url = `${USERS}/${userId}/sessions`
  const sessions = useQuery(apiQuery(url, z.array(listedSession)))
  const endAll = useAdminAction({ method: 'DELETE', url, done: 'Signed out everywhere', failed: 'Not signed out' })
  return (
    <section aria-labelledby="user-devices" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="user-devices">Signed in on</h3>
      {sessions.isPending && <Loading>Loading devices...</Loading>}
      {sessions.isError && <Failed error={sessions.error} retry={sessions.refetch} />}
      {sessions.data?.length === 0 && <p className="text-small text-muted">Not signed in anywhere.</p>}
      {sessions.data && sessions.data.length > 0 && (
        <>
          <ul className="w-full divide-y divide-line border-y border-line">
            {sessions.data.map((session) => (
              <Device key={session.id} url={url} session={session} />
            ))}
          </ul>
          <Button type="button" look="quiet" busy={endAll.isPending} onClick={() => endAll.mutate()}>
            {endAll.isPending ? 'Signing out...' : 'Sign out everywhere'}
          </Button>
        </>
      )}
    </section>
  )
}

function Device({ url, session: { id, userAgent, address, lastSeenAt } }: { url: string; session: ListedSession }) {
  const end = useAdminAction({ method: 'DELETE', url: `${url}/${id}`, done: 'That device is signed out', failed: 'Not signed out' })
  const device = deviceOf(userAgent)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-small">
      <span className="min-w-0">
        <span className="block font-semibold">{device}</span>
        <span className="text-muted">
          {address && <span className="font-mono text-fine">{address}, </span>}
          {formatMoment(lastSeenAt)}
        </span>
      </span>
      <Button type="button" look="quiet" size="small" busy={end.isPending} aria-label={`Sign out ${device}`} onClick={() => end.mutate()}>
        {end.isPending ? 'Signing out...' : 'Sign out'}
      </Button>
    </li>
  )
}
