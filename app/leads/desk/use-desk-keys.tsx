import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '#app/ui/admin/undo-button.tsx'

/** Every key of the desk, and what it does. */
export const deskKeys = [
  { key: 'j', does: 'Next lead' },
  { key: 'k', does: 'Previous lead' },
  { key: 'Enter', does: 'Open the lead' },
  { key: 'x', does: 'Select the lead' },
  { key: 'e', does: 'Change the stage' },
  { key: 'a', does: 'Assign an owner' },
  { key: 'n', does: 'Add a note' },
  { key: 'r', does: 'Reply by email' },
  { key: '/', does: 'Search' },
  { key: '?', does: 'Show these keys' },
] as const

export type DeskKey = (typeof deskKeys)[number]['key']

/** Calls back for the keys of the desk, outside of text fields and dialogs. A key without a callback does nothing. */
export function useDeskKeys(actions: Partial<Record<DeskKey, () => void>>): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return
    const act = Object.entries(actions).find(([key]) => key === event.key)?.[1]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event)
    // Before the workspace hears `?`: the list of the desk has the keys of both.
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}

/** The row with the focus, by its id. */
export function focusedLead(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
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
