import type { Handle } from '#app/access.server.ts'
import { data, Link, redirect, useNavigate } from 'react-router'
import { useState } from 'react'
import { accounts } from '#app/account/accounts.server.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { type RequestContext, requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { passWithSecurityKey } from '#app/account/session/passkey-auth.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'
import type { Route } from './+types/mfa.page.ts'
import { AccountCard } from './account-card.tsx'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { PhoneCodeForm } from './phone-mfa-form.tsx'
import { MfaForm, FactorChoice } from './mfa-form.tsx'
import { listMfaFactors, sendMfaCode, submitMfa } from './mfa.server.ts'
import { linkText, mfaChallengeFor, type MfaFactor, type MfaMethod, waysOf } from './mfa-methods.ts'
import { loginPath, mfaPath, SIGNED_IN } from './sign-in-texts.ts'
import { LiveForm } from './live-form.tsx'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle
export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
export const meta = () => pageMeta({ title: 'Two-factor authentication', index: false })

const nextOf = (request: Request) => safeNext(new URL(request.url).searchParams.get('next'))

/** The MFA page of a sign-in, after a password or an email. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const next = nextOf(request)
  const requestContext = requestContextOf(context)
  const currentUser = await allowBeforeMfa(requestContext, next)
  const ways = waysOf(await listMfaFactors(currentUser, requestContext), accounts.hasRecoveryCodes)
  const wish = new URL(request.url).searchParams.get('with')
  const way: MfaMethod = ways.find((each) => mfaChallengeFor(each) === wish) ?? ways[0] ?? { kind: 'app', factors: [] }
  const others = ways.filter((other) => other !== way)
  return { next, email: currentUser.email, way, others, pauseSeconds: accounts.offeredFactorTypes.pauseSeconds }
}

/** For a page without JavaScript or before hydration. */
export async function action({ request, context }: Route.ActionArgs) {
  const next = nextOf(request)
  const requestContext = requestContextOf(context)
  const currentUser = await allowBeforeMfa(requestContext, next)
  const fields = await readForm(request)
  const step =
    fields['form'] === 'send'
      ? await sendMfaCode(currentUser, fields, requestContext)
      : await submitMfa(currentUser, fields, requestContext)
  if (step.headers) return redirect(next ?? AFTER_SIGN_IN, { headers: step.headers })
  return data({ error: step.error, challenge: step.challenge }, step.error === undefined ? 200 : 422)
}

/** Redirects all others: to their target, to the renewal of the session, or to the sign-in page. */
async function allowBeforeMfa(requestContext: RequestContext, next: string | undefined): Promise<CurrentUser> {
  const authState = await findAuthState(requestContext)
  if (authState.state === 'needsMfa') return authState.currentUser
  if (authState.state === 'signedIn') throw redirect(next ?? AFTER_SIGN_IN)
  if (authState.state === 'anonymous') throw redirect(loginPath({ next }))
  throw redirect(`/login/resume?${new URLSearchParams({ next: mfaPath(next) })}`)
}

const heads = {
  key: ['Two-factor authentication', 'Confirm with your security key.'],
  app: ['Two-factor authentication', 'Enter the code from your authenticator app.'],
  phone: ['Two-factor authentication', 'We’ll send a code to your phone. Enter it here to sign in.'],
  recovery: ['Recovery code', 'Enter one of the recovery codes you saved. Each works once.'],
} as const

export default function SecondStepPage({ loaderData: { next, email, way, others, pauseSeconds }, actionData }: Route.ComponentProps) {
  const here = mfaPath(next)
  const [title, intro] = heads[way.kind]
  const target = next ?? AFTER_SIGN_IN
  return (
    <AccountCard title={title} intro={intro}>
      {way.kind === 'key' ? (
        <SecurityKeyForm next={target} factors={way.factors} />
      ) : way.kind === 'phone' ? (
        <PhoneCodeForm key={mfaChallengeFor(way)} next={target} factor={way.factor} pauseSeconds={pauseSeconds} {...actionData} />
      ) : (
        <MfaForm key={mfaChallengeFor(way)} next={target} way={way} error={actionData?.error} />
      )}
      <div className="grid gap-1 border-t border-line pt-4 text-small text-muted">
        {others.map((other) => (
          <Link
            key={mfaChallengeFor(other)}
            to={`${here}${next ? '&' : '?'}with=${mfaChallengeFor(other)}`}
            replace
            preventScrollReset
            className="link inline-flex min-h-11 items-center justify-self-start"
          >
            {linkText(other)}
          </Link>
        ))}
        <form method="post" action="/api/logout" className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-words">Signing in as {email}.</span>
          <button className="link inline-flex min-h-11 items-center">Cancel</button>
        </form>
      </div>
    </AccountCard>
  )
}

/** Verifies a security key as the second factor, which needs the live page. */
function SecurityKeyForm({ next, factors }: { next: string; factors: MfaFactor[] }) {
  const navigate = useNavigate()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const chosen = new FormData(form).get('factor')
    setBusy(true)
    setError(undefined)
    const { failure } = await passWithSecurityKey(typeof chosen === 'string' ? chosen : '')
    setBusy(false)
    if (!failure) {
      toast(SIGNED_IN)
      return navigate(next, { replace: true })
    }
    if (isSessionOver(failure)) signInAgain()
    setError(failure.message)
  }

  return (
    <LiveForm submit={submit}>
      <FactorChoice label="Security key" factors={factors} />
      {error && (
        <p role="alert" className="text-small text-alarm">
          {error}
        </p>
      )}
      <Button busy={busy}>{busy ? 'Follow your browser...' : 'Use security key'}</Button>
      <noscript>
        <p className="text-small text-muted">A security key needs JavaScript. Use another method below, or turn JavaScript on.</p>
      </noscript>
    </LiveForm>
  )
}
