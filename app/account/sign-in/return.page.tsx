import type { Handle } from '#app/access.server.ts'
import { useEffect, useRef, useState } from 'react'
import { data, Link, useNavigate } from 'react-router'
import { comeBack } from '#app/account/session/auth.ts'
import { nextHeaders } from '#app/auth/http/sign-up-browser.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { toast } from '#app/ui/toast.ts'
import { AccountCard } from './account-card.tsx'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { secretHeaders } from './secret-page.ts'
import { loginPath, mfaPath, SIGNED_IN } from './sign-in-texts.ts'
import type { Route } from './+types/return.page.ts'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle
export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'One moment', index: false })

/** The page to which a provider sends people back, with a code that only this browser can use, or with an error. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const next = safeNext(searchParams.get('next'))
  const isMailed = searchParams.get('error_code') === 'provider_email_needs_verification'
  return data(
    { next: next ?? AFTER_SIGN_IN, refused: returnedRefusal(searchParams) },
    // The link of the email goes on to the page, as that of a sign-up with a password does.
    { headers: isMailed ? nextHeaders(requestContextOf(context), next) : [] },
  )
}

export const shouldRevalidate = () => false

export default function ReturnPage({ loaderData: { next, refused } }: Route.ComponentProps) {
  const failure = useReturn(next, refused)
  if (!failure) {
    return (
      <div className="wrap grid grow content-center justify-items-center gap-4 py-20">
        <Loading>Signing you in...</Loading>
        <noscript>
          <Link to={loginPath({ next })} className="link">
            Sign in
          </Link>
        </noscript>
      </div>
    )
  }
  return (
    <AccountCard title="Not signed in" failure={{ title: 'Sign In Failed', sentence: failure }}>
      <ButtonLink to={loginPath({ next })}>Go to the sign-in page</ButtonLink>
    </AccountCard>
  )
}

/** Continues when the code was valid. The code works once, however often this is mounted. */
function useReturn(next: string, refused: string | undefined): string | undefined {
  const [failure, setFailure] = useState(refused)
  const begun = useRef(false)
  const navigate = useNavigate()
  useEffect(() => {
    if (refused !== undefined || begun.current) return
    begun.current = true
    const goOn = async () => {
      const { failure: why, mfaPending } = await comeBack()
      if (why) return setFailure(why.message)
      if (!mfaPending) toast(SIGNED_IN)
      await navigate(mfaPending ? mfaPath(next) : next, { replace: true })
    }
    void goOn()
  }, [navigate, next, refused])
  return failure
}

const sentences: Record<string, string> = {
  identity_already_exists: 'That external account is already connected to another account here.',
  identity_not_found: 'That external account isn’t connected to your account.',
  single_identity_not_deletable: 'This is your account’s only sign-in method.',
  manual_linking_disabled: 'Connecting other accounts is turned off.',
  signup_disabled: 'Sign-up is closed.',
  user_banned: 'This account is suspended.',
  provider_email_needs_verification: 'Confirm your address first. We’ve sent you an email.',
}

/** The reason why a person was sent back without a code. The URL only names an error code, so a link cannot inject its own text. */
function returnedRefusal(params: URLSearchParams): string | undefined {
  if (!params.has('error') && !params.has('error_code')) return undefined
  return sentences[params.get('error_code') ?? ''] ?? 'The provider didn’t sign you in. Please try again.'
}
