import { ExternalLinkIcon } from 'lucide-react'
import { numberText } from '#app/platform/text/english-number.ts'
import type { Redirect } from '#app/redirects/rules/redirect.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import type { Placed } from '#app/ui/admin/order.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { DAYS_UNUSED, isExternal, unusedFor, visibleRedirects } from './redirect-view.ts'

export type RedirectRow = Placed<Redirect>

const kindLabels = { exact: 'Exact', wildcard: 'Wildcard', pattern: 'Pattern' }

/** The list of redirects: its columns, filters and words. */
export const redirectLook: ListLook<RedirectRow> = {
  name: 'redirects',
  caption: 'Redirects',
  one: 'redirect',
  many: 'redirects',
  loading: 'Loading redirects...',
  failed: 'Failed to fetch redirects',
  empty: { title: 'No redirects', text: 'No redirects configured yet. Create your first redirect to get started.' },
  none: 'No redirects match your search.',
  nameOf: ({ fromPath }) => fromPath,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Path or description' },
    { key: 'show', label: 'Show', options: visibleRedirects },
    {
      key: 'days',
      label: 'No hits for',
      usual: DAYS_UNUSED,
      options: unusedFor.map((days) => ({ value: String(days), label: `${days} days` })),
      within: { key: 'show', value: 'unused' },
    },
  ],
  columns: [
    {
      key: 'from',
      head: 'From',
      view: ({ fromPath }) => (
        <span className="font-mono" title={fromPath}>
          {fromPath}
        </span>
      ),
      beside: ({ description }) =>
        description && (
          <span className="block truncate pb-1 text-fine text-muted" title={description}>
            {description}
          </span>
        ),
    },
    { key: 'to', head: 'To', from: 'medium', view: (row) => <Target redirect={row} /> },
    { key: 'status', head: 'Status', width: '6.5rem', from: 'medium', view: (row) => <State redirect={row} /> },
    { key: 'code', head: 'Code', width: '4rem', from: 'medium', kind: 'data', view: ({ statusCode }) => statusCode },
    { key: 'kind', head: 'Kind', width: '6rem', isExtra: true, from: 'large', view: ({ kind }) => kindLabels[kind] },
    { key: 'hits', head: 'Hits', width: '6.5rem', from: 'large', kind: 'data', view: (row) => <Hits redirect={row} /> },
    {
      key: 'created',
      head: 'Created',
      width: '7.5rem',
      from: 'large',
      kind: 'data',
      view: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
    },
  ],
  renderNarrow: (row) => (
    <>
      <span className="w-full truncate">
        → <Target redirect={row} />
      </span>
      <State redirect={row} /> {row.statusCode}
    </>
  ),
}

function Target({ redirect: { toPath } }: { redirect: Redirect }) {
  return (
    <span className="font-mono" title={toPath}>
      <span className="sr-only">redirects to </span>
      {isExternal(toPath) && (
        <ExternalLinkIcon role="img" aria-label="Another site" className="mr-1.5 inline size-3.5 align-text-bottom text-muted" />
      )}
      {toPath}
    </span>
  )
}

function State({ redirect: { isActive } }: { redirect: Redirect }) {
  return (
    <Badge look={isActive ? 'leaf' : 'plain'} dot={isActive}>
      {isActive ? 'Active' : 'Inactive'}
    </Badge>
  )
}

function Hits({ redirect: { hits, lastHitAt } }: { redirect: Redirect }) {
  if (!lastHitAt) return 'Never hit'
  return (
    <span title={`Last hit ${formatDay(lastHitAt)}`}>
      {hits === 1 ? '1 hit' : `${numberText(hits)} hits`}
      <span className="sr-only">, last {formatDay(lastHitAt)}</span>
    </span>
  )
}
