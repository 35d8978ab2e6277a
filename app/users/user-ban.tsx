import { useState } from 'react'
import type { ListedUser } from '#app/auth/directory/user-directory.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { RecordSection } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { accountData, ban, banLengths, USERS } from './user-admin.ts'

/** Suspends a person, with a reason for the audit log, or ends the suspension. */
export function UserBan({ user }: { user: ListedUser }) {
  const [asking, setAsking] = useState(false)
  const end = {
    send: async () => apiRequest('DELETE', `${USERS}/${user.id}/ban`),
    done: 'Suspension ended',
    failed: 'Suspension not ended',
    touches: accountData,
  }
  return (
    <RecordSection title="Suspend">
      <p className="text-small text-muted">
        {user.bannedUntil
          ? `They cannot sign in until ${formatMoment(user.bannedUntil)}.`
          : 'Signs them out everywhere immediately and blocks sign-in. Nothing is deleted.'}
      </p>
      {user.bannedUntil ? (
        <ActionButton action={end}>End suspension</ActionButton>
      ) : (
        <Button type="button" look="danger" onClick={() => setAsking(true)}>
          Suspend
        </Button>
      )}
      {asking && <BanDialog user={user} close={() => setAsking(false)} />}
    </RecordSection>
  )
}

function BanDialog({ user: { id, name, email }, close }: { user: ListedUser; close: () => void }) {
  const form = useForm({
    schema: ban,
    read: ({ days, reason }) => ({ days: Number(days), reason }),
    send: async (body) => apiRequest('POST', `${USERS}/${id}/ban`, body),
    done: 'Account suspended',
    failed: 'Account not suspended',
    touches: accountData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Suspend ${name ?? email ?? 'this person'}?`} submit="Suspend" look="danger">
      <Field label="How long" name="days">
        <Select defaultValue="7">
          {banLengths.map(({ days, label }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Reason" name="reason" hint="Only owners can see it, in the audit log.">
        <Input most={500} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
