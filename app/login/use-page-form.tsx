import { useSubmit } from 'react-router'
import { toast } from '#app/ui/toast.ts'
import { SIGNED_IN } from './sign-in-texts.ts'

/** Sends a form to the action of its page, which answers with what was wrong, or leads on with the session's cookies set. */
export function usePageForm() {
  const submit = useSubmit()
  return async (form: HTMLFormElement) => {
    await submit(form, { replace: true, preventScrollReset: true })
    // Halfway in is who has to take a second step yet, and whoever stays at the sign-in pages is not in at all.
    if (!location.pathname.startsWith('/login')) toast(SIGNED_IN)
  }
}
