import { useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  onClose: () => void
  title: string
  /** What the form does, as its button says it. */
  submit: string
  look?: 'primary' | 'danger'
  busy: boolean
  /** Why it cannot be sent yet. */
  unavailable?: string | undefined
  onSubmit: (given: Record<string, string>) => void
  /** Fields, and what someone has to know before they fill them in. */
  children: React.ReactNode
}

/** A short form that is asked in between: its button stands at the foot of the dialog, beside the way out. */
export function FormDialog({ onClose, title, submit, look = 'primary', busy, unavailable, onSubmit, children }: FormDialogProps) {
  const id = useId()
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button form={id} look={look} busy={busy} {...(unavailable && { unavailable })}>
        {submit}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={title} actions={actions}>
      <form
        id={id}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(textsOf(new FormData(event.currentTarget)))
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}

function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}
