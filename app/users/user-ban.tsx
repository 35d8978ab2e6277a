import { useState } from 'react'
import { type FieldErrors, readFields } from '#app/account/sign-in/credentials.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import type { ListedUser } from '#app/auth/directory/user-directory.ts'
import { ban, banLengths, USERS } from './user-admin.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { formatMoment } from '#app/ui/moment.ts'

/** Suspends a person, with a reason for the audit log, or ends the suspension. */
export function UserBan({ user }: { user: ListedUser }) {
  const [asking, setAsking] = useState(false)
  const letIn = useAdminAction({ method: 'DELETE', url: `${USERS}/${user.id}/ban`, done: 'They can sign in again', failed: 'Not let in' })
  return (
    <section aria-labelledby="ban-user" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="ban-user">Shut out</h3>
      <p className="text-small text-muted">
        {user.bannedUntil
          ? `They cannot sign in until ${formatMoment(user.bannedUntil)}.`
          : 'They are signed out everywhere at once and cannot sign in. Nothing of the account is deleted.'}
      </p>
      {user.bannedUntil ? (
        <Button type="button" look="quiet" busy={letIn.isPending} onClick={() => letIn.mutate()}>
          {letIn.isPending ? 'Saving...' : 'Let in again'}
        </Button>
      ) : (
        <Button type="button" look="danger" onClick={() => setAsking(true)}>
          Shut out
        </Button>
      )}
      {asking && <BanDialog user={user} close={() => setAsking(false)} />}
    </section>
  )
}

function BanDialog({ user: { id, name, email }, close }: { user: ListedUser; close: () => void }) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const shutOut = useAdminAction<{ days: number; reason: string }>({
    method: 'POST',
    url: `${USERS}/${id}/ban`,
    body: (given) => given,
    done: 'They are shut out',
    failed: 'Not shut out',
    onDone: close,
  })
  return (
    <FormDialog
      onClose={close}
      title={`Shut out ${name ?? email ?? 'this person'}?`}
      submit={shutOut.isPending ? 'Saving...' : 'Shut out'}
      look="danger"
      busy={shutOut.isPending}
      onSubmit={(given) => {
        const read = readFields(ban, { ...given, days: Number(given['days']) })
        setErrors(read.errors ?? {})
        if (read.value) shutOut.mutate(read.value)
      }}
    >
      <Field label="How long" name="days" error={errors['days']}>
        <Select defaultValue="7">
          {banLengths.map(({ days, label }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Reason" name="reason" error={errors['reason']} hint="Kept in the audit log, for owners alone.">
        <Input maxLength={500} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
