import { useLocation } from 'react-router'
import { z } from 'zod/mini'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { LocalInbox } from './local-inbox.tsx'
import type { EmailFormState } from './credentials.ts'

type EmailWishFormProps = {
  wish: EmailFormState | undefined
  /** The address of this browser's last sign-up. */
  address?: string | undefined
  inbox: boolean
  action: string
  children: string
}

const typedState = z.object({ email: z.string(), firstName: z.optional(z.string()), lastName: z.optional(z.string()) })

/** The address and name that the person typed on the page before, so that they are not asked twice. They are in the history entry, never in a URL. */
export function useTyped(): z.infer<typeof typedState> | undefined {
  return typedState.safeParse(useLocation().state).data
}

/** Asks for the address that the email is sent to. Works without JavaScript. */
export function EmailRequestForm({ wish, address, inbox, action, children }: EmailWishFormProps) {
  const typed = useTyped()?.email ?? address
  if (wish?.sent) {
    return (
      <>
        <p role="status" className="rounded-control border border-leaf px-4 py-3 text-small font-medium">
          If this address needs the email, it’s on its way. It can take a minute. Check your spam folder too.
        </p>
        {inbox && <LocalInbox />}
      </>
    )
  }
  return (
    <form method="post" action={action} noValidate className="grid gap-5">
      <Field label="Email" name="email" error={wish?.error}>
        <Input type="email" autoComplete="username" inputMode="email" defaultValue={wish?.email ?? typed} />
      </Field>
      <Button>{children}</Button>
    </form>
  )
}
