/** The notices of the sign-in page. The URL names one of these, so a link cannot inject its own text. */
const notices = {
  'check-email': 'Please check your email to confirm your account.',
  confirmed: 'Your address is confirmed. You can sign in now.',
  ended: 'Your session has ended. Please sign in again.',
  'new-password': 'Your password has been saved. Please sign in with it.',
} as const

/** The reason of a failed sign-in in our words, where the auth protocol has its own. */
export function signInFailure(code: string | undefined, message: string): string {
  return code === 'email_not_confirmed' ? 'Confirm your email address first' : message
}

/** The toast after a sign-in. */
export const SIGNED_IN = { title: 'Success!', description: 'You have successfully signed in.' }

export type Notice = keyof typeof notices

export function noticeText(notice: string | null): string | undefined {
  return isNotice(notice) ? notices[notice] : undefined
}

function isNotice(value: string | null): value is Notice {
  return value !== null && Object.hasOwn(notices, value)
}

/** The URL of the sign-in page, with a notice or a form. Without these, it opens the sign-up form while there is no owner. */
export function loginPath({ notice, mode, next }: { notice?: Notice; mode?: 'sign-in' | 'sign-up'; next?: string | undefined }): string {
  const query = new URLSearchParams({ ...(mode && { mode }), ...(notice && { notice }), ...(next && { next }) })
  return query.size > 0 ? `/login?${query}` : '/login'
}

/** The URL of the passwordless sign-in. */
export function codePath(next: string | undefined): string {
  return next ? `/login/code?${new URLSearchParams({ next })}` : '/login/code'
}

/** The URL of the MFA page. */
export function mfaPath(next: string | undefined): string {
  return next ? `/login/second-step?${new URLSearchParams({ next })}` : '/login/second-step'
}
