import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { LeadPage } from './lead-query.ts'
import { tabOf, toTab } from './lead-view.ts'

type ListStateProps<Item> = {
  list: UseQueryResult<LeadPage<Item>>
  empty: React.ReactNode
  /** In the shape of what comes, so that nothing below it moves. */
  waiting?: React.ReactNode
  /** It is known that there is nothing. */
  isEmpty?: boolean
  children: (page: LeadPage<Item>) => React.ReactNode
}

/** A list that is loading, failed, empty, without a match, or loaded. */
export function ListState<Item>({ list, empty, waiting, isEmpty = false, children }: ListStateProps<Item>) {
  const [params] = useSearchParams()
  if (list.isPending && !isEmpty) {
    return (
      waiting ?? (
        <div>
          <Loading>Loading...</Loading>
          <Skeleton lines={8} />
        </div>
      )
    )
  }
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (list.data && list.data.items.length > 0) return children(list.data)
  if (!['q', 'filter', 'service', 'cursor'].some((key) => params.has(key))) return <Empty title="Nothing here yet">{empty}</Empty>
  return (
    <Empty
      title="No matches"
      action={
        <Link to={toTab(tabOf(params))} preventScrollReset className="link font-semibold">
          Show all
        </Link>
      }
    >
      <p>Try fewer words. Each one must appear in the same row.</p>
    </Empty>
  )
}
