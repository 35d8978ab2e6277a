import { useState } from 'react'
import { Button, type ButtonProps } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { type ActionOptions, useAction } from './use-action.ts'
import { useOnce } from './use-form.ts'

type Look = Omit<ButtonProps, 'type' | 'busy' | 'onClick'>

type ActionButtonProps<Answer> = Look & { action: ActionOptions<void, Answer>; /** Its words while it runs. */ pending?: string }

/** A button that writes at once: for what can be undone, or loses nothing. */
export function ActionButton<Answer>({ action, pending = 'Saving...', children, ...rest }: ActionButtonProps<Answer>) {
  const { mutate, isPending } = useAction(action)
  const once = useOnce(isPending)
  return (
    <Button look="quiet" {...rest} type="button" busy={isPending} onClick={() => once(mutate)}>
      {isPending ? pending : children}
    </Button>
  )
}

type QuestionButtonProps<Answer> = ActionButtonProps<Answer> & {
  label: React.ReactNode
  question: string
  /** The button of the question, which may say more than the first one. */
  confirm: string
  confirmLook?: 'primary' | 'danger'
  /** The consequences. */
  children: React.ReactNode
}

/** A button that writes after a question: for what cannot be undone. */
export function QuestionButton<Answer>({ action, label, children, ...rest }: QuestionButtonProps<Answer>) {
  const { pending = 'Deleting...', question, confirm, confirmLook = 'danger', ...look } = rest
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useAction({
    ...action,
    onDone(answer: Answer) {
      setAsking(false)
      return action.onDone?.(answer)
    },
  })
  const once = useOnce(isPending)
  return (
    <>
      <Button look="quiet" {...look} type="button" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => once(mutate)}
        title={question}
        confirm={isPending ? pending : confirm}
        look={confirmLook}
        busy={isPending}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
