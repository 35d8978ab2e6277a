import { redirect } from 'react-router'
import { allowedTarget } from '#app/auth/protocol/redirect-target.server.ts'
import { loginPath, type Notice, noticeText } from './sign-in-texts.ts'

/** The page that asks for a password before the link of a sign-up works. `address` is the URL of this page, whose final target it keeps. */
export function passwordPath(link: string, address: string): string {
  const target = allowedTarget(new URL(address).searchParams.get('redirect_to'))
  return `/login/new-password?${new URLSearchParams({ token_hash: link, type: 'signup', ...(target && { redirect_to: target }) })}`
}

/**
 * The page after an emailed action: the sign-in page, or, where the URL of this page names an allowed target, a link to that. A form's
 * response must not redirect to another site: our content policy forbids it.
 */
export function goOn(notice: Notice, address: string, headers: [name: string, value: string][] = []) {
  const target = allowedTarget(new URL(address).searchParams.get('redirect_to'))
  if (!target) return redirect(loginPath({ notice }), { headers })
  return { target, host: new URL(target).host, done: noticeText(notice) ?? '' }
}
