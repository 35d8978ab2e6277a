import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { z } from 'zod/mini'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { ApiError, apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { FilterChips } from './filter-chips.tsx'
import { RowTable } from './row-table.tsx'
import { countUrl, filtersOf, ROW_PAGE_SIZES, rowsUrl, shownColumns, withoutFilters } from './row-view.ts'
import { countInWords, rowsInWords } from './words.ts'
import { useState } from 'react'
import type { Column } from '#app/datasets/catalog/column.ts'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'

const rowPage = z.object({ data: z.array(z.record(z.string(), z.unknown())), nextCursor: z.nullable(z.string()) })

type RowsPanelProps = { detail: ProductDetail; /** Actions for the selected rows. */ actions?: React.ReactNode }

/** The rows of a dataset, a page at a time. The server filters, sorts and selects columns by the URL. */
export function RowsPanel({ detail, actions }: RowsPanelProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <RowCount detail={detail} />
        <div className="tool-line">
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

/** As many rows fill the height of their table. */
const MANY = 20

function Rows({ detail }: { detail: ProductDetail }) {
  const { params } = useView()
  const page = usePageQuery({ ...apiQuery(rowsUrl(detail.slug, params), rowPage), placeholderData: keepPreviousData })
  if (page.isPending) {
    return (
      // Many rows take their height from the start, so that nothing below them moves.
      <div className={cx(detail.rows > MANY && 'min-h-[max(24rem,80dvh)]')}>
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

const rowCount = z.object({ rows: z.number() })

/** The number of matching rows, out of all. */
function RowCount({ detail: { id, rows } }: { detail: ProductDetail }) {
  const { params } = useView()
  const isFiltered = filtersOf(params).length > 0
  const counted = useQuery({ ...apiQuery(countUrl(id, params), rowCount), enabled: isFiltered, placeholderData: keepPreviousData })
  const found = counted.data && !counted.isPlaceholderData ? countInWords(counted.data.rows) : '…'
  return (
    <p role="status" className="font-mono text-small tabular-nums">
      {isFiltered && !counted.isError ? `${found} of ${rowsInWords(rows)}` : rowsInWords(rows)}
    </p>
  )
}

/** The cursors of the previous pages; the first page has none. */
const trailState = z.object({ trail: z.array(z.string()) })

type RowPagerProps = { shown: number; nextCursor: string | null }

/** A cursor only leads forward, so previous cursors are in the browser's history state. Without them, Back leads to the first page. */
function RowPager({ shown, nextCursor }: RowPagerProps) {
  const { params } = useView()
  const { state } = useLocation()
  const cursor = params.get('cursor')
  if (!cursor && !nextCursor) return null
  const read = trailState.safeParse(state)
  const trail = cursor && read.success ? read.data.trail : undefined
  const to = (next: string | undefined) => withChanges(params, { cursor: next })
  const begin = cursor ? (trail ? trail.length * ROW_PAGE_SIZES : undefined) : 0
  return (
    <nav aria-label="Pages of rows" className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-mono text-fine text-muted">
        {begin === undefined ? rowsInWords(shown) : `Rows ${countInWords(begin + 1)} to ${countInWords(begin + shown)}`}
      </p>
      <div className="flex gap-2">
        {cursor && (
          <Link
            to={to(trail?.at(-1))}
            state={{ trail: trail?.slice(0, -1) ?? [] }}
            rel="prev"
            preventScrollReset
            className={buttonLook('quiet', 'small')}
          >
            {trail ? 'Previous rows' : 'First rows'}
          </Link>
        )}
        {nextCursor && (
          <Link
            to={to(nextCursor)}
            state={{ trail: cursor ? trail && [...trail, cursor] : [''] }}
            rel="next"
            preventScrollReset
            className={buttonLook('quiet', 'small')}
          >
            Next rows
          </Link>
        )}
      </div>
    </nav>
  )
}

const code = laterCode('The filter', () => import('./filter-dialog.tsx'))

/** Any condition on any column, beyond those that the bars offer. */
function AddFilter({ columns }: { columns: readonly Column[] }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onPointerEnter={code.warm} onFocus={code.warm} onClick={() => setOpen(true)}>
        Add filter
      </Button>
      {open && (
        <LaterDialog code={code} onClose={close}>
          {({ FilterDialog }) => <FilterDialog columns={columns} close={close} />}
        </LaterDialog>
      )}
    </>
  )
}
