import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/english-number.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type ApiKey, keyName, KEYS, keyUsage, type MadeKey, madeKey, overlap, REVOCATION_UNDO, rotation } from './api-key.ts'
import { shareUsed } from './usage-words.ts'
import { UsageChart } from './usage-chart.tsx'

type Open = 'rename' | 'rotate'

/** A working key and its actions. */
export function KeyItem({ apiKey, show }: { apiKey: ApiKey; show: (made: MadeKey) => void }) {
  const [open, setOpen] = useState<Open>()
  const [isUsageOpen, setUsageOpen] = useState(false)
  const close = () => setOpen(undefined)
  const { id, name, prefix, state, expiresAt } = apiKey
  // It is listed beside its replacement, which has the same name.
  const called = state === 'replaced' ? `${name}, replaced` : name
  return (
    <li className="grid grid-cols-1 gap-4 py-5 last:pb-0">
      <div className="grid gap-1.5">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {state === 'replaced' && <Badge look="grain">Replaced</Badge>}
        </h3>
        <p className="text-small text-muted">
          <code className="font-mono text-fine">{prefix}…</code>
          {state === 'replaced' && expiresAt && <> works until {formatMoment(expiresAt)}</>}
        </p>
      </div>
      <Facts apiKey={apiKey} />
      <QuotaMeter apiKey={apiKey} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="button"
          look="quiet"
          size="small"
          aria-expanded={isUsageOpen}
          aria-label={`Usage of ${called}`}
          onClick={() => setUsageOpen(!isUsageOpen)}
        >
          Usage
        </Button>
        <Button type="button" look="quiet" size="small" aria-label={`Rename ${called}`} onClick={() => setOpen('rename')}>
          Rename
        </Button>
        {state === 'live' && (
          <Button type="button" look="quiet" size="small" aria-label={`Rotate ${name}`} onClick={() => setOpen('rotate')}>
            Rotate
          </Button>
        )}
        <RevokeButton apiKey={apiKey} />
      </div>
      {isUsageOpen && <KeyUsagePanel id={id} name={name} />}
      {open === 'rename' && <RenameKeyDialog apiKey={apiKey} close={close} />}
      {open === 'rotate' && (
        <RotateKeyDialog
          apiKey={apiKey}
          close={close}
          done={(made) => {
            close()
            show(made)
          }}
        />
      )}
    </li>
  )
}

function Facts({ apiKey: { datasets, createdAt, expiresAt, lastUsedAt } }: { apiKey: ApiKey }) {
  const facts = [
    ['Access', datasets ? datasets.map(({ name }) => name).join(', ') || 'No datasets' : 'All datasets you have access to'],
    ['Created', formatDay(createdAt)],
    ['Expires', expiresAt ? formatMoment(expiresAt) : 'Never'],
    ['Last used', lastUsedAt ? formatMoment(lastUsedAt) : 'Never'],
  ]
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-2 text-small sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="grid grid-cols-[6rem_1fr] gap-2">
          <dt className="text-muted">{label}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function QuotaMeter({ apiKey: { used, monthlyQuota } }: { apiKey: ApiKey }) {
  const share = shareUsed(used, monthlyQuota)
  return (
    <div className="grid gap-1.5">
      <p className="font-mono text-fine text-muted tabular-nums">
        {numberText(used)} of {numberText(monthlyQuota)} requests this month
      </p>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <div className={share >= 1 ? 'h-full bg-alarm' : 'h-full bg-grain'} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
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

function RevokeButton({ apiKey: { id, name, prefix } }: { apiKey: ApiKey }) {
  const action = {
    send: async () => apiRequest('DELETE', `${KEYS}/${id}`),
    done: 'Key revoked',
    undo: () => async () => apiRequest('POST', `${KEYS}/${id}/restore`),
    failed: 'Not revoked',
    touches: [KEYS],
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Revoke ${name} ${prefix}`}
      label="Revoke"
      question={`Revoke ${name}?`}
      confirm="Revoke key"
      pending="Revoking..."
    >
      <p>
        The key <code className="font-mono text-fine">{prefix}…</code> stops working with its next request. You can undo this for{' '}
        {REVOCATION_UNDO} seconds.
      </p>
    </QuestionButton>
  )
}

/** The usage of a key, loaded each time that the panel opens. */
function KeyUsagePanel({ id, name }: { id: string; name: string }) {
  const usage = useQuery({ ...apiQuery(`${KEYS}/${id}/usage`, keyUsage), staleTime: 0 })
  return (
    <section aria-label={`Usage of ${name}`} className="grid grid-cols-1 gap-3 rounded-card border border-line p-4 sm:p-5">
      {usage.isPending && (
        <div>
          <Loading>Loading usage...</Loading>
          <Skeleton lines={4} />
        </div>
      )}
      {usage.isError && <Failed error={usage.error} retry={usage.refetch} />}
      {usage.data && (
        <>
          <UsageChart days={usage.data.days} />
          <p className="text-small text-muted">Your quota resets on {formatMoment(usage.data.resetsAt)}.</p>
        </>
      )}
    </section>
  )
}

const overlaps = [
  { hours: 0, label: 'Immediately' },
  { hours: 1, label: 'An hour' },
  { hours: overlap.usual, label: '24 hours' },
  { hours: 72, label: '3 days' },
  { hours: overlap.most, label: '7 days' },
]

/** Replaces a key without a gap. */
function RotateKeyDialog({ apiKey: { id, name }, close, done }: { apiKey: ApiKey; close: () => void; done: (made: MadeKey) => void }) {
  const form = useForm({
    schema: rotation,
    read: ({ overlapHours }) => ({ overlapHours: Number(overlapHours) }),
    send: async (body) => madeKey.parse(await (await apiRequest('POST', `${KEYS}/${id}/rotate`, body)).json()),
    failed: 'Not rotated',
    touches: [KEYS],
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
