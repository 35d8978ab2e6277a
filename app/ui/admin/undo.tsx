import { dismissToast, endToast, toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'
import { useEffect, useEffectEvent, useRef } from 'react'

type Undo = {
  /** Takes the change back. */
  send: () => Promise<unknown>
  /** Reloads the lists that show it, also after a failure. */
  renew: () => Promise<unknown>
}

/**
 * The button of a toast about a change: `toast({ title, button: undoButton({ send, renew }) })`. It works as long as the toast is shown,
 * also where the list has been left meanwhile.
 */
export function undoButton({ send, renew }: Undo) {
  async function undo() {
    try {
      await send()
      toast({ title: 'Undone' })
    } catch (error) {
      showFailure('Could not undo', error instanceof Error ? error : new Error('Could not undo'))
    }
    await renew()
  }
  return <UndoButton undo={() => void undo()} />
}

/**
 * For a toast about a change that can be taken back: `toast({ title, button: <UndoButton undo={…} /> })`. While the toast is shown, Ctrl Z or
 * ⌘ Z does the same, except in a text field, which has its own undo.
 */
export function UndoButton({ undo }: { undo: () => void }) {
  const act = () => {
    dismissToast()
    undo()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey) || isTyping(event.target)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <button
      type="button"
      onClick={act}
      aria-keyshortcuts="Control+Z Meta+Z"
      className="my-auto min-h-8 shrink-0 rounded-control border border-edge px-3 text-small font-semibold hover:border-ink pointer-coarse:min-h-11"
    >
      Undo
    </button>
  )
}

/**
 * Removes an entry of a form that is saved later. The toast takes that back, into the list as it is by then, for as long as the form is there:
 * `remove(at, 'Line 2 removed')`.
 */
export function useRemoval<Item>(items: readonly Item[], change: (items: Item[]) => void): (at: number, title: string) => void {
  const latest = useRef({ items, change })
  const shown = useRef(0)
  useEffect(() => {
    latest.current = { items, change }
  })
  useEffect(() => () => endToast(shown.current), [])
  return (at, title) => {
    const removed = items.slice(at, at + 1)
    const undo = () => latest.current.change(latest.current.items.toSpliced(at, 0, ...removed))
    change(items.toSpliced(at, 1))
    shown.current = toast({ title, button: <UndoButton undo={undo} /> })
  }
}

/** Whether the keys belong to a text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]')
  )
}
