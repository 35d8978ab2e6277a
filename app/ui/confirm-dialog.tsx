import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  /** The question. */
  title: string
  /** The consequences of confirming. */
  children?: React.ReactNode
  /** The verb: 'Delete', 'Release'. */
  confirm: string
  look?: 'primary' | 'danger'
  busy?: boolean
}

/** Asks for a confirmation before an action that is hard to undo. */
export function ConfirmDialog({ open, onClose, onConfirm, title, children, confirm, look = 'danger', busy = false }: ConfirmDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button type="button" look={look} busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={onClose} title={title} actions={actions}>
      <div className="text-muted">{children}</div>
    </Dialog>
  )
}
