import { useSubmit } from 'react-router'
import { toast } from '#app/ui/toast.ts'
import { SIGNED_IN } from './sign-in-texts.ts'

type LiveFormProps = { submit: (form: HTMLFormElement) => Promise<unknown>; children: React.ReactNode }

/** A form that the live page submits itself; before hydration the browser submits it to the page's action. */
export function LiveForm({ submit, children }: LiveFormProps) {
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}

/** Sends a form to its page's action, which returns errors, or redirects with the session's cookies set. */
export function usePageForm() {
  const submit = useSubmit()
  return async (form: HTMLFormElement) => {
    await submit(form, { replace: true, preventScrollReset: true })
    // On a page under /login the sign-in is not complete: it failed, or a second factor is pending.
    if (!location.pathname.startsWith('/login')) toast(SIGNED_IN)
  }
}
