import { numberText } from '#app/platform/text/english-number.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { type ApiKey, MOST_KEYS } from './api-key.ts'
import { shareUsed } from './usage-words.ts'

/** The list of API keys: its columns and words. */
export const keyLook: ListLook<ApiKey> = {
  name: 'api-keys',
  caption: 'API keys',
  one: 'key',
  many: 'keys',
  loading: 'Loading your keys...',
  empty: {
    title: 'No keys yet',
    text: `A key is shown once, when you create it. You can have ${MOST_KEYS}: one per program, so you can replace each separately.`,
  },
  // A replaced key is listed beside its replacement, which has the same name.
  nameOf: ({ name, state }) => (state === 'replaced' ? `${name}, replaced` : name),
  columns: [
    {
      key: 'name',
      head: 'Name',
      view: ({ name }) => <span title={name}>{name}</span>,
      beside: ({ prefix, state }) => (
        <span className="flex items-center gap-2 truncate pb-1">
          <code className="font-mono text-fine text-muted">{prefix}…</code>
          {state === 'replaced' && <Badge look="grain">Replaced</Badge>}
        </span>
      ),
    },
    { key: 'requests', head: 'Requests this month', width: '11rem', from: 'medium', view: (key) => <QuotaMeter apiKey={key} /> },
    { key: 'access', head: 'Access', from: 'large', view: (key) => <span title={accessOf(key)}>{accessOf(key)}</span> },
    { key: 'used', head: 'Last used', width: '7.5rem', from: 'large', kind: 'data', view: ({ lastUsedAt }) => <Day at={lastUsedAt} /> },
    { key: 'expires', head: 'Expires', width: '7.5rem', from: 'medium', kind: 'data', view: ({ expiresAt }) => <Day at={expiresAt} /> },
    {
      key: 'created',
      head: 'Created',
      width: '7.5rem',
      from: 'large',
      isExtra: true,
      kind: 'data',
      view: (key) => <Day at={key.createdAt} />,
    },
  ],
  renderNarrow: (key) => (
    <>
      <QuotaMeter apiKey={key} />
      <span>Last used: {key.lastUsedAt ? formatMoment(key.lastUsedAt) : 'never'}</span>
      <span>Expires: {key.expiresAt ? formatMoment(key.expiresAt) : 'never'}</span>
      <span className="w-full">{accessOf(key)}</span>
    </>
  ),
}

function accessOf({ datasets, organization }: ApiKey): string {
  if (datasets) return datasets.map(({ name }) => name).join(', ') || 'No datasets'
  return organization ? `All datasets of ${organization.name}` : 'All datasets you have access to'
}

function Day({ at }: { at: string | null }) {
  if (!at) return 'Never'
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </time>
  )
}

/** The requests of a key this month, of those that it may make. */
function QuotaMeter({ apiKey: { used, monthlyQuota } }: { apiKey: Pick<ApiKey, 'used' | 'monthlyQuota'> }) {
  const share = shareUsed(used, monthlyQuota)
  return (
    <span className="grid w-36 gap-1">
      <span className="font-mono text-fine text-muted tabular-nums">
        {numberText(used)} of {numberText(monthlyQuota)}
      </span>
      <span aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-sunken">
        <span className={share >= 1 ? 'block h-full bg-alarm' : 'block h-full bg-grain'} style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  )
}
