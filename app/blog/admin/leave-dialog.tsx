import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type LeaveDialogProps = { isNew: boolean; onStay: () => void; onLeave: () => void; onDiscard: () => void }

/** Confirms leaving with unsaved changes. The draft stays unless the writer discards it. */
export function PostLeaveDialog({ isNew, onStay, onLeave, onDiscard }: LeaveDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onStay}>
        Continue editing
      </Button>
      <Button type="button" look="danger" onClick={onDiscard}>
        Discard
      </Button>
      <Button type="button" onClick={onLeave}>
        Save draft
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onStay} title="Leave without saving?" actions={actions}>
      <p className="text-muted">
        {isNew
          ? 'You have unsaved changes. A saved draft stays in this browser.'
          : 'You have unsaved changes. The published post is unaffected.'}
      </p>
    </Dialog>
  )
}
