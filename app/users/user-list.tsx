import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { type ListedUser, userPage } from '#app/auth/directory/user-directory.ts'
import { CursorPager } from '#app/ui/admin/cursor-pager.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { urlOf, withChanges } from '#app/ui/admin/view.ts'
import { type FieldErrors, readFields } from '#app/account/sign-in/credentials.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { invitation, USERS } from './user-admin.ts'
import { RoleBadge, StateBadge } from './user-state.tsx'
import { RoleSelect } from './role-select.tsx'

/** All accounts, newest first; searched and paged by the server. */
export function UserList({ mayInvite }: { mayInvite: boolean }) {
  const [inviting, setInviting] = useState(false)
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="min-w-48 grow basis-64">
          <SearchField name="q" label="Search" placeholder="Search by name or email" />
        </div>
        {mayInvite && (
          <Button type="button" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )}
      </div>
      <People />
      {inviting && <InviteDialog close={() => setInviting(false)} />}
    </div>
  )
}

function People() {
  const { params, change } = useView()
  const list = useQuery({ ...apiQuery(urlOf(USERS, params, ['q', 'cursor']), userPage), placeholderData: keepPreviousData })
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading people...</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (list.data.users.length === 0) {
    return (
      <Empty
        title="No matches"
        action={
          <Button type="button" look="quiet" onClick={() => change({ q: undefined, cursor: undefined })}>
            Show all
          </Button>
        }
      >
        <p>No name or email contains this text.</p>
      </Empty>
    )
  }
  return (
    <>
      <Table caption="People">
        <thead>
          <tr>
            <HeadCell>Person</HeadCell>
            <HeadCell className="max-sm:hidden">Role</HeadCell>
            <HeadCell className="max-sm:hidden">Status</HeadCell>
            <HeadCell className="max-md:hidden">Last sign-in</HeadCell>
            <HeadCell className="max-md:hidden">Joined</HeadCell>
          </tr>
        </thead>
        <tbody>
          {list.data.users.map((user) => (
            <Person key={user.id} user={user} />
          ))}
        </tbody>
      </Table>
      <CursorPager nextCursor={list.data.nextCursor} />
    </>
  )
}

function Person({ user }: { user: ListedUser }) {
  const { params } = useView()
  const { id, email, name, role, lastSeenAt, createdAt } = user
  return (
    <TableRow className="relative hover:bg-sunken">
      <Cell className="min-w-0">
        <Link
          to={withChanges(params, { user: id })}
          preventScrollReset
          className="font-semibold wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-grain-text"
        >
          {name ?? email ?? 'No name'}
        </Link>
        {name && <span className="block break-all text-muted">{email}</span>}
        <span className="mt-1.5 flex flex-wrap gap-1.5 sm:hidden">
          <RoleBadge role={role} />
          <StateBadge user={user} />
        </span>
      </Cell>
      <Cell className="max-sm:hidden">
        <RoleBadge role={role} />
      </Cell>
      <Cell className="max-sm:hidden">
        <StateBadge user={user} />
      </Cell>
      <Cell kind="data" className="max-md:hidden">
        {lastSeenAt ? <time dateTime={lastSeenAt}>{formatDay(lastSeenAt)}</time> : '-'}
      </Cell>
      <Cell kind="data" className="max-md:hidden">
        <time dateTime={createdAt}>{formatDay(createdAt)}</time>
      </Cell>
    </TableRow>
  )
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
      <RoleSelect value="staff" />
    </FormDialog>
  )
}
