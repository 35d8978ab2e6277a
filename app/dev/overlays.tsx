import { useState } from 'react'
import { z } from 'zod/mini'
import { QueryProvider } from '#app/platform/browser/query-client.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { OnceDialog } from '#app/ui/admin/once-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog, Named } from '#app/ui/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { ToastHistory } from '#app/ui/toast-history.tsx'
import { toast } from '#app/ui/toast.ts'
import { GallerySection } from './gallery-section.tsx'

export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'side' | 'confirm' | 'busy' | 'form' | 'once'>()
  const close = () => setOpen(undefined)
  return (
    <GallerySection title="Dialogs and toasts">
      <div className="flex flex-wrap gap-3">
        <Opener onClick={() => setOpen('dialog')}>Dialog</Opener>
        <Opener onClick={() => setOpen('side')}>Side dialog</Opener>
        <Opener onClick={() => setOpen('confirm')}>Confirm</Opener>
        <Opener onClick={() => setOpen('busy')}>Dialog at work</Opener>
        <Opener onClick={() => setOpen('form')}>Form</Opener>
        <Opener onClick={() => setOpen('once')}>Shown once</Opener>
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
        <Named names={['Ten traps of price monitoring', 'Prices that hide']} />
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
        Both emails leave at once.
      </ConfirmDialog>
      {open === 'once' && (
        <OnceDialog title="Your key" what="this key" close={close}>
          {(kept) => <CopyButton text="wn_example" label="Copy the key" onCopied={kept} />}
        </OnceDialog>
      )}
      {open === 'form' && (
        <QueryProvider onSignedOut={close}>
          <FormExample close={close} />
        </QueryProvider>
      )}
    </GallerySection>
  )
}

const invitation = z.object({ email: z.email('Enter an email address') })

function FormExample({ close }: { close: () => void }) {
  const form = useForm({ schema: invitation, send: async () => undefined, done: 'Invitation sent', failed: 'Not sent', onDone: close })
  return (
    <FormDialog form={form} onClose={close} title="Invite someone" submit="Send the invitation" pending="Sending...">
      <Field label="Email" name="email">
        <Input type="email" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

function Opener(props: { onClick: () => void; children: React.ReactNode }) {
  return <Button type="button" look="quiet" {...props} />
}
