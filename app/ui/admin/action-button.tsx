import { useState } from 'react'
import { Button, type ButtonProps } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { type ActionOptions, useAction } from './use-action.ts'

type Look = Omit<ButtonProps, 'type' | 'busy' | 'onClick'>

type ActionButtonProps<Answer> = Look & { action: ActionOptions<void, Answer>; /** Its words while it runs. */ pending?: string }

/** A button that writes at once: for what can be undone, or loses nothing. */
export function ActionButton<Answer>({ action, pending = 'Saving...', children, ...rest }: ActionButtonProps<Answer>) {
  const { mutate, isPending } = useAction(action)
  return (
    <Button look="quiet" {...rest} type="button" busy={isPending} onClick={() => mutate()}>
      {isPending ? pending : children}
    </Button>
  )
}

type Question<Answer> = {
  action: ActionOptions<void, Answer>
  /** Its words while it runs. */
  pending?: string
  question: string
  /** The button of the question. */
  confirm: string
  /** The consequences. */
  children: React.ReactNode
}

type QuestionButtonProps<Answer> = Look &
  Question<Answer> & {
    label: React.ReactNode
    /** Of the button of the question, which may say more than the first one. */ confirmLook?: ConfirmLook
  }

type ConfirmLook = 'primary' | 'danger'

/** A button that writes after a question: for what cannot be undone. */
export function QuestionButton<Answer>({ action, label, children, ...rest }: QuestionButtonProps<Answer>) {
  const { pending, question, confirm, confirmLook, ...look } = rest
  const [isAsking, setAsking] = useState(false)
  const asked = { action, question, confirm, ...(pending && { pending }), ...(confirmLook && { look: confirmLook }) }
  return (
    <>
      <Button look="quiet" {...look} type="button" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <QuestionDialog {...asked} close={() => setAsking(false)}>
          {children}
        </QuestionDialog>
      )}
    </>
  )
}

type QuestionDialogProps<Answer> = Question<Answer> & { look?: ConfirmLook; keep?: string; close: () => void }

/** The question alone, where a menu or a row opens it. It closes by itself before the success is told. */
export function QuestionDialog<Answer>({ action, close, question, confirm, children, ...rest }: QuestionDialogProps<Answer>) {
  const { pending = 'Deleting...', look = 'danger', keep } = rest
  const { mutate, isPending } = useAction({
    ...action,
    onDone(answer: Answer) {
      close()
      return action.onDone?.(answer)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => mutate()}
      title={question}
      confirm={isPending ? pending : confirm}
      keep={keep}
      look={look}
      busy={isPending}
    >
      {children}
    </ConfirmDialog>
  )
}
