import type { Role } from '#app/auth/users/role.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { roleLabels } from './user-state.tsx'

const hints = 'Customers see what is theirs, staff see the business, owners also decide who is staff.'

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
