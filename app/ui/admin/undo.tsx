import { toast, dismissToast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'
import { useEffect, useEffectEvent } from 'react'

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

/** Whether the keys belong to a text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]')
  )
}
