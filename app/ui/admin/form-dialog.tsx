import { useId, useLayoutEffect, useState } from 'react'
import { Button, type ButtonProps } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Form } from './form.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import type { FormState } from './use-form.ts'
import { useLeaveGuard } from './leave-warning.tsx'

type FormDialogProps = {
  form: FormState
  onClose: () => void
  title: string
  /** The action of the form, as its button names it, and the words while it runs. */
  submit: string
  pending?: string
  /** The button that changes nothing. Name it where “Cancel” could mean the action. */
  leave?: string
  look?: ButtonProps['look']
  /** The reason why it cannot be submitted yet. */
  unavailable?: string | undefined
  side?: boolean
  /** The fields, and the information that people need before they fill them in. */
  children: React.ReactNode
}

/** A form in a dialog: its submit button is in the footer, beside Cancel. Escape asks before it loses what was typed. */
export function FormDialog({ form, onClose, title, submit, pending = 'Saving...', leave = 'Cancel', ...rest }: FormDialogProps) {
  const { look = 'primary', unavailable, side = false, children } = rest
  const id = useId()
  const [isChanged, setChanged] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isAtRisk = isChanged && !form.isSaving
  useLeaveGuard(isAtRisk)
  // The browser gives the focus to the first button, which closes the dialog. People come to fill in the first field.
  useLayoutEffect(() => {
    const field = document.getElementById(id)?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')
    field?.focus()
  }, [id])
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        {leave}
      </Button>
      <Button form={id} look={look} busy={form.isSaving} {...(unavailable && { unavailable })}>
        {form.isSaving ? pending : submit}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={() => (isAtRisk ? setAsking(true) : onClose())} isKept={isAtRisk} title={title} actions={actions} side={side}>
      <Form form={form} id={id} onChanged={setChanged} className="grid gap-5">
        {children}
      </Form>
      {isAsking && (
        <LeaveDialog onStay={() => setAsking(false)} onDiscard={onClose}>
          Your changes in this form will be lost.
        </LeaveDialog>
      )}
    </Dialog>
  )
}
