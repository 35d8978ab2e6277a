import { type ListedUser, userPage } from '#app/auth/directory/user-directory.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { neighborsOf } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { RoleSelect, nameOf, RoleBadge, roleLabels, StateBadge } from './user-state.tsx'
import { accountData, invitation, USERS } from './user-admin.ts'
import { UserDrawer, type UserViewer } from './user-detail.tsx'

const look: ListLook<ListedUser> = {
  name: 'users',
  caption: 'People',
  one: 'account',
  many: 'accounts',
  loading: 'Loading people...',
  none: 'No account matches this search and this role.',
  nameOf,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Name or email' },
    {
      key: 'role',
      label: 'Role',
      options: [{ value: '', label: 'All roles' }, ...Object.entries(roleLabels).map(([value, label]) => ({ value, label }))],
    },
  ],
  columns: [
    { key: 'person', head: 'Person', view: nameOf },
    { key: 'email', head: 'Email', from: 'medium', view: ({ email }) => <span title={email ?? undefined}>{email}</span> },
    { key: 'role', head: 'Role', width: '8rem', from: 'medium', view: (user) => <RoleBadge user={user} /> },
    { key: 'status', head: 'Status', width: '8.5rem', from: 'medium', view: (user) => <StateBadge user={user} /> },
    { key: 'seen', head: 'Last sign-in', width: '8rem', from: 'large', kind: 'data', view: ({ lastSeenAt }) => <Day at={lastSeenAt} /> },
    { key: 'joined', head: 'Joined', width: '8rem', from: 'large', kind: 'data', view: ({ createdAt }) => <Day at={createdAt} /> },
  ],
  renderNarrow: (user) => (
    <>
      {user.name && <span className="w-full truncate">{user.email}</span>}
      <RoleBadge user={user} />
      <StateBadge user={user} />
    </>
  ),
}

/** All accounts, newest first; searched and paged by the server. */
export function UserList({ mayInvite, ...viewer }: UserViewer & { mayInvite: boolean }) {
  const { params, change } = useView()
  const list = useListQuery(USERS, userPage, look.filters)
  const open = ({ id }: ListedUser) => change({ user: id }, { replace: true })
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.users}
      place={{ next: list.data?.nextCursor }}
      opens={({ id }) => ({ to: withChanges(params, { user: id }), isBeside: true })}
    >
      <UserDrawer {...viewer} neighbors={neighborsOf(list.data?.users, params.get('user') ?? '', open)} />
      {mayInvite && params.get('invite') === 'open' && <InviteDialog close={() => change({ invite: undefined })} />}
    </ListPage>
  )
}

function Day({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatDay(at)}</time> : '-'
}

/** Sends an invitation to create an account. The role takes effect once the address is confirmed. */
function InviteDialog({ close }: { close: () => void }) {
  const form = useForm({
    schema: invitation,
    send: async (body) => apiRequest('POST', `${USERS}/invite`, body),
    done: 'Invitation sent',
    failed: 'Invitation not sent',
    touches: accountData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Invite someone" submit="Send invitation" pending="Sending...">
      <p className="text-small text-muted">They’ll get an email with a link to choose a password.</p>
      <Field label="Email" name="email">
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
      <RoleSelect value="customer" />
    </FormDialog>
  )
}
