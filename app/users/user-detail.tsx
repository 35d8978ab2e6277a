import { useState } from 'react'
import { role as roleSchema } from '#app/auth/users/role.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import type { ListedUser } from '#app/auth/directory/user-directory.ts'
import { RoleSelect } from './role-select.tsx'
import { USERS } from './user-admin.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { UserBan } from './user-ban.tsx'
import { UserSessions } from './user-sessions.tsx'
import { RoleBadge, roleLabels, StateBadge } from './user-state.tsx'
import { formatMoment } from '#app/ui/moment.ts'

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
  const { email, role, createdAt, invitedAt, confirmedAt, lastSeenAt, bannedUntil } = user
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
        <RoleBadge role={role} />
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
