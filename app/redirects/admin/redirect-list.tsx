import { PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { type Chosen, ListPage } from '#app/ui/admin/list-page.tsx'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { useOrdering } from '#app/ui/admin/use-ordering.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { redirect, type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { KnownProblems } from './known-problems.tsx'
import { redirectData } from './redirect-errors.ts'
import { redirectLook, type RedirectRow } from './redirect-look.tsx'
import { filterRedirects, pageOf, REDIRECT_PAGE_SIZE } from './redirect-view.ts'
import { useRedirectChanges } from './use-redirect-changes.tsx'

type ListProps = { create: () => void; edit: (redirect: Redirect) => void }

/** All redirects in matching order. The server sends the whole list, because the order is that of the whole list. */
export function RedirectList({ create, edit }: ListProps) {
  const { params } = useView()
  const [now] = useState(() => Date.now())
  const query = usePageQuery(apiQuery(REDIRECTS, z.array(redirect)))
  const list = query.data ?? []
  const matches = filterRedirects(list, params, now)
  const { page, pages } = pageOf(params, matches.length)
  const first = (page - 1) * REDIRECT_PAGE_SIZE
  const { ordering, moves } = useOrdering(useRedirectOrder(list), { count: list.length, shown: matches, nameOf: redirectLook.nameOf })
  const changes = useRedirectChanges()
  const of = ({ isAll, rows }: Chosen<RedirectRow>) => (isAll ? matches : rows)
  return (
    <ListPage
      {...redirectLook}
      emptyAction={<CreateFirst create={create} />}
      list={query}
      rows={query.data && matches.slice(first, first + REDIRECT_PAGE_SIZE)}
      place={{ count: matches.length, total: list.length, page, pages }}
      whole={{ count: matches.length }}
      ordering={ordering}
      above={list.length > 0 && <KnownProblems />}
      opens={(row) => ({ act: () => edit(row) })}
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
      bulk={[
        { label: 'Activate', act: (chosen) => changes.switchTo(of(chosen), true, chosen.clear) },
        { label: 'Deactivate', act: (chosen) => changes.switchTo(of(chosen), false, chosen.clear) },
        { label: 'Delete', act: (chosen) => changes.askToDelete(of(chosen), chosen.clear) },
      ]}
    >
      {moves.dialog}
      {changes.dialog}
    </ListPage>
  )
}

function CreateFirst({ create }: Pick<ListProps, 'create'>) {
  return (
    <Button type="button" onClick={() => create()}>
      New Redirect
    </Button>
  )
}

function useRedirectOrder(list: readonly Redirect[]) {
  return useOrder({
    list,
    url: REDIRECTS,
    nameOf: ({ fromPath }) => fromPath,
    meaning: 'The first match wins.',
    send: async ({ id, before }) => apiRequest('PATCH', `${REDIRECTS}/order`, { id, before }),
    touches: redirectData,
  })
}
