import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import type { Placed } from '#app/ui/admin/order.ts'
import { useDrag } from '#app/ui/admin/use-drag.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { redirect, type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { KnownProblems } from './known-problems.tsx'
import { ListPager } from './list-pager.tsx'
import { RedirectRow } from './redirect-row.tsx'
import { daysOf, filterRedirects, pageOf, REDIRECT_PAGE_SIZE, unusedFor, visibleRedirects } from './redirect-view.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'

type ListProps = { create: () => void; edit: (redirect: Redirect) => void }

/** All redirects in matching order. The server sends the whole list, because the order is that of the whole list. */
export function RedirectList({ create, edit }: ListProps) {
  const list = useQuery(apiQuery(REDIRECTS, z.array(redirect)))
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading redirects...</Loading>
        <Skeleton lines={10} />
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

function Redirects({ list, edit }: { list: Redirect[]; edit: (redirect: Redirect) => void }) {
  const { params, change } = useView()
  const [now] = useState(() => Date.now())
  const chosen = filterRedirects(list, params, now)
  const { page, pages } = pageOf(params, chosen.length)
  return (
    <div className="grid grid-cols-1 gap-5">
      <KnownProblems />
      <ListToolbar />
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
        <Rows list={list} chosen={chosen} first={(page - 1) * REDIRECT_PAGE_SIZE} edit={edit} />
      )}
      <ListPager one="redirect" many="redirects" count={chosen.length} total={list.length} page={page} pages={pages} />
    </div>
  )
}

type RowsProps = { list: Redirect[]; chosen: Placed<Redirect>[]; first: number; edit: (redirect: Redirect) => void }

function Rows({ list, chosen, first, edit }: RowsProps) {
  const order = useRedirectOrder(list)
  const drag = useDrag(order.move)
  const rows = chosen.slice(first, first + REDIRECT_PAGE_SIZE)
  return (
    <>
      <ol aria-label="Redirects" className="grid grid-cols-1 rounded-card border border-line bg-surface">
        {rows.map((redirect, at) => (
          <RedirectRow
            key={redirect.id}
            redirect={redirect}
            before={chosen[first + at - 1]}
            after={chosen[first + at + 1]}
            count={list.length}
            order={order}
            drag={drag}
            edit={edit}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {order.said}
      </p>
    </>
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

function ListToolbar() {
  const { params, change } = useView()
  const show = params.get('show') ?? ''
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-48 grow basis-64">
        <SearchField name="q" label="Search" placeholder="Search by path or description" />
      </div>
      <div className="min-w-44 max-sm:grow">
        <Field label="Show" name="show" tool>
          <Select value={show} onChange={(event) => change({ show: event.target.value, days: undefined })}>
            {visibleRedirects.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {show === 'unused' && (
        <div className="min-w-40 max-sm:grow">
          <Field label="No hits for" name="days" tool>
            <Select value={daysOf(params)} onChange={(event) => change({ days: event.target.value })}>
              {unusedFor.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
    </div>
  )
}
