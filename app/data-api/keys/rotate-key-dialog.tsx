import { type ApiKey, KEYS, type MadeKey, overlap } from './api-key.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Select } from '#app/ui/input.tsx'
import { useKeyAction } from './use-key-action.ts'

const overlaps = [
  { hours: 0, label: 'Immediately' },
  { hours: 1, label: 'An hour' },
  { hours: overlap.usual, label: '24 hours' },
  { hours: 72, label: '3 days' },
  { hours: overlap.most, label: '7 days' },
]

/** Replaces a key without a gap. */
export function RotateKeyDialog({
  apiKey: { id, name },
  close,
  done,
}: {
  apiKey: ApiKey
  close: () => void
  done: (made: MadeKey) => void
}) {
  const rotate = async (given: Record<string, string>): Promise<MadeKey> =>
    (await apiRequest('POST', `${KEYS}/${id}/rotate`, { overlapHours: Number(given['overlapHours']) })).json()
  const { run, busy, errors } = useKeyAction(rotate, done, 'Not rotated')
  return (
    <FormDialog onClose={close} title={`Rotate ${name}`} submit={busy ? 'Creating...' : 'Create new key'} busy={busy} onSubmit={run}>
      <p className="text-small text-muted">The new key has the same access and shares its quota. Both work until the old one expires.</p>
      <Field label="The old key keeps working for" name="overlapHours" error={errors['overlapHours']}>
        <Select defaultValue={overlap.usual}>
          {overlaps.map(({ hours, label }) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}
