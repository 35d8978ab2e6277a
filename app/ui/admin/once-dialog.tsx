import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type OnceDialogProps = {
  title: string
  /** `this key`, in the question. */
  what: string
  /** The button that closes it without a question. */
  done?: string
  close: () => void
  /** Its first button copies; each way to keep it reports that. */
  children: (kept: () => void) => React.ReactNode
}

/** Shows a secret that cannot be shown again. Until it was copied, Escape, the cross and a click beside the dialog ask first. */
export function OnceDialog({ title, what, done = 'Done', close, children }: OnceDialogProps) {
  const content = useRef<HTMLDivElement>(null)
  const [isKept, setKept] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // The browser gives the focus to the first button, which closes the dialog.
  useLayoutEffect(() => content.current?.querySelector('button')?.focus(), [])
  const actions = (
    <Button type="button" onClick={close}>
      {done}
    </Button>
  )
  return (
    <Dialog open onClose={() => (isKept ? close() : setAsking(true))} isKept={!isKept} title={title} actions={actions}>
      {/* Text that is selected and copied counts as kept too: some browsers refuse the button. */}
      <div ref={content} onCopy={() => setKept(true)} className="grid grid-cols-1 gap-4">
        {children(() => setKept(true))}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={close}
        title="Close without copying?"
        confirm="Close"
        keep="Back"
      >
        You won’t be able to see {what} again.
      </ConfirmDialog>
    </Dialog>
  )
}
