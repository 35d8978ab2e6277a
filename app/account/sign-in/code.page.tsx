import type { Handle } from '#app/access.server.ts'
import { data, Link, redirect } from 'react-router'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import type { Route } from './+types/code.page.ts'
import { CodeForms } from './code-forms.tsx'
import { passwordPath } from './continue.server.ts'
import { takeCode, takeCodeWish } from './code.server.ts'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { loginPath, mfaPath } from './sign-in-texts.ts'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle
export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
export const meta = () => pageMeta({ title: 'Sign in with a code', index: false })

const nextOf = (request: Request) => safeNext(new URL(request.url).searchParams.get('next'))

/** Passwordless sign-in: an email brings a code and an equivalent link. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const next = nextOf(request)
  const requestContext = requestContextOf(context)
  const { state } = await findAuthState(requestContext)
  if (state === 'signedIn') throw redirect(next ?? AFTER_SIGN_IN)
  if (state === 'needsMfa') throw redirect(mfaPath(next))
  return { next, byPage: accounts.asksCaptcha, life: lifeWords.code, inbox: accounts.isInboxFor(requestContext) }
}

/** For a page without JavaScript or before hydration. */
export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  const fields = await readForm(request)
  const step = fields['form'] === 'code' ? await takeCode(fields, requestContext) : await takeCodeWish(fields, requestContext)
  if ('asksPassword' in step) return redirect(passwordPath(step.asksPassword, request.url))
  if ('headers' in step) return redirect(nextOf(request) ?? AFTER_SIGN_IN, { headers: step.headers })
  return data(step, Object.keys(step.errors).length > 0 ? 422 : 200)
}

const BEGINNING = { email: '', sent: false, errors: {} }

export default function CodePage({ loaderData: { next, byPage, life, inbox }, actionData }: Route.ComponentProps) {
  return (
    <CodeForms next={next ?? AFTER_SIGN_IN} byPage={byPage} life={life} inbox={inbox} step={actionData ?? BEGINNING}>
      <Link to={loginPath({ next })} className="link inline-flex min-h-11 items-center">
        Sign in with a password
      </Link>
    </CodeForms>
  )
}
