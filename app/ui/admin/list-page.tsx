import { useRef, useState } from 'react'
import { numberText } from '#app/platform/text/english-number.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { DataTable, type RowOpening } from './data-table.tsx'
import { isRare, type ListFilter } from './list-filters.tsx'
import { ListPager, type ListPlace } from './list-pager.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import type { MenuEntry } from './open-menu.tsx'
import { findReversed } from './range.ts'
import type { ViewStore } from './saved-views.tsx'
import { useListKeys } from './use-list-keys.ts'
import type { Ordering } from './use-ordering.tsx'
import { type TableColumn, type TableOf, useTable } from './use-table.ts'
import { useView } from './use-view.tsx'

/** What never changes of a list: declared once, beside its columns, and spread into `ListPage`. */
export type ListLook<Row extends { id: string }> = {
  /** Under this name the browser remembers its columns and its saved views. */
  name: string
  /** The accessible name of the table. */
  caption: string
  one: string
  many: string
  columns: readonly TableColumn<Row>[]
  /** A row in the names of its controls: 'Select /old-page'. */
  nameOf: (row: Row) => string
  /** Below the first cell while the table is narrow. */
  renderNarrow?: (row: Row) => React.ReactNode
  filters?: readonly ListFilter[]
  /** 'Loading redirects...' */
  loading: string
  /** The title of what is there in place of a list that did not load. */
  failed?: string
  /** A list that has no rows yet. */
  empty?: { title: string; text: React.ReactNode }
  /** A sentence for filters that nothing matches. */
  none?: string
}

/** The rows that a bulk action is for: what the bar says. */
export type Chosen<Row> = {
  /** The selected rows of this page. */
  rows: readonly Row[]
  /** All that match on all pages, in place of `rows`. */
  isAll: boolean
  count: number
  clear: () => void
}

/** For an action of one row that is the same for several. */
export const onlyOne = <Row,>(row: Row): Chosen<Row> => ({ rows: [row], isAll: false, count: 1, clear: () => undefined })

/** The chosen rows for the server: by their ids, or all that match a filter, if they are still as many. */
export const choiceOf = <Row extends { id: string }, Filter>({ rows, isAll, count }: Chosen<Row>, filter: Filter) =>
  isAll ? { filter, count } : { ids: rows.map(({ id }) => id) }

type BulkAction<Row> = { label: string; act: (chosen: Chosen<Row>) => void; busy?: boolean }

type ListQuery = { isError: boolean; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown }

type ListPageProps<Row extends { id: string }> = ListLook<Row> & {
  /** From `useListQuery`, or another query that is asked for the address's view. */
  list: ListQuery
  /** The code or data of the rows is still loading: keys that need rows are kept until then. */
  isWaiting?: boolean
  /** Undefined until they have loaded. */
  rows: readonly Row[] | undefined
  place?: ListPlace | undefined
  /** Fills a list that has no rows yet. */
  emptyAction?: React.ReactNode
  opens?: (row: Row) => RowOpening
  renderActions?: (row: Row) => React.ReactNode
  actionCount?: 1 | 2 | 3
  menuOf?: (row: Row) => readonly MenuEntry[]
  /** Buttons of the bar that appears with the first selected row. With them, rows have checkboxes. */
  bulk?: readonly BulkAction<Row>[] | undefined
  /** The number of all that match, where a bulk action can take them all. */
  whole?: { count: number; isExact?: boolean } | undefined
  ordering?: Ordering
  /** Keys of this list alone. They get the row with the focus, and the selected ones. */
  keys?: Record<string, (row: Row | undefined, chosen: Chosen<Row>) => void>
  /** Keys of this list that need no rows. */
  pageKeys?: Record<string, () => void>
  /** The address of its CSV and Excel file, without the ending. */
  files?: string
  /** At the end of the toolbar; on a phone too. */
  tools?: React.ReactNode
  /** In place of the browser's saved views. */
  views?: ViewStore | 'none'
  /** In place of the browser's choice of columns. */
  columnChoice?: React.ReactNode
  /** Above the toolbar. */
  above?: React.ReactNode
  /** In place of the table, such as a board. Its elements for rows have `data-row`, and their links `data-open`. */
  instead?: React.ReactNode
  /** Dialogs. */
  children?: React.ReactNode
}

/**
 * The list of the workspace: search, filters, order and page from the address, saved views, columns, one bulk bar, row menus, keys (j k Enter x / and the
 * arrows from cell to cell), and its empty, loading and failed states.
 *
 * ```tsx
 * const list = useListQuery(USERS, userPage, look.filters)
 * return <ListPage {...look} list={list} rows={list.data?.users} place={{ next: list.data?.nextCursor }} />
 * ```
 */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { name, columns, filters = noFilters, list, rows, place, bulk, one, many, above, instead, children } = props
  const { params } = useView()
  const root = useRef<HTMLDivElement>(null)
  const table = useTable({ name, columns, rows: rows ?? noRows })
  const { selection } = table
  // The rows are still those of the view before, which another number matched.
  const all = useWhole(selection, list.isPlaceholderData ? undefined : props.whole)
  const shown = instead ? noRows : selection.rows
  const chosen = { rows: shown, isAll: all?.isChosen ?? false, count: all?.isChosen ? all.count : shown.length, clear: selection.clear }
  useKeys(props, { root, chosen, toggle: bulk && !instead ? selection.toggle : undefined })
  const isFiltered = params.has('cursor') || filters.some(({ key }) => params.get(key))
  // Nothing to search in, unless the list was narrowed from the beginning.
  const isBare = rows?.length === 0 && !isFiltered && !instead && props.empty !== undefined && !filters.some(isNarrowing)
  return (
    <div ref={root} data-list="" className="grid grid-cols-1 gap-3">
      {above}
      {!isBare && <ListToolbar {...props} filters={filters} table={table} />}
      {instead || <Rows {...props} table={table} chosen={chosen} all={all} isFiltered={isFiltered} />}
      {!instead && rows && !isBare && place && <ListPager place={place} one={one} many={many} />}
      {children}
    </div>
  )
}

