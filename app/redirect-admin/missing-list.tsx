import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useView } from '#app/admin-view/use-view.tsx'
import { type MissingPath, MISSING_PATHS } from '#app/missing-paths/missing-path.ts'
import { apiQuery } from '#app/platform/api.ts'
import type { RedirectBody } from '#app/redirects/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ListPager } from './list-pager.tsx'
import { MissingRow } from './missing-row.tsx'
import { MissingToolbar } from './missing-toolbar.tsx'
import { PAGE_SIZE, pageOf } from './redirect-view.ts'

type MissingPathPage = { items: MissingPath[]; total: number }

type MissingListProps = { /** Opens the form with what is known already. */ create: (begin: Partial<RedirectBody>) => void }

/** Paths at which visitors found nothing, each once, and where they could be led. */
export function MissingList({ create }: MissingListProps) {
  const { params } = useView()
  const list = useQuery({ ...apiQuery<MissingPathPage>(urlOf(params)), placeholderData: keepPreviousData })
  return (
    <div className="grid grid-cols-1 gap-5">
      <MissingToolbar count={list.data?.total ?? 0} />
      {list.isPending && (
        <div>
          <Loading>Loading missing paths...</Loading>
          <Skeleton lines={10} />
        </div>
      )}
      {list.isError && <Failed title="Failed to fetch missing paths" error={list.error} retry={list.refetch} />}
      {list.data && <Found page={list.data} create={create} />}
    </div>
  )
}

function Found({ page: { items, total }, create }: { page: MissingPathPage } & MissingListProps) {
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
          <MissingRow key={missing.path} missing={missing} create={create} />
        ))}
      </ul>
      <ListPager one="path" many="paths" count={total} total={total} page={page} pages={pages} />
    </>
  )
}

function NothingMissed({ isChosen, showAll }: { isChosen: boolean; showAll: () => void }) {
  if (!isChosen) {
    return (
      <Empty title="Nothing is missed">
        <p>
          When visitors ask for a page that is not there, its path stands here, with how often and when. Nothing of the visitor is kept.
        </p>
      </Empty>
    )
  }
  const all = (
    <Button type="button" look="quiet" onClick={showAll}>
      Show all
    </Button>
  )
  return (
    <Empty title="No match" action={all}>
      <p>No path fits this choice.</p>
    </Empty>
  )
}

/** Where the page of the list is read that the address names. */
function urlOf(params: URLSearchParams): string {
  const page = Math.max(1, Math.trunc(Number(params.get('cursor') ?? 1)) || 1)
  const asked = new URLSearchParams([...params].filter(([key, value]) => ['sort', 'visitors', 'ignored'].includes(key) && value))
  if (page > 1) asked.set('offset', String((page - 1) * PAGE_SIZE))
  return asked.size > 0 ? `${MISSING_PATHS}?${asked}` : MISSING_PATHS
}
