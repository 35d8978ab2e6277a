import type { Role } from '#app/auth/users/role.ts'
import { Badge } from '#app/ui/badge.tsx'
import type { ListedUser } from '#app/auth/directory/user-directory.ts'
import { formatDay } from '#app/ui/moment.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'

const roleLooks = { customer: 'plain', staff: 'leaf', owner: 'grain' } as const

export const roleLabels: Record<Role, string> = { customer: 'Customer', staff: 'Staff', owner: 'Owner' }

export const nameOf = ({ name, email }: Pick<ListedUser, 'name' | 'email'>) => name ?? email ?? 'No name'

/** The role of an account, or the one that it is invited to. */
export function RoleBadge({ user: { role, invitedRole } }: { user: Pick<ListedUser, 'role' | 'invitedRole'> }) {
  if (invitedRole) return <Badge>{`${roleLabels[invitedRole]}, invited`}</Badge>
  return <Badge look={roleLooks[role]}>{roleLabels[role]}</Badge>
}

/** The state of an account: active, invited, unconfirmed or suspended. */
export function StateBadge({ user: { bannedUntil, confirmedAt, invitedAt } }: { user: ListedUser }) {
  if (bannedUntil) return <Badge look="alarm">{isForGood(bannedUntil) ? 'Suspended' : `Suspended until ${formatDay(bannedUntil)}`}</Badge>
  if (confirmedAt) return <Badge>Active</Badge>
  return <Badge look="grain">{invitedAt ? 'Invited' : 'Not confirmed'}</Badge>
}

const LONG_MS = 10 * 365 * 24 * 3_600_000

function isForGood(until: string): boolean {
  return new Date(until).getTime() - Date.now() > LONG_MS
}

const hints = 'Customers see their own data. Staff see all business data. Owners also manage roles.'

export function RoleSelect({ value }: { value: Role }) {
  return (
    <Field label="Role" name="role" hint={hints}>
      <Select key={value} defaultValue={value}>
        {Object.entries(roleLabels).map(([role, label]) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
