import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type LeaveDialogProps = {
  title?: string
  onStay: () => void
  onDiscard: () => void
  /** Where a draft can be saved. */
  onSave?: () => void
  /** The fate of the changes. */
  children: React.ReactNode
}

/** Confirms leaving with unsaved changes. */
export function LeaveDialog({ title = 'Leave without saving?', onStay, onDiscard, onSave, children }: LeaveDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onStay}>
        Continue editing
      </Button>
      <Button type="button" look="danger" onClick={onDiscard}>
        Discard
      </Button>
      {onSave && (
        <Button type="button" onClick={onSave}>
          Save draft
        </Button>
      )}
    </>
  )
  return (
    <Dialog open onClose={onStay} title={title} actions={actions}>
      <p className="text-muted">{children}</p>
    </Dialog>
  )
}
