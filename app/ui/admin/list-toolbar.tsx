import { FileDownIcon, SlidersHorizontalIcon } from 'lucide-react'
import { useState } from 'react'
import { GUARD_NOTE } from '#app/platform/tables/formula-guard.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { ChooseColumns, TableToolbar } from './data-table.tsx'
import { isRare, type ListFilter, ListFilters } from './list-filters.tsx'
import { FiltersInUse, RareFilters } from './rare-filters.tsx'
import { BrowserViews, SavedViews, type ViewStore } from './saved-views.tsx'
import type { TableOf } from './use-table.ts'
import { useView } from './use-view.tsx'
import { urlOf } from './view.ts'

type ListToolbarProps<Row extends { id: string }> = {
  table: TableOf<Row>
  many: string
  filters: readonly ListFilter[]
  files?: string
  tools?: React.ReactNode
  views?: ViewStore | 'none'
  columnChoice?: React.ReactNode
}

/** The line above a list. On a phone, all but the search is folded, so that the rows begin on the first screen. */
export function ListToolbar<Row extends { id: string }>(props: ListToolbarProps<Row>) {
  const { table, many, filters, files, tools, columnChoice } = props
  const { params } = useView()
  const [isOpen, setOpen] = useState(false)
  const rare = filters.filter(isRare)
  const searches = filters.filter(isSearch)
  const others = filters.filter((filter) => !isRare(filter) && !isSearch(filter))
  const used = others.filter(({ key }) => params.get(key)).length
  const keys = [...filters.map(({ key }) => key), ...(table.columns.some(({ sort }) => sort) ? ['sort'] : [])]
  return (
    <>
      <TableToolbar>
        <ListFilters filters={searches} />
        {rare.length > 0 && <RareFilters filters={rare} title={`Filter ${many}`} />}
        <Button type="button" look="quiet" className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontalIcon aria-hidden="true" className="size-4" />
          {others.length > 0 && rare.length === 0 ? 'Filters' : 'View'}
          {used > 0 && ` (${used})`}
        </Button>
        <div className={cx('flex flex-wrap items-center gap-x-3 gap-y-2 sm:contents', isOpen ? 'max-sm:basis-full' : 'max-sm:hidden')}>
          <ListFilters filters={others} />
          <Views {...props} keys={keys} />
          {columnChoice ?? <ChooseColumns table={table} />}
          {files && <Files path={files} keys={keys} />}
        </div>
        {tools}
      </TableToolbar>
      <FiltersInUse filters={rare} all={filters} />
    </>
  )
}

const isSearch = (filter: ListFilter) => 'placeholder' in filter

function Views<Row extends { id: string }>({ views, table, keys }: ListToolbarProps<Row> & { keys: readonly string[] }) {
  if (views === 'none' || (!views && keys.length === 0)) return null
  return views ? <SavedViews store={views} keys={keys} /> : <BrowserViews name={table.name} keys={keys} />
}

/** What matches, as a file. */
function Files({ path, keys }: { path: string; keys: string[] }) {
  const { params } = useView()
  const sheet = new URLSearchParams([...params, ['format', 'xlsx']])
  return (
    <>
      <a href={urlOf(`${path}.csv`, params, keys)} download title={GUARD_NOTE} className={buttonLook('quiet')}>
        <FileDownIcon aria-hidden="true" className="size-4" />
        Export CSV
      </a>
      <a href={urlOf(`${path}.csv`, sheet, [...keys, 'format'])} download className={buttonLook('quiet')}>
        Export Excel
      </a>
    </>
  )
}
