import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ToastHistory } from '#app/ui/toast-history.tsx'
import { toast } from '#app/ui/toast.ts'
import { Shelf } from './shelf.tsx'

export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'side' | 'confirm' | 'busy'>()
  const close = () => setOpen(undefined)
  return (
    <Shelf title="Dialogs and toasts">
      <div className="flex flex-wrap gap-3">
        <Opener onClick={() => setOpen('dialog')}>Dialog</Opener>
        <Opener onClick={() => setOpen('side')}>Side dialog</Opener>
        <Opener onClick={() => setOpen('confirm')}>Confirm</Opener>
        <Opener onClick={() => setOpen('busy')}>Dialog at work</Opener>
        <Opener onClick={() => toast({ title: 'Download Started', description: 'Your data download has been initiated successfully.' })}>
          Toast
        </Opener>
        <Opener onClick={() => toast({ title: 'Error', description: 'Failed to send message. Please try again.', look: 'danger' })}>
          Toast of danger
        </Opener>
      </div>
      <Card as="section" pad="none" aria-label="Past messages">
        <ToastHistory />
      </Card>
      <Dialog open={open === 'dialog'} onClose={close} title="Dialog" actions={<Opener onClick={close}>Done</Opener>}>
        The focus stays inside, Escape closes it, and the focus goes back to the button.
      </Dialog>
      <Dialog open={open === 'side'} onClose={close} title="A whole record" side>
        Room for everything that is known about one row.
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Are you sure you want to delete this blog post?"
        confirm="Delete"
      >
        It cannot be brought back.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'busy'}
        onClose={close}
        onConfirm={close}
        title="Release this enquiry?"
        confirm="Release"
        look="primary"
        busy
      >
        Both letters leave at once.
      </ConfirmDialog>
    </Shelf>
  )
}

function Opener(props: { onClick: () => void; children: React.ReactNode }) {
  return <Button type="button" look="quiet" {...props} />
}
