import { useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  onClose: () => void
  title: string
  /** The action of the form, as its button names it. */
  submit: string
  /** The button that changes nothing. Name it where “Cancel” could mean the action. */
  leave?: string
  look?: 'primary' | 'danger'
  busy: boolean
  /** The reason why it cannot be submitted yet. */
  unavailable?: string | undefined
  onSubmit: (given: Record<string, string>) => void
  /** The fields, and the information that people need before they fill them in. */
  children: React.ReactNode
}

/** A short form in a dialog: its submit button is in the footer, beside Cancel. */
export function FormDialog({
  onClose,
  title,
  submit,
  leave = 'Cancel',
  look = 'primary',
  busy,
  unavailable,
  onSubmit,
  children,
}: FormDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  // The browser gives the focus to the first button, which closes the dialog. People come to fill in the first field.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        {leave}
      </Button>
      <Button form={id} look={look} busy={busy} {...(unavailable && { unavailable })}>
        {submit}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={title} actions={actions}>
      <form
        method="post"
        ref={form}
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
