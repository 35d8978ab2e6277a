import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ChooseColumns, DataTable, rowLink, TableToolbar } from '#app/ui/admin/data-table.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { type ListedUser, userPage } from '#app/auth/directory/user-directory.ts'
import { CursorPager } from '#app/ui/admin/cursor-pager.tsx'
import { SavedViews } from '#app/ui/admin/saved-views.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { urlOf, withChanges } from '#app/ui/admin/view.ts'
import { type FieldErrors, readFields } from '#app/account/sign-in/credentials.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { invitation, USERS } from './user-admin.ts'
import { RoleBadge, StateBadge } from './user-state.tsx'
import { RoleOptions, RoleSelect } from './role-select.tsx'

/** All accounts, newest first; searched and paged by the server. */
export function UserList({ mayInvite }: { mayInvite: boolean }) {
  const { params, change } = useView()
  const list = usePageQuery({ ...apiQuery(urlOf(USERS, params, ['q', 'role', 'cursor']), userPage), placeholderData: keepPreviousData })
  const table = useTable({ name: 'users', columns, rows: list.data?.users ?? [] })
  return (
    <div className="grid grid-cols-1 gap-3">
      <TableToolbar>
        <SearchField name="q" label="Search" placeholder="Search by name or email" />
        <RoleFilter />
        <SavedViews name="users" keys={['q', 'role']} />
        <ChooseColumns table={table} />
      </TableToolbar>
      {list.isPending && (
        <div>
          <Loading>Loading people...</Loading>
          <RowsSkeleton />
        </div>
      )}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.users.length === 0 && (
        <Empty
          title="No matches"
          action={
            <Button type="button" look="quiet" onClick={() => change({ q: undefined, role: undefined, cursor: undefined })}>
              Show all
            </Button>
          }
        >
          <p>No account matches this search and this role.</p>
        </Empty>
      )}
      {list.data && list.data.users.length > 0 && (
        <>
          <DataTable table={table} caption="People" nameOf={nameOf} renderNarrow={Narrow} isBusy={list.isPlaceholderData} />
          <CursorPager nextCursor={list.data.nextCursor} />
        </>
      )}
      {mayInvite && params.get('invite') === 'open' && <InviteDialog close={() => change({ invite: undefined })} />}
    </div>
  )
}

function RoleFilter() {
  const { params, change } = useView()
  return (
    <Field label="Role" name="role-filter" tool>
      <Select value={params.get('role') ?? ''} onChange={(event) => change({ role: event.target.value })}>
        <option value="">All roles</option>
        <RoleOptions />
      </Select>
    </Field>
  )
}

const nameOf = ({ name, email }: ListedUser) => name ?? email ?? 'No name'

const columns: TableColumn<ListedUser>[] = [
  { key: 'person', head: 'Person', view: (user) => <PersonLink user={user} /> },
  { key: 'email', head: 'Email', from: 'medium', view: ({ email }) => <span title={email ?? undefined}>{email}</span> },
  { key: 'role', head: 'Role', width: '8rem', from: 'medium', view: (user) => <RoleBadge user={user} /> },
  { key: 'status', head: 'Status', width: '8.5rem', from: 'medium', view: (user) => <StateBadge user={user} /> },
  { key: 'seen', head: 'Last sign-in', width: '8rem', from: 'large', kind: 'data', view: ({ lastSeenAt }) => <Day at={lastSeenAt} /> },
  { key: 'joined', head: 'Joined', width: '8rem', from: 'large', kind: 'data', view: ({ createdAt }) => <Day at={createdAt} /> },
]

function PersonLink({ user }: { user: ListedUser }) {
  const { params } = useView()
  return (
    <Link to={withChanges(params, { user: user.id })} preventScrollReset className={rowLink}>
      {nameOf(user)}
    </Link>
  )
}

function Narrow(user: ListedUser) {
  return (
    <>
      {user.name && <span className="w-full truncate">{user.email}</span>}
      <RoleBadge user={user} />
      <StateBadge user={user} />
    </>
  )
}

function Day({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatDay(at)}</time> : '-'
}

/** Sends an invitation to create an account. The role takes effect once the address is confirmed. */
function InviteDialog({ close }: { close: () => void }) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const invite = useAdminAction<{ email: string; role: string }>({
    method: 'POST',
    url: `${USERS}/invite`,
    body: (given) => given,
    done: 'Invitation sent',
    failed: 'Invitation not sent',
    onDone: close,
  })
  return (
    <FormDialog
      onClose={close}
      title="Invite someone"
      submit={invite.isPending ? 'Sending...' : 'Send invitation'}
      busy={invite.isPending}
      onSubmit={(given) => {
        const read = readFields(invitation, given)
        setErrors(read.errors ?? {})
        if (read.value) invite.mutate(read.value)
      }}
    >
      <p className="text-small text-muted">They’ll get an email with a link to choose a password.</p>
      <Field label="Email" name="email" error={errors['email']}>
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
      <RoleSelect value="customer" />
    </FormDialog>
  )
}
