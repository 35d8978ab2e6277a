import { toast } from '#app/ui/toast.ts'

/** What someone reads whose session has ended while a page was open. */
export const UNAUTHORIZED = { title: 'Unauthorized', description: 'You are logged out. Logging in again...' } as const
/** Milliseconds, so that the words can be read before the page goes. */
export const LOGIN_REDIRECT_MS = 500

let leaving = false

/** Says so and goes to the sign-in page, which leads back here. Several calls that fail at once do it once. */
export function signInAgain(): void {
  if (leaving) return
  leaving = true
  toast({ ...UNAUTHORIZED, look: 'danger' })
  setTimeout(() => location.assign(`/api/login?next=${encodeURIComponent(location.pathname + location.search)}`), LOGIN_REDIRECT_MS)
}
