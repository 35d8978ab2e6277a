import {
  columnVisibilityFeature,
  functionalUpdate,
  rowSelectionFeature,
  type RowSelectionState,
  tableFeatures,
  useTable as useReactTable,
} from '@tanstack/react-table'
import { useState, useSyncExternalStore } from 'react'
import { z } from 'zod/mini'

/** A column of a `DataTable`. */
export type TableColumn<Row> = {
  /** Stored with the choice of columns, so it must not change. */
  key: string
  /** Its heading, and its name in the choice of columns. */
  head: string
  view: (row: Row) => React.ReactNode
  /** A badge of a row, whole beside the link of a first cell. */
  mark?: (row: Row) => React.ReactNode
  /** After the link of a first cell: a shortened text that is not its name. */
  beside?: (row: Row) => React.ReactNode
  /** Money, counts and dates: mono, numbers to the right. */
  kind?: 'text' | 'number' | 'data'
  /** A CSS length. The columns without one share the rest. */
  width?: string
  /** Hidden while the table is narrower: than 448, 672, 896, 1024 or 1152 pixels. */
  from?: 'small' | 'medium' | 'large' | 'wide' | 'huge'
  /** Hidden until someone chooses it. */
  isExtra?: true
  /** The name by which the server sorts; the order is `sort` in the address, with a `-` in front for the last first. */
  sort?: string
}

type TableOptions<Row> = {
  /** Under this name the browser remembers the columns. */
  name: string
  /** The first column always stays: it names the row. */
  columns: readonly TableColumn<Row>[]
  /** The rows of the page that is shown. */
  rows: readonly Row[]
}

export type TableOf<Row extends { id: string }> = ReturnType<typeof useTable<Row>>

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })

/** The state of a `DataTable`: chosen columns and selected rows. */
export function useTable<Row extends { id: string }>({ name, columns, rows }: TableOptions<Row>) {
  const [changed, change] = useStored(`columns.${name}`)
  const [chosen, setChosen] = useState<RowSelectionState>({})
  // The browser stores the exceptions, so that a new column appears.
  const isShown = ({ key, isExtra }: TableColumn<Row>) => changed.includes(key) === (isExtra ?? false)
  const table = useReactTable<typeof features, Row>({
    features,
    data: rows,
    columns: columns.map(({ key, head }, at) => ({ id: key, header: head, enableHiding: at > 0 })),
    getRowId: ({ id }) => id,
    state: {
      rowSelection: chosen,
      columnVisibility: Object.fromEntries(columns.map((column, at) => [column.key, at === 0 || isShown(column)])),
    },
    onRowSelectionChange: (next) => setChosen((before) => amongShown(functionalUpdate(next, before), rows)),
  })
  return {
    name,
    rows,
    columns: columns.filter(({ key }) => table.getColumn(key)?.getIsVisible()),
    choices: columns.slice(1).map((column) => ({
      label: column.head,
      isOn: isShown(column),
      change: () => change((now) => toggled(now, column.key)),
    })),
    selection: {
      rows: table.getSelectedRowModel().rows.map(({ original }) => original),
      /** Another one after each change of the selection. */
      chosen,
      has: (id: string) => chosen[id] === true,
      isAll: table.getIsAllRowsSelected(),
      /** With Shift, the event of a checkbox extends the selection from the row that was toggled last. */
      toggle: (id: string, event: unknown = { target: { checked: chosen[id] !== true } }) =>
        table.getRow(id).getToggleSelectedHandler()(event),
      toggleAll: () => table.toggleAllRowsSelected(),
      clear: () => table.resetRowSelection(true),
    },
  }
}

/** A row that leaves the page is no longer selected. */
function amongShown(selection: RowSelectionState, rows: readonly { id: string }[]): RowSelectionState {
  return Object.fromEntries(rows.flatMap(({ id }) => (selection[id] ? [[id, true]] : [])))
}

/** The list without a text that it has, or with it at its end. */
export function toggled(list: readonly string[], text: string): string[] {
  return list.includes(text) ? list.filter((each) => each !== text) : [...list, text]
}

const texts = z.array(z.string())
const none: string[] = []
const listeners = new Set<() => void>()
const read = new Map<string, { text: string | null; value: string[] }>()

/**
 * A list of texts that this browser remembers, shared by all its users on the page. Empty on the server, and where the browser stores
 * nothing it lasts as long as the page. A change is made to the list as it is by then: another tab can have changed it.
 */
export function useStored(key: string): [string[], (change: (now: readonly string[]) => string[]) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readStored(key),
    () => none,
  )
  const store = (change: (now: readonly string[]) => string[]) => {
    const next = change(readStored(key))
    try {
      localStorage.setItem(key, JSON.stringify(next))
      read.delete(key)
    } catch {
      read.set(key, { text: null, value: next })
    }
    for (const listener of listeners) listener()
  }
  return [value, store]
}

/** The same array until the text changes. */
function readStored(key: string): string[] {
  const known = read.get(key)
  let text: string | null = null
  try {
    text = localStorage.getItem(key)
    if (known?.text === text) return known.value
    const parsed = texts.safeParse(JSON.parse(text ?? '[]'))
    const value = parsed.success ? parsed.data : none
    read.set(key, { text, value })
    return value
  } catch {
    return known?.value ?? none
  }
}
