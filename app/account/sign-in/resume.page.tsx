import type { Handle } from '#app/access.server.ts'
import { useEffect } from 'react'
import { Link, redirect, useNavigate } from 'react-router'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Loading } from '#app/ui/loading.tsx'
import type { Route } from './+types/resume.page.ts'
import { restoreSession } from '#app/account/session/auth.ts'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { loginPath, mfaPath } from './sign-in-texts.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle
export const meta = () => pageMeta({ title: 'One moment', index: false })

/** The page for an expired access token: it is renewed once, and the person continues. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const next = safeNext(new URL(request.url).searchParams.get('next')) ?? AFTER_SIGN_IN
  const { state } = await findAuthState(requestContextOf(context))
  if (state === 'signedIn') throw redirect(next)
  if (state === 'needsMfa') throw redirect(mfaPath(next))
  if (state === 'anonymous') throw redirect(loginPath({ next }))
  return { next, login: loginPath({ next, notice: 'ended' }) }
}

export default function ResumePage({ loaderData: { next, login } }: Route.ComponentProps) {
  const navigate = useNavigate()
  useEffect(() => {
    restoreSession().then(
      (resumed) => navigate(resumed ? next : login, { replace: true }),
      () => navigate(login, { replace: true }),
    )
  }, [navigate, next, login])
  return (
    <div className="wrap grid grow content-center justify-items-center gap-4 py-20">
      <Loading>Signing you in again...</Loading>
      <noscript>
        <Link to={login} className="link">
          Sign in
        </Link>
      </noscript>
    </div>
  )
}
