import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { listedSession, type ListedSession, type ListedUser } from '#app/auth/directory/user-directory.ts'
import { deviceOf } from '#app/auth/sessions/device.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { RoleSelect } from './role-select.tsx'
import { accountData, roleChange, USERS } from './user-admin.ts'
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
  const form = useForm({
    schema: roleChange,
    send: async (body) => apiRequest('PATCH', `${USERS}/${id}`, body),
    done: 'Role changed',
    failed: 'Role not changed',
    touches: accountData,
  })
  return (
    <Form form={form} className="grid gap-3">
      <RoleSelect value={role} />
      {invitedRole && (
        <p className="text-small text-muted">Invited as {roleLabels[invitedRole]}. The role starts once the address is confirmed.</p>
      )}
      <SubmitButton look="quiet" className="justify-self-start" {...(!isProven && { unavailable: NOT_PROVEN })}>
        Change role
      </SubmitButton>
    </Form>
  )
}

function Deletion({ user: { id, email, name }, close }: { user: ListedUser; close: () => void }) {
  const action = {
    send: async () => apiRequest('DELETE', `${USERS}/${id}`),
    done: 'Account deleted',
    failed: 'Not deleted',
    touches: accountData,
    onDone: close,
  }
  return (
    <section aria-labelledby="delete-user" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="delete-user">Delete this account</h3>
      <p className="text-small text-muted">
        Their profile, password, second factors and sessions are deleted immediately and permanently. Their enquiries stay among the leads.
      </p>
      <QuestionButton action={action} label="Delete account" question="Delete this account?" confirm="Delete account" look="danger">
        <p>{name ?? email ?? 'This person'} will be signed out immediately and lose this account. This can’t be undone.</p>
      </QuestionButton>
    </section>
  )
}

/** A person's sessions, with buttons to end them. */
function UserSessions({ userId }: { userId: string }) {
  const url = `${USERS}/${userId}/sessions`
  const sessions = useQuery(apiQuery(url, z.array(listedSession)))
  const endAll = {
    send: async () => apiRequest('DELETE', url),
    done: 'Signed out everywhere',
    failed: 'Not signed out',
    touches: accountData,
  }
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
          <ActionButton action={endAll} pending="Signing out...">
            Sign out everywhere
          </ActionButton>
        </>
      )}
    </section>
  )
}

function Device({ url, session: { id, userAgent, address, lastSeenAt } }: { url: string; session: ListedSession }) {
  const end = {
    send: async () => apiRequest('DELETE', `${url}/${id}`),
    done: 'That device is signed out',
    failed: 'Not signed out',
    touches: accountData,
  }
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
      <ActionButton action={end} size="small" aria-label={`Sign out ${device}`} pending="Signing out...">
        Sign out
      </ActionButton>
    </li>
  )
}
