import { Button } from './button.tsx'
import { cx } from './class-names.ts'
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
  /** The way back, where “Cancel” could be read as the deed. */
  keep?: string | undefined
  look?: 'primary' | 'danger'
  busy?: boolean
}

/** Asks for a confirmation before an action that is hard to undo. */
export function ConfirmDialog({ open, onClose, onConfirm, title, children, confirm, ...rest }: ConfirmDialogProps) {
  const { keep = 'Cancel', look = 'danger', busy = false } = rest
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        {keep}
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

/** The most names that a question lists. */
const MOST_NAMES = 5

/** Names the rows that a question is about: the first ones, and the number of the others. */
export function Named({ names, mono = false }: { names: readonly string[]; mono?: boolean }) {
  return (
    <div className="mb-3">
      <p className={cx('text-ink whitespace-pre-line wrap-anywhere', mono ? 'font-mono text-small' : 'font-semibold')}>
        {names.slice(0, MOST_NAMES).join('\n')}
      </p>
      {names.length > MOST_NAMES && <p>And {names.length - MOST_NAMES} more.</p>}
    </div>
  )
}
