import { keepPreviousData } from '@tanstack/react-query'
import { DownloadIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { numberText } from '#app/platform/english-number.ts'
import { CursorPager } from '#app/ui/admin/cursor-pager.tsx'
import { ChooseColumns, DataTable, TableToolbar } from '#app/ui/admin/data-table.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { newsletterData, type Subscriber, subscriberPage, type SubscriberPage, type SubscriberState, SUBSCRIBERS } from './newsletter.ts'

/** All subscribers, newest first; searched, filtered and paged by the server. */
export function SubscriberList() {
  const { params } = useView()
  const [leaving, setLeaving] = useState<readonly Subscriber[]>()
  const url = urlOf(SUBSCRIBERS, params, ['q', 'state', 'cursor'])
  const list = usePageQuery({ ...apiQuery(url, subscriberPage), placeholderData: keepPreviousData })
  const table = useTable({ name: 'subscribers', columns, rows: list.data?.subscribers ?? [] })
  return (
    <div className="grid grid-cols-1 gap-3">
      <TableToolbar>
        <SearchField name="q" label="Search" placeholder="Search by email" />
        <StateSelect counts={list.data?.counts} />
        <ChooseColumns table={table} />
        <a href={urlOf(`${SUBSCRIBERS}.csv`, params, ['q', 'state'])} download className={buttonLook('quiet')}>
          <DownloadIcon aria-hidden="true" className="size-4" />
          Export CSV
        </a>
        <a href={urlOf(`${SUBSCRIBERS}.csv?format=xlsx`, params, ['q', 'state'])} download className={buttonLook('quiet')}>
          Export Excel
        </a>
      </TableToolbar>
      {list.isPending && (
        <div>
          <Loading>Loading subscribers...</Loading>
          <RowsSkeleton columns={4} />
        </div>
      )}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.subscribers.length === 0 && <NoSubscribers />}
      {list.data && list.data.subscribers.length > 0 && (
        <>
          <DataTable
            table={table}
            caption="Subscribers"
            nameOf={({ email }) => email}
            renderNarrow={(row) => <StateBadge state={row.state} />}
            menuOf={(row) => [{ label: 'Delete', isDanger: true, act: () => setLeaving([row]) }]}
            renderBulk={(rows) => (
              <Button type="button" look="quiet" size="small" onClick={() => setLeaving(rows)}>
                Delete
              </Button>
            )}
            isBusy={list.isPlaceholderData}
          />
          <CursorPager nextCursor={list.data.nextCursor} />
        </>
      )}
      {leaving && <DeleteSubscribers rows={leaving} close={() => setLeaving(undefined)} />}
    </div>
  )
}

const states: Record<SubscriberState, { label: string; look: React.ComponentProps<typeof Badge>['look'] }> = {
  active: { label: 'Subscribed', look: 'leaf' },
  pending: { label: 'Not confirmed', look: 'grain' },
  unsubscribed: { label: 'Unsubscribed', look: 'plain' },
  bounced: { label: 'Bounced', look: 'alarm' },
}

const sources: Record<Subscriber['source'], string> = { blog: 'Blog', post: 'Post', page: 'Newsletter page' }

const columns: TableColumn<Subscriber>[] = [
  { key: 'email', head: 'Email', view: ({ email }) => <span title={email}>{email}</span> },
  { key: 'state', head: 'Status', width: '9rem', from: 'medium', view: ({ state }) => <StateBadge state={state} /> },
  { key: 'source', head: 'Form', width: '9rem', from: 'large', view: ({ source }) => sources[source] },
  { key: 'asked', head: 'Requested', width: '8rem', from: 'large', kind: 'data', view: ({ askedAt }) => <Day at={askedAt} /> },
  { key: 'confirmed', head: 'Confirmed', width: '8rem', from: 'medium', kind: 'data', view: ({ confirmedAt }) => <Day at={confirmedAt} /> },
]

function StateBadge({ state }: { state: SubscriberState }) {
  const { label, look } = states[state]
  return <Badge {...(look && { look })}>{label}</Badge>
}

function Day({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatDay(at)}</time> : '-'
}

/** The filter, with the number of subscribers in each status. */
function StateSelect({ counts }: { counts: SubscriberPage['counts'] | undefined }) {
  const { params, change } = useView()
  const suffix = (state: SubscriberState) => (counts ? ` (${numberText(counts[state])})` : '')
  return (
    <Field label="Show" name="state" tool>
      <Select value={params.get('state') ?? ''} onChange={({ target }) => change({ state: target.value })}>
        <option value="">All</option>
        {(['active', 'pending', 'unsubscribed', 'bounced'] as const).map((state) => (
          <option key={state} value={state}>
            {states[state].label}
            {suffix(state)}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function NoSubscribers() {
  const { params, change } = useView()
  if (['q', 'state', 'cursor'].some((key) => params.has(key))) {
    return (
      <Empty
        title="No matches"
        action={
          <Button type="button" look="quiet" onClick={() => change({ q: undefined, state: undefined, cursor: undefined })}>
            Show all
          </Button>
        }
      >
        <p>No subscriber matches this filter.</p>
      </Empty>
    )
  }
  return (
    <Empty title="No subscribers yet">
      <p>Readers subscribe below the list of posts and at the end of each post.</p>
    </Empty>
  )
}

function DeleteSubscribers({ rows, close }: { rows: readonly Subscriber[]; close: () => void }) {
  const left = useRef(0)
  const [first] = rows
  const name = rows.length === 1 && first ? first.email : `${rows.length} subscribers`
  const removal = useAction({
    async send() {
      for (const [at, { id }] of rows.entries()) {
        left.current = rows.length - at
        await apiRequest('DELETE', `${SUBSCRIBERS}/${id}`)
      }
    },
    onDone: close,
    done: rows.length === 1 ? 'Subscriber deleted' : `${rows.length} subscribers deleted`,
    failed: () => (rows.length === 1 ? 'Subscriber not deleted' : `${left.current} of ${rows.length} subscribers not deleted`),
    onRefused() {
      close()
      return false
    },
    touches: newsletterData,
  })
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => removal.mutate()}
      title={`Delete ${name}?`}
      confirm={removal.isPending ? 'Deleting...' : 'Delete'}
      busy={removal.isPending}
    >
      <p>We forget the address and the proof of consent. Queued emails to it are not sent. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