type KeysOfList<Row> = { root: React.RefObject<HTMLElement | null>; chosen: Chosen<Row>; toggle: ((id: string) => void) | undefined }

function useKeys<Row extends { id: string }>(props: ListPageProps<Row>, { root, chosen, toggle }: KeysOfList<Row>) {
  const { list, rows, isWaiting = false, keys = {}, pageKeys } = props
  const find = (id: string | undefined) => rows?.find((row) => row.id === id)
  useListKeys({
    list: root,
    isWaiting: (!rows || isWaiting) && !list.isError,
    toggle,
    ofRows: Object.fromEntries(Object.entries(keys).map(([key, act]) => [key, (id: string | undefined) => act(find(id), chosen)])),
    ofPage: pageKeys,
  })
}

const noRows: never[] = []
const noFilters: readonly ListFilter[] = []

const isNarrowing = (filter: ListFilter) => 'options' in filter && !isRare(filter) && filter.usual !== undefined && !filter.within

type RowsProps<Row extends { id: string }> = ListPageProps<Row> & {
  table: TableOf<Row>
  chosen: Chosen<Row>
  all: Whole | undefined
  isFiltered: boolean
}

function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { list, rows, table, columns, caption, loading, failed, bulk, chosen, all } = props
  if (!rows) {
    if (list.isError && list.error) return <Failed as="h2" error={list.error} retry={list.refetch} {...(failed && { title: failed })} />
    return (
      <div>
        <Loading>{loading}</Loading>
        <RowsSkeleton columns={Math.min(columns.length, 5)} />
      </div>
    )
  }
  if (rows.length === 0) return <Nothing {...props} />
  const renderBulk = () => (
    <>
      {all && (
        <Button type="button" look="quiet" size="small" onClick={() => all.choose(!all.isChosen)}>
          {all.isChosen ? `Only these ${rows.length}` : `Select all ${all.text} that match`}
        </Button>
      )}
      {bulk?.map(({ label, act, busy = false }) => (
        <Button key={label} type="button" look="quiet" size="small" busy={busy} onClick={() => act(chosen)}>
          {label}
        </Button>
      ))}
    </>
  )
  return (
    <DataTable
      {...props}
      table={table}
      caption={caption}
      isBusy={list.isPlaceholderData}
      bulkText={all?.isChosen ? `All ${all.text} that match` : undefined}
      renderBulk={bulk && renderBulk}
    />
  )
}

function Nothing<Row extends { id: string }>({ filters = noFilters, empty, emptyAction, none, isFiltered }: RowsProps<Row>) {
  const { params, change } = useView()
  if (empty && (!isFiltered || none === undefined)) {
    return (
      <Empty title={empty.title} action={emptyAction}>
        {typeof empty.text === 'string' ? <p>{empty.text}</p> : empty.text}
      </Empty>
    )
  }
  const showAll = () => change(Object.fromEntries(['cursor', ...filters.map(({ key }) => key)].map((key) => [key, undefined])))
  const reversed = filters.flatMap((filter) => {
    const why = findReversed(filter, filters, (key) => params.get(key))
    return why ? `${filter.label}: ${why}` : []
  })
  return (
    <Empty
      title="No matches"
      action={
        <Button type="button" look="quiet" onClick={showAll}>
          Show all
        </Button>
      }
    >
      <p>{reversed[0] ?? none}</p>
    </Empty>
  )
}

type Whole = { count: number; text: string; isChosen: boolean; choose: (isChosen: boolean) => void }

/**
 * All that match on all pages, offered where a whole page of them is selected and chosen by its own button alone. Another filter, page or selection
 * chooses single rows again.
 */
function useWhole<Row extends { id: string }>(
  { rows, chosen, isAll }: TableOf<Row>['selection'],
  whole: { count: number; isExact?: boolean } | undefined,
): Whole | undefined {
  const { params } = useView()
  const [asked, setAsked] = useState<{ view: string; chosen: unknown }>()
  const view = params.toString()
  if (!whole || !isAll || whole.count <= rows.length) return undefined
  const { count, isExact = true } = whole
  return {
    count,
    text: isExact ? numberText(count) : `about ${numberText(count)}`,
    isChosen: asked?.view === view && asked.chosen === chosen,
    choose: (isChosen) => setAsked(isChosen ? { view, chosen } : undefined),
  }
}
