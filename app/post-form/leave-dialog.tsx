import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type LeaveDialogProps = { open: boolean; onStay: () => void; onLeave: () => void }

/** Asks whoever cancels with something written that has not been saved. */
export function LeaveDialog({ open, onStay, onLeave }: LeaveDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onStay}>
        Go on writing
      </Button>
      <Button type="button" look="danger" onClick={onLeave}>
        Discard changes
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={onStay} title="Leave without saving?" actions={actions}>
      <p className="text-muted">What you have changed here is not part of the post yet.</p>
    </Dialog>
  )
}
