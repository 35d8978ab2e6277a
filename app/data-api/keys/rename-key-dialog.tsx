import { type ApiKey, KEYS } from './api-key.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { useKeyAction } from './use-key-action.ts'

export function RenameKeyDialog({ apiKey: { id, name }, close }: { apiKey: ApiKey; close: () => void }) {
  const rename = (given: Record<string, string>) => apiRequest('PATCH', `${KEYS}/${id}`, { name: given['name'] ?? '' })
  const done = () => {
    close()
    toast({ title: 'Key renamed' })
  }
  const { run, busy, errors } = useKeyAction(rename, done, 'Not renamed')
  return (
    <FormDialog onClose={close} title={`Rename ${name}`} submit={busy ? 'Saving...' : 'Save'} busy={busy} onSubmit={run}>
      <Field label="Name" name="name" error={errors['name']}>
        <Input autoComplete="off" defaultValue={name} maxLength={60} />
      </Field>
    </FormDialog>
  )
}
