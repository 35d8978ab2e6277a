import { useRef, useState, useSyncExternalStore } from 'react'
import { z } from 'zod/mini'

/** A column of a `DataTable`. */
export type TableColumn<Row> = {
  /** Stored with the choice of columns, so it must not change. */
  key: string
  /** Its heading, and its name in the choice of columns. */
  head: string
  view: (row: Row) => React.ReactNode
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

/** The state of a `DataTable`: chosen columns and selected rows. */
export function useTable<Row extends { id: string }>({ name, columns, rows }: TableOptions<Row>) {
  const [changed, change] = useStored(`columns.${name}`)
  // The browser stores the exceptions, so that a new column appears.
  const isShown = (column: TableColumn<Row>) => changed.includes(column.key) === (column.isExtra ?? false)
  return {
    name,
    rows,
    columns: columns.filter((column, at) => at === 0 || isShown(column)),
    choices: columns.slice(1).map((column) => ({
      label: column.head,
      isOn: isShown(column),
      change: () => change(changed.includes(column.key) ? changed.filter((key) => key !== column.key) : [...changed, column.key]),
    })),
    selection: useSelection(rows),
  }
}

/** Selected rows of the shown page. A row that leaves the page is no longer selected. */
function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const selected = rows.filter(({ id }) => chosen.has(id))
  return {
    rows: selected,
    /** Another one after each change of the selection. */
    chosen,
    has: (id: string) => chosen.has(id),
    isAll: rows.length > 0 && selected.length === rows.length,
    /** `toHere` extends the selection from the row that was toggled last, as a click with Shift does. */
    toggle(id: string, toHere: boolean) {
      const next = new Set(selected.map((row) => row.id))
      const [from, to] = [rows.findIndex((row) => row.id === last.current), rows.findIndex((row) => row.id === id)]
      const range = toHere && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : rows.slice(to, to + 1)
      const isOn = !chosen.has(id)
      for (const row of range) {
        if (isOn) next.add(row.id)
        else next.delete(row.id)
      }
      last.current = id
      setChosen(next)
    },
    toggleAll: () => setChosen(new Set(selected.length === rows.length ? [] : rows.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
  }
}

const texts = z.array(z.string())
const none: string[] = []
const listeners = new Set<() => void>()
const read = new Map<string, { text: string | null; value: string[] }>()

/**
 * A list of texts that this browser remembers, shared by all its users on the page. Empty on the server, and where the browser stores
 * nothing it lasts as long as the page.
 */
export function useStored(key: string): [string[], (next: string[]) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readStored(key),
    () => none,
  )
  const store = (next: string[]) => {
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
