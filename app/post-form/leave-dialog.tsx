import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type LeaveDialogProps = { isNew: boolean; onStay: () => void; onLeave: () => void; onDiscard: () => void }

/** Asks whoever cancels with something written that is not saved. The draft stays unless they say otherwise. */
export function LeaveDialog({ isNew, onStay, onLeave, onDiscard }: LeaveDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onStay}>
        Go on writing
      </Button>
      <Button type="button" look="danger" onClick={onDiscard}>
        Discard
      </Button>
      <Button type="button" onClick={onLeave}>
        Keep the draft
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onStay} title="Leave without saving?" actions={actions}>
      <p className="text-muted">
        {isNew
          ? 'The post has not been made yet. Kept, what you have written waits in this browser.'
          : 'Readers see nothing of what you have changed. Kept, it waits here as a draft for you and other staff.'}
      </p>
    </Dialog>
  )
}
