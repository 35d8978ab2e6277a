import { useState } from 'react'
import type { ApiKey, MadeKey } from './api-key.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { KeyUsagePanel } from './key-usage-panel.tsx'
import { RenameKeyDialog } from './rename-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { shareUsed } from './usage-words.ts'

type Open = 'rename' | 'rotate' | 'revoke'

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
        <Button type="button" look="quiet" size="small" aria-label={`Revoke ${name} ${prefix}`} onClick={() => setOpen('revoke')}>
          Revoke
        </Button>
      </div>
      {isUsageOpen && <KeyUsagePanel id={id} name={name} />}
      {open === 'rename' && <RenameKeyDialog apiKey={apiKey} close={close} />}
      {open === 'revoke' && <RevokeKeyDialog apiKey={apiKey} close={close} />}
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
    ['Access', datasets ? datasets.map(({ name }) => name).join(', ') || 'no datasets' : 'all datasets you have access to'],
    ['Created', formatDay(createdAt)],
    ['Expires', expiresAt ? formatMoment(expiresAt) : 'never'],
    ['Last used', lastUsedAt ? formatMoment(lastUsedAt) : 'never'],
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
        {used.toLocaleString('en')} of {monthlyQuota.toLocaleString('en')} requests this month
      </p>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <div className={share >= 1 ? 'h-full bg-alarm' : 'h-full bg-grain'} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
