import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import { useView } from '#app/ui/admin/use-view.tsx'
import { NOT_FOUND_API, notFoundPage } from '#app/redirects/not-found/not-found.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ListPager } from '#app/ui/admin/list-pager.tsx'
import { NotFoundRow } from './not-found-row.tsx'
import { NotFoundToolbar } from './not-found-toolbar.tsx'
import { REDIRECT_PAGE_SIZE, pageOf } from './redirect-view.ts'

type MissingListProps = { /** Opens the form with what is known already. */ create: (begin: Partial<RedirectBody>) => void }

/** The not found log: each path once, with a suggested target. */
export function NotFoundList({ create }: MissingListProps) {
  const { params } = useView()
  const list = useQuery({ ...apiQuery(urlOf(params), notFoundPage), placeholderData: keepPreviousData })
  return (
    <div className="grid grid-cols-1 gap-5">
      <NotFoundToolbar count={list.data?.total ?? 0} />
      {list.isPending && (
        <div>
          <Loading>Loading not found log...</Loading>
          <Skeleton lines={10} />
        </div>
      )}
      {list.isError && <Failed title="Failed to load the not found log" error={list.error} retry={list.refetch} />}
      {list.data && <Found page={list.data} create={create} />}
    </div>
  )
}

function Found({ page: { items, total }, create }: { page: z.infer<typeof notFoundPage> } & MissingListProps) {
  const { params, change } = useView()
  const { page, pages } = pageOf(params, total)
  if (items.length === 0)
    return (
      <NothingMissed
        isChosen={['visitors', 'ignored', 'cursor'].some((key) => params.has(key))}
        showAll={() => change({ visitors: undefined, ignored: undefined, cursor: undefined })}
      />
    )
  return (
    <>
      <ul aria-label="Paths not found" className="grid grid-cols-1 rounded-card border border-line bg-surface">
        {items.map((missing) => (
          <NotFoundRow key={missing.path} missing={missing} create={create} />
        ))}
      </ul>
      <ListPager one="path" many="paths" place={{ count: total, total, page, pages }} />
    </>
  )
}

function NothingMissed({ isChosen, showAll }: { isChosen: boolean; showAll: () => void }) {
  if (!isChosen) {
    return (
      <Empty title="No missing pages">
        <p>Paths that visitors requested but that do not exist appear here. No visitor data is stored.</p>
      </Empty>
    )
  }
  const all = (
    <Button type="button" look="quiet" onClick={showAll}>
      Show all
    </Button>
  )
  return (
    <Empty title="No matches" action={all}>
      <p>No paths match these filters.</p>
    </Empty>
  )
}

/** The API URL for the page, search and filters of the address bar. */
function urlOf(params: URLSearchParams): string {
  const page = Math.max(1, Math.trunc(Number(params.get('cursor') ?? 1)) || 1)
  const asked = new URLSearchParams([...params].filter(([key, value]) => ['sort', 'visitors', 'ignored'].includes(key) && value))
  if (page > 1) asked.set('offset', String((page - 1) * REDIRECT_PAGE_SIZE))
  return asked.size > 0 ? `${NOT_FOUND_API}?${asked}` : NOT_FOUND_API
}
