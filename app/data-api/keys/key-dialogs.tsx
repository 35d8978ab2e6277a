import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type ApiKey, keyName, KEYS, keyUsage, type MadeKey, madeKey, overlap, REVOCATION_UNDO, rotation } from './api-key.ts'
import { UsageChart } from './usage-chart.tsx'

/** The open dialog of a key. */
export type OpenKey = { apiKey: ApiKey; open: 'usage' | 'rename' | 'rotate' | 'revoke' }

type KeyDialogProps = OpenKey & { close: () => void; /** Shows a new key once. */ show: (made: MadeKey) => void }

export function KeyDialog({ apiKey, open, close, show }: KeyDialogProps) {
  if (open === 'usage') return <KeyUsageDialog apiKey={apiKey} close={close} />
  if (open === 'rename') return <RenameKeyDialog apiKey={apiKey} close={close} />
  if (open === 'revoke') return <RevokeKeyDialog apiKey={apiKey} close={close} />
  const done = (made: MadeKey) => {
    close()
    show(made)
  }
  return <RotateKeyDialog apiKey={apiKey} close={close} done={done} />
}

function RenameKeyDialog({ apiKey: { id, name }, close }: { apiKey: ApiKey; close: () => void }) {
  const form = useForm({
    schema: keyName,
    send: async (body) => apiRequest('PATCH', `${KEYS}/${id}`, body),
    done: 'Key renamed',
    failed: 'Not renamed',
    touches: [KEYS],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Rename ${name}`} submit="Save">
      <Field label="Name" name="name">
        <Input autoComplete="off" defaultValue={name} most={60} />
      </Field>
    </FormDialog>
  )
}

type RevokeKeyProps = { apiKey: ApiKey; close: () => void; /** Of another's key, that of its organization. */ url?: string }

export function RevokeKeyDialog({ apiKey: { id, name, prefix }, close, url = KEYS }: RevokeKeyProps) {
  const revoke = {
    send: async () => apiRequest('DELETE', `${url}/${id}`),
    done: 'Key revoked',
    undo: () => async () => apiRequest('POST', `${url}/${id}/restore`),
    failed: 'Not revoked',
    touches: [KEYS, url],
  }
  return (
    <QuestionDialog action={revoke} close={close} question={`Revoke ${name}?`} confirm="Revoke key" pending="Revoking...">
      <p>
        The key <code className="font-mono text-fine">{prefix}…</code> stops working with its next request. You can undo this for{' '}
        {REVOCATION_UNDO} seconds.
      </p>
    </QuestionDialog>
  )
}

/** The usage of a key, loaded each time that it is opened. */
function KeyUsageDialog({ apiKey: { id, name }, close }: { apiKey: ApiKey; close: () => void }) {
  const usage = useQuery({ ...apiQuery(`${KEYS}/${id}/usage`, keyUsage), staleTime: 0 })
  return (
    <Dialog open side onClose={close} title={`Usage of ${name}`}>
      {usage.isPending && (
        <div>
          <Loading>Loading usage...</Loading>
          <Skeleton lines={4} />
        </div>
      )}
      {usage.isError && <Failed error={usage.error} retry={usage.refetch} />}
      {usage.data && (
        <div className="grid grid-cols-1 gap-3">
          <UsageChart days={usage.data.days} />
          <p className="text-small text-muted">Your quota resets on {formatMoment(usage.data.resetsAt)}.</p>
        </div>
      )}
    </Dialog>
  )
}

const overlaps = [
  { hours: 0, label: 'Immediately' },
  { hours: 1, label: 'An hour' },
  { hours: overlap.usual, label: '24 hours' },
  { hours: 72, label: '3 days' },
  { hours: overlap.most, label: '7 days' },
]

type RotateKeyProps = {
  apiKey: ApiKey
  close: () => void
  done: (made: MadeKey) => void
  /** Of a service key, that of its organization. */
  url?: string
}

/** Replaces a key without a gap. */
export function RotateKeyDialog({ apiKey: { id, name }, close, done, url = KEYS }: RotateKeyProps) {
  const form = useForm({
    schema: rotation,
    read: ({ overlapHours }) => ({ overlapHours: Number(overlapHours) }),
    send: async (body) => madeKey.parse(await (await apiRequest('POST', `${url}/${id}/rotate`, body)).json()),
    failed: 'Not rotated',
    touches: [KEYS, url],
    onDone: done,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Rotate ${name}`} submit="Create new key" pending="Creating...">
      <p className="text-small text-muted">The new key has the same access and shares its quota. Both work until the old one expires.</p>
      <Field label="The old key keeps working for" name="overlapHours">
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
