import { useEffect, useEffectEvent, useState } from 'react'
import { isTyping } from '#app/ui/admin/undo.tsx'

/** Every key of the desk, and what it does. */
export const deskKeys = [
  { key: 'j', does: 'Next lead' },
  { key: 'k', does: 'Previous lead' },
  { key: 'Enter', does: 'Open the lead' },
  { key: '→', does: 'Next cell of the lead, which Enter edits' },
  { key: 'x', does: 'Select the lead' },
  { key: 'c', does: 'New lead' },
  { key: 'e', does: 'Change the stage' },
  { key: 'a', does: 'Assign an owner' },
  { key: 'n', does: 'Add a note' },
  { key: 'r', does: 'Reply by email' },
  { key: '/', does: 'Search' },
  { key: '?', does: 'Show these keys' },
] as const

export type DeskKey = (typeof deskKeys)[number]['key']

type Actions = Partial<Record<DeskKey, () => void>>

/** Keys that are pressed before the leads have loaded. They act in order once the leads are there. */
export function useEarlyKeys() {
  const [keys, setKeys] = useState<readonly DeskKey[]>([])
  return {
    keys,
    // The keys after a slash are search text.
    keep: (key: DeskKey) => setKeys((before) => (before.includes('/') || before.length === MOST_EARLY ? before : [...before, key])),
    drop: () => setKeys((before) => before.slice(1)),
  }
}

export type EarlyKeys = ReturnType<typeof useEarlyKeys>

/** A key that is held down repeats. */
const MOST_EARLY = 50

const none: EarlyKeys = { keys: [], keep: () => undefined, drop: () => undefined }

/**
 * Calls back for the keys of the desk, outside of text fields and dialogs. A key without a callback does nothing. While `isWaiting`, keys that need
 * a lead are kept in `early`.
 */
export function useDeskKeys(actions: Actions, { early = none, isWaiting = false }: { early?: EarlyKeys; isWaiting?: boolean } = {}): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return
    const key = deskKeys.find((known) => known.key === event.key)?.key
    if (!key) return
    const act = actions[key]
    const isEarly = (isWaiting || early.keys.length > 0) && isKept(key, event, act !== undefined)
    if (!isEarly && !act) return
    event.preventDefault()
    if (isEarly) early.keep(key)
    else act?.()
  })
  // One at each render, so that each sees what the one before it did.
  const actEarly = useEffectEvent((key: DeskKey) => {
    early.drop()
    if (key === 'Enter') focusedRow()?.querySelector('a')?.click()
    else actions[key]?.()
  })
  const { keys } = early
  useEffect(() => {
    const [next] = keys
    if (next && !isWaiting) actEarly(next)
  }, [keys, isWaiting])
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event)
    // Before the workspace hears `?`: the list of the desk has the keys of both.
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}

/** Search, help and a new lead work without leads. Enter on a link or a button activates it. */
function isKept(key: DeskKey, { target }: KeyboardEvent, hasAction: boolean): boolean {
  if (key === 'Enter') return target === document.body
  return !(hasAction && (key === '/' || key === '?' || key === 'c'))
}

function focusedRow(): HTMLElement | null | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')
}

/** The row with the focus, by its id. */
export function focusedLead(): string | undefined {
  return focusedRow()?.dataset['row']
}

/** Moves the focus to the next or the previous row, from the first one on. */
export function focusLead(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex(({ dataset }) => dataset['row'] === focusedLead())
  const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
  next?.querySelector<HTMLElement>('a')?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

export function focusSearch(): void {
  document.querySelector<HTMLElement>('main input[type=search]')?.focus()
}
