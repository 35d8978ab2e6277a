import { redirect } from 'react-router'
import { allowedTarget } from '#app/auth-protocol/redirect-target.server.ts'
import { loginPath, type Notice, noticeText } from '#app/login/sign-in-texts.ts'

/**
 * Where someone goes who has done what a letter asked for: to the sign-in page, or, where the address of this page names a target that is allowed,
 * by a press of theirs to that. A form's answer may not lead to another site by itself: the content policy of our pages forbids it.
 */
export function goOn(notice: Notice, address: string) {
  const target = allowedTarget(new URL(address).searchParams.get('redirect_to'))
  if (!target) return redirect(loginPath({ notice }))
  return { target, host: new URL(target).host, done: noticeText(notice) ?? '' }
}
