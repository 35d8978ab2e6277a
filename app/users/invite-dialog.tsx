import { useState } from 'react'
import { type FieldErrors, readFields } from '#app/account/sign-in/credentials.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { RoleSelect } from './role-select.tsx'
import { invitation, USERS } from './user-admin.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'

/** Sends an invitation to create an account. The role takes effect once the address is confirmed. */
export function InviteDialog({ close }: { close: () => void }) {
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
