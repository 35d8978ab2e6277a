import { Columns3Icon, XIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { Menu } from './menu.tsx'
import { moveInCells } from './move-in-cells.ts'
import type { MenuEntry } from './open-menu.tsx'
import type { Ordering } from './use-ordering.tsx'
import type { TableColumn, TableOf } from './use-table.ts'
import { useView } from './use-view.tsx'
import { withChanges } from './view.ts'

/** An address, or an action. `isBeside` is for what opens beside the list, which stays where it is. */
export type RowOpening = { to: string; isBeside?: true } | { act: () => void }

type DataTableProps<Row extends { id: string }> = {
  /** From `useTable`. */
  table: TableOf<Row>
  /** Its accessible name. */
  caption: string
  /** A row in the names of its controls: 'Select /old-page'. */
  nameOf: (row: Row) => string
  /** What a click on a row, or Enter, opens. The first cell is its link or its button. */
  opens?: ((row: Row) => RowOpening) | undefined
  /** Below the first cell while the table is narrower than 672 pixels, where columns are hidden. */
  renderNarrow?: ((row: Row) => React.ReactNode) | undefined
  /** Buttons of a row that must be seen, as `RowButton`. On a phone they are in `menuOf` alone, which has them as well. */
  renderActions?: ((row: Row) => React.ReactNode) | undefined
  /** The number of those buttons. */
  actionCount?: 1 | 2 | 3 | undefined
  /** The row menu: what is rarer than these buttons. */
  menuOf?: ((row: Row) => readonly MenuEntry[]) | undefined
  /** Buttons of the bar that appears with the first selected row. With it, rows have checkboxes. */
  renderBulk?: ((rows: readonly Row[], clear: () => void) => React.ReactNode) | undefined
  /** What the bar says in place of the number of selected rows, where its buttons act on rows of other pages too. */
  bulkText?: string | undefined
  /** For a list whose order people set: rows have a handle that moves them. */
  ordering?: Ordering | undefined
  /** The rows are those of the last query until the new ones arrive. */
  isBusy?: boolean
}

const froms = {
  small: '@max-md:hidden',
  medium: '@max-2xl:hidden',
  large: '@max-4xl:hidden',
  wide: '@max-5xl:hidden',
  huge: '@max-6xl:hidden',
}
const oneButton = 'w-[calc(var(--row-button)+1rem)]'
/** By the number of buttons beside the menu. */
const actionWidths = {
  0: oneButton,
  1: 'w-[calc(2*var(--row-button)+1rem)] @max-md:w-[calc(var(--row-button)+1rem)]',
  2: 'w-[calc(3*var(--row-button)+1rem)] @max-md:w-[calc(var(--row-button)+1rem)]',
  3: 'w-[calc(4*var(--row-button)+1rem)] @max-md:w-[calc(var(--row-button)+1rem)]',
}
const kinds = { text: '', number: 'text-right font-mono tabular-nums', data: 'font-mono text-fine tabular-nums text-muted' }

/**
 * The table of every list in the workspace. Rows are 36 px high and cells never wrap; the head sticks below the window's edge; columns
 * are hidden where the table is narrow and chosen with `ChooseColumns`. A click on a row opens what `opens` says, or follows the link that
 * its first cell renders with the classes of `rowLink`. Checkboxes select rows for `renderBulk`: one, a range with Shift, or all of the page.
 *
 * ```tsx
 * const table = useTable({ name: 'posts', columns, rows })
 * <TableToolbar>…<ChooseColumns table={table} /></TableToolbar>
 * <DataTable table={table} caption="Posts" nameOf={({ title }) => title} menuOf={menuOf} renderBulk={(rows, clear) => …} />
 * ```
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { table, isBusy = false, renderBulk, bulkText, ordering } = props
  const { selection } = table
  const focus = useKeptFocus()
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the events bubble up from focusable controls in its cells
    <div className="@container min-w-0" aria-busy={isBusy || undefined} onKeyDown={moveInCells} {...focus}>
      {ordering ? <OrderedTable {...props} ordering={ordering} /> : <PlainTable {...props} />}
      {renderBulk && (
        <SelectionBar text={selection.rows.length > 0 && (bulkText ?? `${selection.rows.length} selected`)} clear={selection.clear}>
          {renderBulk(selection.rows, selection.clear)}
        </SelectionBar>
      )}
    </div>
  )
}

function OrderedTable<Row extends { id: string }>(props: DataTableProps<Row> & { ordering: Ordering }) {
  const { table, nameOf, ordering } = props
  const { order, parts } = ordering
  const ids = table.rows.map(({ id }) => id)
  const move = (from: number, to: number) => {
    const [id, over] = [ids[from], ids[to]]
    // A filter may hide what comes after the row below which it is dropped.
    if (id && over) order.move({ id, before: to > from ? (order.after(over) ?? null) : over })
  }
  const nameOfId = (id: string) => {
    const row = table.rows.find((each) => each.id === id)
    return row ? nameOf(row) : ''
  }
  return (
    <>
      <parts.DragList ids={ids} nameOf={nameOfId} move={move}>
        <PlainTable {...props} />
      </parts.DragList>
      <p role="status" className="sr-only">
        {order.said}
      </p>
    </>
  )
}

function PlainTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { table, caption, isBusy = false } = props
  return (
    <table
      className={cx(
        'w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-left text-small transition-opacity',
        isBusy && 'opacity-60',
      )}
    >
      <caption className="sr-only">{caption}</caption>
      <Head {...props} />
      <tbody>
        {table.rows.map((row) => (
          <TableRow key={row.id} row={row} {...props} />
        ))}
      </tbody>
    </table>
  )
}

/**
 * Focuses the row in the place of one that is gone with the focus, as after a deletion, so that a keyboard continues where it was. Where
 * the last row is gone and an empty state replaces the table, its title gets the focus.
 */
function useKeptFocus() {
  const last = useRef<{ element: Element; place: number }>(undefined)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return
    const rows = [...(list.current?.querySelectorAll('tbody tr') ?? [])]
    const place = rows[Math.min(last.current.place, rows.length - 1)] ?? list.current
    place?.querySelector<HTMLElement>('a, button, input')?.focus()
  })
  useEffect(() => {
    const { pathname } = location
    const around = ancestorsOf(list.current)
    return () => {
      if (!last.current || document.activeElement !== document.body || location.pathname !== pathname) return
      const empty = around.find(({ isConnected }) => isConnected)?.querySelector<HTMLElement>('[data-empty]')
      empty?.focus()
    }
  }, [])
  return {
    ref: list,
    onFocus({ target }: React.FocusEvent) {
      const row = target.closest('tr')
      // A button of the selection bar acts on the rows before it.
      last.current = { element: target, place: row ? row.sectionRowIndex : (last.current?.place ?? 0) }
    },
    onBlur({ target, relatedTarget }: React.FocusEvent) {
      // A click beside everything.
      if (!relatedTarget && target.isConnected && document.hasFocus()) last.current = undefined
    },
  }
}

