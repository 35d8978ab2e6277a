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
  const endSuspension = useAdminAction({
    method: 'DELETE',
    url: `${USERS}/${user.id}/ban`,
    done: 'Suspension ended',
    failed: 'Suspension not ended',
  })
  return (
    <section aria-labelledby="ban-user" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="ban-user">Suspend</h3>
      <p className="text-small text-muted">
        {user.bannedUntil
          ? `They cannot sign in until ${formatMoment(user.bannedUntil)}.`
          : 'Signs them out everywhere immediately and blocks sign-in. Nothing is deleted.'}
      </p>
      {user.bannedUntil ? (
        <Button type="button" look="quiet" busy={endSuspension.isPending} onClick={() => endSuspension.mutate()}>
          {endSuspension.isPending ? 'Saving...' : 'End suspension'}
        </Button>
      ) : (
        <Button type="button" look="danger" onClick={() => setAsking(true)}>
          Suspend
        </Button>
      )}
      {asking && <BanDialog user={user} close={() => setAsking(false)} />}
    </section>
  )
}

function BanDialog({ user: { id, name, email }, close }: { user: ListedUser; close: () => void }) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const suspend = useAdminAction<{ days: number; reason: string }>({
    method: 'POST',
    url: `${USERS}/${id}/ban`,
    body: (given) => given,
    done: 'Account suspended',
    failed: 'Account not suspended',
    onDone: close,
  })
  return (
    <FormDialog
      onClose={close}
      title={`Suspend ${name ?? email ?? 'this person'}?`}
      submit={suspend.isPending ? 'Saving...' : 'Suspend'}
      look="danger"
      busy={suspend.isPending}
      onSubmit={(given) => {
        const read = readFields(ban, { ...given, days: Number(given['days']) })
        setErrors(read.errors ?? {})
        if (read.value) suspend.mutate(read.value)
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
      <Field label="Reason" name="reason" error={errors['reason']} hint="Only owners can see it, in the audit log.">
        <Input most={500} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
