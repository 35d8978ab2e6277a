import { useState } from 'react'
import { type FieldErrors, readFields } from '#app/login/credentials.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { RoleSelect } from './role-select.tsx'
import { invitation, USERS } from './user-admin.ts'
import { useAdminAction } from '#app/admin-view/use-admin-action.tsx'

/** Sends someone the letter with which they make their account; they have the role from then on. */
export function InviteDialog({ close }: { close: () => void }) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const invite = useAdminAction<{ email: string; role: string }>({
    method: 'POST',
    url: `${USERS}/invite`,
    body: (given) => given,
    done: 'The invitation is on its way',
    failed: 'Not invited',
    onDone: close,
  })
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      <Button form="invite" busy={invite.isPending}>
        {invite.isPending ? 'Sending...' : 'Send the invitation'}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={close} title="Invite someone" actions={actions}>
      <form
        id="invite"
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const read = readFields(invitation, Object.fromEntries(new FormData(event.currentTarget)))
          setErrors(read.errors ?? {})
          if (read.value) invite.mutate(read.value)
        }}
      >
        <p className="text-small text-muted">They get a letter with a link, choose a password, and are in.</p>
        <Field label="Email" name="email" error={errors['email']}>
          <Input type="email" inputMode="email" autoComplete="off" />
        </Field>
        <RoleSelect value="staff" />
      </form>
    </Dialog>
  )
}