/** The nearest first. */
function ancestorsOf(element: Element | null): Element[] {
  const parent = element?.parentElement
  return parent ? [parent, ...ancestorsOf(parent)] : []
}

/** The classes of the link in a row's first cell: it covers the whole row. */
export const rowLink =
  'font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-grain-text'

const headCell =
  'h-8 border-b border-line bg-sunken px-(--cell-x) text-fine font-medium text-muted truncate first:rounded-tl-[9px] last:rounded-tr-[9px]'

function Head<Row extends { id: string }>({
  table,
  renderBulk: bulk,
  ordering,
  renderActions: actions,
  actionCount = 2,
  menuOf,
}: DataTableProps<Row>) {
  const { selection } = table
  return (
    <thead className="sticky top-(--bar) z-10">
      <tr>
        {ordering && (
          <th scope="col" className={cx(headCell, 'w-18 pr-0 @max-md:w-10')}>
            <span className="sr-only">Position</span>
          </th>
        )}
        {bulk && (
          <th scope="col" className={cx(headCell, 'w-10 px-0')}>
            <Check
              label="Select all rows of this page"
              isOn={selection.isAll}
              isPart={selection.rows.length > 0}
              toggle={selection.toggleAll}
            />
          </th>
        )}
        {table.columns.map((column) => (
          <ColumnHead key={column.key} column={column} />
        ))}
        {menuOf && (
          <th scope="col" className={cx(headCell, actionWidths[actions ? actionCount : 0])}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function ColumnHead<Row>({ column: { head, sort, kind, width, from } }: { column: TableColumn<Row> }) {
  const { params } = useView()
  const look = cx(headCell, kind === 'number' && 'text-right', from && froms[from])
  const style = width === undefined ? undefined : { width }
  if (!sort) {
    return (
      <th scope="col" className={look} style={style}>
        {head}
      </th>
    )
  }
  const current = params.get('sort')
  const order = current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : undefined
  const next = order === 'ascending' ? `-${sort}` : sort
  return (
    <th scope="col" aria-sort={order} className={look} style={style}>
      <Link to={withChanges(params, { sort: next })} preventScrollReset className="inline-flex min-h-8 items-center gap-1.5 hover:text-ink">
        {head}
        <svg viewBox="0 0 8 12" aria-hidden="true" className="w-2 fill-current">
          <path d="M4 0 7.5 4.5H.5z" className={order === 'ascending' ? 'text-ink' : 'opacity-35'} />
          <path d="M4 12 .5 7.5h7z" className={order === 'descending' ? 'text-ink' : 'opacity-35'} />
        </svg>
      </Link>
    </th>
  )
}

const cell = 'h-9 border-b border-line px-(--cell-x) truncate group-last/row:border-b-0 pointer-coarse:h-11'

function TableRow<Row extends { id: string }>(props: DataTableProps<Row> & { row: Row }) {
  const { table, row, renderBulk, ordering } = props
  const isSelected = renderBulk !== undefined && table.selection.has(row.id)
  const attributes = {
    'data-row': row.id,
    // The key j gives the focus to a row that opens nothing.
    ...(!props.opens && { tabIndex: -1 }),
    className: cx(
      'group/row relative scroll-mt-[calc(var(--bar)+2.5rem)] scroll-mb-16 focus-visible:-outline-offset-2',
      isSelected ? 'bg-grain-wash' : 'hover:bg-sunken',
    ),
  }
  if (!ordering) {
    return (
      <tr {...attributes}>
        <Cells {...props} isSelected={isSelected} />
      </tr>
    )
  }
  return (
    <ordering.parts.DragItem as="tr" id={row.id} {...attributes}>
      <Cells {...props} isSelected={isSelected} />
    </ordering.parts.DragItem>
  )
}

function Cells<Row extends { id: string }>(props: DataTableProps<Row> & { row: Row; isSelected: boolean }) {
  const { table, row, isSelected, nameOf, opens, renderNarrow, renderActions, menuOf, renderBulk, ordering } = props
  const { id } = row
  const [first, ...rest] = table.columns
  return (
    <>
      {ordering && <Handle row={row} name={nameOf(row)} ordering={ordering} />}
      {renderBulk && (
        <td className={cx(cell, 'relative z-1 px-0')}>
          <Check label={`Select ${nameOf(row)}`} isOn={isSelected} toggle={(event) => table.selection.toggle(id, event)} />
        </td>
      )}
      {first && (
        <td className={cx(cell, renderNarrow && '@max-2xl:py-1.5')}>
          <Marked mark={first.mark?.(row)}>
            <Opener opening={opens?.(row)}>{first.view(row)}</Opener>
          </Marked>
          {first.beside?.(row)}
          {renderNarrow && (
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5 text-fine whitespace-normal text-muted @2xl:hidden">
              {renderNarrow(row)}
            </div>
          )}
        </td>
      )}
      {rest.map(({ key, kind = 'text', from, view }) => (
        <td key={key} className={cx(cell, kinds[kind], from && froms[from])}>
          {view(row)}
        </td>
      ))}
      {menuOf && (
        <td className={cx(cell, 'relative z-1 px-2')}>
          <span className="flex items-center justify-end gap-0.5">
            {renderActions && <span className="contents @max-md:hidden">{renderActions(row)}</span>}
            <Menu label={`More actions for ${nameOf(row)}`} entries={menuOf(row)} />
          </span>
        </td>
      )}
    </>
  )
}

/** A long name is cut, and never its mark. */
function Marked({ mark, children }: { mark: React.ReactNode; children: React.ReactNode }) {
  if (!mark) return children
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 truncate">{children}</span>
      <span className="shrink-0">{mark}</span>
    </span>
  )
}

function Opener({ opening, children }: { opening: RowOpening | undefined; children: React.ReactNode }) {
  if (!opening) return children
  const look = { 'data-open': '', className: cx(rowLink, 'max-w-full truncate text-left') }
  if ('act' in opening) {
    return (
      <button type="button" {...look} onClick={opening.act}>
        {children}
      </button>
    )
  }
  return (
    <Link to={opening.to} preventScrollReset={opening.isBeside ?? false} {...look}>
      {children}
    </Link>
  )
}

/** An action of a row that must be seen: an icon with a name. */
export function RowButton({ label, children, ...rest }: { label: string } & React.ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} aria-label={label} title={label} className={rowButton}>
      {children}
    </button>
  )
}

/** The classes of a `RowButton`, for a link. */
export const rowButton =
  'grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-line hover:text-ink pointer-coarse:size-11 [&>svg]:size-4'

/** Moves a row. An arrow key moves it past rows of other pages too. */
function Handle({ row: { id }, name, ordering }: { row: { id: string }; name: string; ordering: Ordering }) {
  const { order, parts, count, around } = ordering
  const step = (by: 1 | -1) => {
    const { before, after } = around(id)
    if (by < 0 && before) order.move({ id, before: before.id })
    if (by > 0 && after) order.move({ id, before: order.after(after.id) ?? null })
  }
  return (
    <td className={cx(cell, 'relative z-1 pr-0 pl-2')}>
      <span className="flex items-center gap-1">
        {count > 1 && <parts.DragHandle name={name} step={step} />}
        <span className="font-mono text-fine text-muted tabular-nums @max-md:sr-only">{order.place(id)}</span>
      </span>
    </td>
  )
}

type CheckProps = { label: string; isOn: boolean; isPart?: boolean; toggle: (event: React.ChangeEvent<HTMLInputElement>) => void }

function Check({ label, isOn, isPart = false, toggle }: CheckProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart && !isOn
  }, [isPart, isOn])
  return (
    <label className="grid h-full min-h-8 cursor-pointer place-items-center pointer-coarse:min-h-11">
      <input ref={box} type="checkbox" aria-label={label} checked={isOn} onChange={toggle} className="size-4 cursor-pointer accent-ink" />
    </label>
  )
}

