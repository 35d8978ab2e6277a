import { useRevalidator } from 'react-router'
import type { Failure } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { ACCOUNT } from './account.ts'

type RemovalProps = {
  name: string
  remove: () => Promise<{ failure?: Failure }>
  /** The toast after the removal. */
  done: string
  /** The consequences of confirming. */
  children: string
}

/** Removes a sign-in method, after a confirmation. */
export function Removal({ name, remove, done, children }: RemovalProps) {
  const { revalidate } = useRevalidator()
  const action = { send: async () => orThrow(remove()), done, failed: 'Not removed', touches: [ACCOUNT], onDone: revalidate }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Remove ${name}`}
      label="Remove"
      question={`Remove ${name}?`}
      confirm="Remove"
      pending="Removing..."
    >
      <p>{children}</p>
    </QuestionButton>
  )
}
