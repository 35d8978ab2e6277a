import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { roleNames } from '#app/organizations/organization/organization.ts'
import { listedSession, type ListedSession, listedUser, type ListedUser } from '#app/auth/directory/user-directory.ts'
import { deviceOf } from '#app/auth/sessions/device.ts'
import { accountRights, type AccountRight } from '#app/auth/users/role.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { type Neighbors, RecordDrawer, RecordFacts, RecordSection } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { RoleSelect, nameOf, RoleBadge, roleLabels, StateBadge } from './user-state.tsx'
import { accountData, rightsChange, roleChange, userOrganization, USERS } from './user-admin.ts'
import { UserBan } from './user-ban.tsx'

export type UserViewer = { viewerId: string; mayDelete: boolean }

/** The account that the URL names, beside the list, so that it can be shared and left with the back button. */
export function UserDrawer({ viewerId, mayDelete, neighbors }: UserViewer & { neighbors?: Neighbors }) {
  const { params, change } = useView()
  const id = params.get('user')
  const close = () => change({ user: undefined })
  return id && <OpenUser id={id} isSelf={id === viewerId} mayDelete={mayDelete} neighbors={neighbors} close={close} />
}

type OpenUserProps = { id: string; isSelf: boolean; mayDelete: boolean; neighbors: Neighbors; close: () => void }

function OpenUser({ id, isSelf, mayDelete, neighbors, close }: OpenUserProps) {
  const query = useQuery(apiQuery(`${USERS}/${encodeURIComponent(id)}`, listedUser))
  const renderState = (user: ListedUser) => (
    <>
      <RoleBadge user={user} />
      <StateBadge user={user} />
      {isSelf && <span className="text-small text-muted">This is you.</span>}
    </>
  )
  return (
    <RecordDrawer query={query} one="account" titleOf={nameOf} renderState={renderState} neighbors={neighbors} close={close}>
      {(user) => (
        <>
          <Facts user={user} />
          <Companies userId={user.id} />
          <RoleForm user={user} />
          {user.role === 'staff' && <RightsForm user={user} />}
          <UserSessions userId={user.id} />
          {!isSelf && <UserBan user={user} />}
          {!isSelf && mayDelete && <Deletion user={user} close={close} />}
        </>
      )}
    </RecordDrawer>
  )
}

function Facts({ user: { email, createdAt, invitedAt, confirmedAt, lastSeenAt, bannedUntil } }: { user: ListedUser }) {
  const facts = [
    ['Email', email ?? '-'],
    ['Joined', timeOf(createdAt)],
    ['Invited', timeOf(invitedAt)],
    ['Confirmed', timeOf(confirmedAt)],
    ['Last sign-in', timeOf(lastSeenAt)],
    ['Suspended until', timeOf(bannedUntil)],
  ] as const
  return <RecordFacts facts={facts} />
}

/** The companies for which the person works. */
function Companies({ userId }: { userId: string }) {
  const found = useQuery(apiQuery(`${USERS}/${userId}/organizations`, z.array(userOrganization)))
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  if (!found.data || found.data.length === 0) return null
  return (
    <RecordSection title="Organizations">
      <ul className="grid gap-1 text-small">
        {found.data.map(({ reference, name, role }) => (
          <li key={reference} className="flex flex-wrap items-baseline justify-between gap-3">
            <Link to={`/admin/organizations/${reference}`} className="link">
              {name}
            </Link>
            <span className="text-muted">{roleNames[role].label}</span>
          </li>
        ))}
      </ul>
    </RecordSection>
  )
}

const timeOf = (at: string | null) => at && <time dateTime={at}>{formatMoment(at)}</time>

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

const rightLabels: Record<AccountRight, string> = {
  'billing.write': 'Manage billing: refunds, credit notes, payments, closing months',
}

/** Rights beside the role. Staff can read billing without one. */
function RightsForm({ user: { id, rights } }: { user: ListedUser }) {
  const form = useForm({
    schema: rightsChange,
    read: (_texts, given) => ({ rights: given.getAll('rights') }),
    send: async (body) => apiRequest('PUT', `${USERS}/${id}/rights`, body),
    done: 'Rights changed',
    failed: 'Rights not changed',
    touches: accountData,
  })
  return (
    <Form key={rights.join(' ')} form={form} className="grid gap-3">
      <fieldset>
        <legend className="text-small font-semibold">Rights</legend>
        {accountRights.map((right) => (
          <label key={right} className="flex min-h-11 items-center gap-3 text-small">
            <input
              type="checkbox"
              name="rights"
              value={right}
              defaultChecked={rights.includes(right)}
              className="size-5 shrink-0 accent-grain-text"
            />
            {rightLabels[right]}
          </label>
        ))}
      </fieldset>
      <SubmitButton look="quiet" className="justify-self-start">
        Change rights
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
    <RecordSection title="Delete this account">
      <p className="text-small text-muted">
        Their profile, password, second factors and sessions are deleted immediately and permanently. Their enquiries stay among the leads.
      </p>
      <QuestionButton action={action} label="Delete account" question="Delete this account?" confirm="Delete account" look="danger">
        <p>{name ?? email ?? 'This person'} will be signed out immediately and lose this account. This can’t be undone.</p>
      </QuestionButton>
    </RecordSection>
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
    <RecordSection title="Signed in on">
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
    </RecordSection>
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