/** Floats above the end of the list while rows are selected. */
function SelectionBar({ text, clear, children }: { text: string | false; clear: () => void; children: React.ReactNode }) {
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      {text && (
        <section
          aria-label="Selected rows"
          data-action-bar
          className="sticky bottom-4 z-20 mx-auto mt-3 flex w-fit flex-wrap items-center gap-2 rounded-card border border-edge bg-surface py-1.5 pr-1.5 pl-4 text-small"
        >
          <span aria-hidden="true" className="font-medium tabular-nums">
            {text}
          </span>
          {children}
          <Button type="button" look="quiet" size="small" aria-label="Clear the selection" onClick={clear}>
            <XIcon aria-hidden="true" className="size-4" />
          </Button>
        </section>
      )}
    </>
  )
}

/** Above a list: search, filters, and at the end what concerns the table. */
export function TableToolbar({ children }: { children: React.ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 sm:gap-x-3">{children}</div>
}

/** Chooses the columns of a table; the browser remembers them. */
export function ChooseColumns<Row extends { id: string }>({ table }: { table: TableOf<Row> }) {
  return (
    <Menu label="Columns" entries={table.choices} className={buttonLook('quiet')}>
      <Columns3Icon aria-hidden="true" className="size-4" />
      Columns
    </Menu>
  )
}
