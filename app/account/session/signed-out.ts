import { toast } from '#app/ui/toast.ts'

/** The text for a session that ended while a page was open. */
export const UNAUTHORIZED = { title: 'Unauthorized', description: 'You are logged out. Logging in again...' } as const
/** Milliseconds, so that the text can be read before the page changes. */
export const LOGIN_REDIRECT_MS = 500

let leaving = false

/** Shows a notice and goes to the sign-in page, which says it again and leads back here. Simultaneous failures do it once. */
export function signInAgain(): void {
  if (leaving) return
  leaving = true
  toast({ ...UNAUTHORIZED, look: 'danger' })
  const next = encodeURIComponent(location.pathname + location.search)
  setTimeout(() => location.assign(`/api/login?next=${next}&notice=ended`), LOGIN_REDIRECT_MS)
}
