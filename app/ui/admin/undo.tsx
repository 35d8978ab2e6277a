import { toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'
import { UndoButton } from './undo-button.tsx'

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
