import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { ApiError, apiQuery } from '#app/platform/browser/api.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AddFilter } from './add-filter.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { FilterChips } from './filter-chips.tsx'
import { RowCount } from './row-count.tsx'
import { RowPager } from './row-pager.tsx'
import { RowTable } from './row-table.tsx'
import { rowsUrl, shownColumns, withoutFilters } from './row-view.ts'

const rowPage = z.object({ data: z.array(z.record(z.string(), z.unknown())), nextCursor: z.nullable(z.string()) })

type RowsPanelProps = { detail: ProductDetail; /** Actions for the selected rows. */ actions?: React.ReactNode }

/** The rows of a dataset, a page at a time. The server filters, sorts and selects columns by the URL. */
export function RowsPanel({ detail, actions }: RowsPanelProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <RowCount detail={detail} />
        <div className="flex flex-wrap gap-2">
          <AddFilter columns={detail.columns} />
          <ColumnChoice columns={detail.columns} />
          {actions}
        </div>
      </div>
      <FilterChips />
      <Rows detail={detail} />
    </div>
  )
}

function Rows({ detail }: { detail: ProductDetail }) {
  const { params } = useView()
  const page = useQuery({ ...apiQuery(rowsUrl(detail.slug, params), rowPage), placeholderData: keepPreviousData })
  if (page.isPending) {
    return (
      <div>
        <Loading>Loading rows...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  if (page.isError) return <NotLoaded error={page.error} retry={page.refetch} />
  const { data: rows, nextCursor } = page.data
  if (rows.length === 0) {
    return (
      <Empty title="No matches">
        <p>No rows match all of these filters.</p>
      </Empty>
    )
  }
  const columns = shownColumns(params, detail.columns)
  return (
    <div aria-busy={page.isPlaceholderData} className={cx('grid min-w-0 gap-4 transition-opacity', page.isPlaceholderData && 'opacity-60')}>
      <RowTable caption={`Rows of ${detail.name}`} columns={columns} rows={rows} />
      <RowPager shown={rows.length} nextCursor={nextCursor} />
    </div>
  )
}

/** The URL may ask for something that does not exist, so a retry would not help: offer to clear the filters. */
function NotLoaded({ error, retry }: { error: Error; retry: () => unknown }) {
  const { params } = useView()
  const isWrong = error instanceof ApiError && error.status === 422
  if (!isWrong) return <Failed title="Could not load rows" error={error} retry={retry} />
  return (
    <div className="grid justify-items-start gap-4">
      <Failed title="Could not load rows" error={error} />
      <Link
        to={withChanges(params, { ...withoutFilters(params), select: undefined, sort: undefined, cursor: undefined })}
        preventScrollReset
        className={buttonLook('quiet')}
      >
        Clear filters and reload
      </Link>
    </div>
  )
}
