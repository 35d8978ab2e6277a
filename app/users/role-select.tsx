import type { Role } from '#app/auth/users/role.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { roleLabels } from './user-state.tsx'

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
