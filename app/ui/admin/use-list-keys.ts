import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { isTyping } from './undo.tsx'

type ListKeys = {
  /** The element around the rows, which has `data-list`. */
  list: RefObject<HTMLElement | null>
  /** The rows have not loaded. Keys that need them are kept and act in order once they are there. */
  isWaiting: boolean
  /** Selects the row with this id, or no longer. */
  toggle?: ((id: string) => void) | undefined
  /** Keys that only this list has. They get the id of the row with the focus. */
  ofRows: Record<string, (id: string | undefined) => void>
  /** Those that need no rows. */
  ofPage: Record<string, () => void> | undefined
}

const rowKeys = new Set(['j', 'k', 'x'])

/** A key that is held down repeats. */
const MOST_EARLY = 50

/** The keys of every list, outside of text fields, menus and dialogs: j and k move the focus, Enter opens the row, x selects it, / searches. */
export function useListKeys({ list, isWaiting, toggle, ofRows, ofPage = {} }: ListKeys): void {
  const [early, setEarly] = useState<readonly string[]>([])
  function act(key: string): boolean {
    const id = focusedRow()?.dataset['row']
    if (key === 'j' || key === 'k') focusRow(list.current, key === 'j' ? 1 : -1)
    else if (key === '/') focusSearch(list.current)
    else if (key === 'x' && toggle && id) toggle(id)
    else if (ofRows[key]) ofRows[key](id)
    else if (ofPage[key]) ofPage[key]()
    else return false
    return true
  }
  useHeard(({ key, target }) => {
    if (!hasKeys(list.current)) return false
    const needsRows = rowKeys.has(key) || ofRows[key] !== undefined || (key === 'Enter' && target === document.body)
    if (!needsRows || (!isWaiting && early.length === 0)) return act(key)
    setEarly((before) => (before.length === MOST_EARLY ? before : [...before, key]))
    return true
  })
  // One at each render, so that each sees what the one before it did.
  const actEarly = useEffectEvent((key: string) => {
    setEarly((before) => before.slice(1))
    if (key === 'Enter') focusedRow()?.querySelector<HTMLElement>('[data-open]')?.click()
    else act(key)
  })
  useEffect(() => {
    const [next] = early
    if (!next || isWaiting) return
    const turn = setTimeout(() => actEarly(next))
    return () => clearTimeout(turn)
  }, [early, isWaiting])
}

/** Of several lists on a page, the one with the focus has the keys; without a focus, the first one with rows. */
function hasKeys(list: HTMLElement | null): boolean {
  const focused = document.activeElement?.closest('[data-list]')
  return list === (focused ?? document.querySelector('[data-list]:has([data-row])') ?? document.querySelector('[data-list]'))
}

/** The keys of a page without a list, outside of text fields, menus and dialogs. */
export function usePageKeys(keys: Record<string, () => void>): void {
  useHeard(({ key }) => {
    keys[key]?.()
    return keys[key] !== undefined
  })
}

/** Hears keys that belong to the page. `hear` returns whether it took one. */
function useHeard(hear: (event: KeyboardEvent) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
    if (hear(event)) event.preventDefault()
  })
  // With the page's own code, not some time after it: a key in between would be lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Before the workspace hears `?`, which a page may have for itself.
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}

/** Whether the keys belong to a text, to an open menu or to a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  const isInMenu = target instanceof Element && target.closest('[role=menu], [role=listbox]') !== null
  return isInMenu || isTyping(target) || document.querySelector('dialog[open]') !== null
}

function focusedRow(): HTMLElement | null | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')
}

/** Moves the focus to the next or the previous row, from the first one on. */
function focusRow(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const at = rows.findIndex((row) => row === focusedRow())
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
  const target = row?.querySelector<HTMLElement>('[data-open]') ?? row
  target?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

function focusSearch(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('input[type=search]')?.focus()
}
