import { useQueryClient } from '@tanstack/react-query'
import { ExternalLinkIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { ChooseColumns, DataTable, RowButton, TableToolbar } from '#app/ui/admin/data-table.tsx'
import type { Placed } from '#app/ui/admin/order.ts'
import { SavedViews } from '#app/ui/admin/saved-views.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { useOrdering } from '#app/ui/admin/use-ordering.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { numberText } from '#app/platform/english-number.ts'
import { redirect, type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { KnownProblems } from './known-problems.tsx'
import { ListPager } from '#app/ui/admin/list-pager.tsx'
import { daysOf, filterRedirects, isExternal, pageOf, REDIRECT_PAGE_SIZE, unusedFor, visibleRedirects } from './redirect-view.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'
import { useRedirectChanges } from './use-redirect-changes.tsx'

type ListProps = { create: () => void; edit: (redirect: Redirect) => void }

/** All redirects in matching order. The server sends the whole list, because the order is that of the whole list. */
export function RedirectList({ create, edit }: ListProps) {
  const list = usePageQuery(apiQuery(REDIRECTS, z.array(redirect)))
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading redirects...</Loading>
        <RowsSkeleton />
      </div>
    )
  }
  if (list.isError) return <Failed title="Failed to fetch redirects" error={list.error} retry={list.refetch} />
  if (list.data.length > 0) return <Redirects list={list.data} edit={edit} />
  return (
    <Empty
      title="No redirects"
      action={
        <Button type="button" onClick={() => create()}>
          New Redirect
        </Button>
      }
    >
      <p>No redirects configured yet. Create your first redirect to get started.</p>
    </Empty>
  )
}

type Row = Placed<Redirect>

const nameOf = ({ fromPath }: Row) => fromPath

const columns: TableColumn<Row>[] = [
  {
    key: 'from',
    head: 'From',
    view: ({ fromPath, description }) => (
      <div className={description ? 'py-1' : undefined}>
        <span className="font-mono font-medium" title={fromPath}>
          {fromPath}
        </span>
        {description && (
          <span className="block truncate text-fine text-muted" title={description}>
            {description}
          </span>
        )}
      </div>
    ),
  },
  { key: 'to', head: 'To', from: 'medium', view: (row) => <Target redirect={row} /> },
  { key: 'status', head: 'Status', width: '6.5rem', from: 'medium', view: ({ isActive }) => <State isActive={isActive} /> },
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
]

function Redirects({ list, edit }: { list: Redirect[]; edit: (redirect: Redirect) => void }) {
  const { params, change } = useView()
  const [now] = useState(() => Date.now())
  const chosen = filterRedirects(list, params, now)
  const { page, pages } = pageOf(params, chosen.length)
  const first = (page - 1) * REDIRECT_PAGE_SIZE
  const table = useTable({ name: 'redirects', columns, rows: chosen.slice(first, first + REDIRECT_PAGE_SIZE) })
  return (
    <div className="grid grid-cols-1 gap-3">
      <KnownProblems />
      <TableToolbar>
        <SearchField name="q" label="Search" placeholder="Search by path or description" />
        <Filters />
        <SavedViews name="redirects" keys={['q', 'show', 'days']} />
        <ChooseColumns table={table} />
      </TableToolbar>
      {chosen.length === 0 ? (
        <Empty
          title="No matches"
          action={
            <Button type="button" look="quiet" onClick={() => change({ q: undefined, show: undefined, days: undefined })}>
              Show all
            </Button>
          }
        >
          <p>No redirects match your search.</p>
        </Empty>
      ) : (
        <Rows list={list} chosen={chosen} table={table} edit={edit} />
      )}
      <ListPager one="redirect" many="redirects" count={chosen.length} total={list.length} page={page} pages={pages} />
    </div>
  )
}

type RowsProps = { list: Redirect[]; chosen: Row[]; table: ReturnType<typeof useTable<Row>>; edit: (redirect: Redirect) => void }

function Rows({ list, chosen, table, edit }: RowsProps) {
  const { ordering, moves } = useOrdering(useRedirectOrder(list), { count: list.length, shown: chosen, nameOf })
  const changes = useRedirectChanges()
  return (
    <>
      <DataTable
        table={table}
        caption="Redirects"
        nameOf={nameOf}
        ordering={ordering}
        renderNarrow={(row) => (
          <>
            <span className="w-full truncate">
              → <Target redirect={row} />
            </span>
            <State isActive={row.isActive} /> {row.statusCode}
          </>
        )}
        renderActions={(row) => (
          <>
            <RowButton label={`Edit ${row.fromPath}`} onClick={() => edit(row)}>
              <PencilIcon aria-hidden="true" />
            </RowButton>
            <RowButton label={`Delete ${row.fromPath}`} onClick={() => changes.askToDelete([row])}>
              <Trash2Icon aria-hidden="true" />
            </RowButton>
          </>
        )}
        menuOf={(row) => [
          { label: 'Edit', act: () => edit(row) },
          { label: row.isActive ? 'Deactivate' : 'Activate', act: () => changes.switchTo([row], !row.isActive) },
          ...moves.entriesOf(row),
          { label: 'Delete', startsGroup: true, isDanger: true, act: () => changes.askToDelete([row]) },
        ]}
        renderBulk={(rows, clear) => (
          <>
            <Button type="button" look="quiet" size="small" onClick={() => changes.switchTo(rows, true, clear)}>
              Activate
            </Button>
            <Button type="button" look="quiet" size="small" onClick={() => changes.switchTo(rows, false, clear)}>
              Deactivate
            </Button>
            <Button type="button" look="quiet" size="small" onClick={() => changes.askToDelete(rows, clear)}>
              Delete
            </Button>
          </>
        )}
      />
      {moves.dialog}
      {changes.dialog}
    </>
  )
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

function State({ isActive }: { isActive: boolean }) {
  return (
    <Badge look={isActive ? 'leaf' : 'plain'} dot={isActive}>
      {isActive ? 'Active' : 'Inactive'}
    </Badge>
  )
}

const kindLabels = { exact: 'Exact', wildcard: 'Wildcard', pattern: 'Pattern' }

function Hits({ redirect: { hits, lastHitAt } }: { redirect: Redirect }) {
  if (!lastHitAt) return 'Never hit'
  return (
    <span title={`Last hit ${formatDay(lastHitAt)}`}>
      {hits === 1 ? '1 hit' : `${numberText(hits)} hits`}
      <span className="sr-only">, last {formatDay(lastHitAt)}</span>
    </span>
  )
}

function useRedirectOrder(list: readonly Redirect[]) {
  const client = useQueryClient()
  return useOrder({
    list,
    url: REDIRECTS,
    nameOf: ({ fromPath }) => fromPath,
    meaning: 'The first match wins.',
    send: async ({ id, before }) => apiRequest('PATCH', `${REDIRECTS}/order`, { id, before }),
    onFailure: (error) => showRedirectFailure('Order not changed', error),
    askAgain: async () => invalidateRedirects(client),
  })
}

function Filters() {
  const { params, change } = useView()
  const show = params.get('show') ?? ''
  return (
    <>
      <Field label="Show" name="show" tool>
        <Select value={show} onChange={(event) => change({ show: event.target.value, days: undefined })}>
          {visibleRedirects.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {show === 'unused' && (
        <Field label="No hits for" name="days" tool>
          <Select value={daysOf(params)} onChange={(event) => change({ days: event.target.value })}>
            {unusedFor.map((days) => (
              <option key={days} value={days}>
                {days} days
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  )
}
