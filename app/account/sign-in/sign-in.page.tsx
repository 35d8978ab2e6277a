import type { Handle } from '#app/access.server.ts'
import { data, href, Link, redirect } from 'react-router'
import { useState } from 'react'
import { readForm } from '#app/platform/http/form.server.ts'
import { useIsLive } from '#app/ui/use-is-live.ts'
import { env } from '#app/platform/env.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { findSignUpHere, nextHeaders } from '#app/auth/http/sign-up-browser.server.ts'
import { hasOwner } from '#app/auth/users/account.server.ts'
import { isOwnerAwaited } from '#app/auth/users/owner.server.ts'
import { leastLength } from '#app/auth/sessions/password.server.ts'
import { identity } from '#app/content/identity.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { signInElsewhere } from '#app/account/session/provider-auth.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import type { ServedProvider } from '#app/auth/providers/served-providers.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'
import type { Route } from './+types/sign-in.page.ts'
import { AccountCard } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { CheckEmail } from './check-email.tsx'
import { takeSignIn, takeSignUp } from './native-sign-in.server.ts'
import { LocalInbox } from './local-inbox.tsx'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { passwordHint } from './password-field.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { loginPath, mfaPath, noticeText } from './sign-in-texts.ts'
import { SignUpForm } from './sign-up-form.tsx'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle

/** Screen readers read the title of a new page first, and may pass over a status that is there from the start. */
export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta({
    title: loaderData?.hasEnded ? 'Your session has ended. Sign in' : 'Sign in',
    description: `Sign in to ${identity.name}, or create an account, for your datasets, downloads and API keys.`,
    index: false,
  })

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const next = safeNext(searchParams.get('next'))
  const requestContext = requestContextOf(context)
  const { state } = await findAuthState(requestContext)
  if (state === 'signedIn') throw redirect(next ?? AFTER_SIGN_IN)
  if (state === 'needsMfa') throw redirect(mfaPath(next))
  const isClosed = await accounts.isClosed()
  const signUp = findSignUpHere(requestContext)
  const isNew = !isClosed && (await opensSignUp(searchParams, signUp !== undefined))
  const isMailed = searchParams.get('notice') === 'check-email'
  const loaded = {
    next,
    isClosed,
    byPage: accounts.asksCaptcha,
    providers: await accounts.providers(),
    hasPasskeys: await accounts.hasPasskeys(),
    hasEnded: searchParams.get('notice') === 'ended',
    notice: noticeText(searchParams.get('notice')),
    address: signUp?.email,
    pauseSeconds: env.SMTP_MAX_FREQUENCY,
    mailed: isMailed ? { leftSeconds: leftOfPause(signUp?.at) } : undefined,
    inbox: isMailed && accounts.isInboxFor(requestContext),
    /** The data of the sign-up form, where there is one. */
    account: isNew
      ? { ownerAwaited: await isOwnerAwaited(), leastLength: leastLength('customer'), advisedLength: leastLength('owner') }
      : undefined,
  } as const
  return data(loaded, { headers: isMailed ? nextHeaders(requestContext, next) : [] })
}

/** While there is no owner, there is hardly an account to sign in to. A notice is for people who have signed up, as this browser may have. */
async function opensSignUp(params: URLSearchParams, hasSignedUp: boolean): Promise<boolean> {
  const mode = params.get('mode')
  if (mode !== null || params.has('notice') || hasSignedUp) return mode === 'sign-up'
  return !(await hasOwner())
}

/** The seconds that are left of the pause between two emails to one address. */
function leftOfPause(at: Date | undefined): number {
  return at ? Math.max(0, env.SMTP_MAX_FREQUENCY - Math.floor((Date.now() - at.getTime()) / 1000)) : 0
}

/** For a page without JavaScript or before hydration. */
export async function action({ request, context }: Route.ActionArgs) {
  const next = safeNext(new URL(request.url).searchParams.get('next'))
  const fields = await readForm(request)
  const requestContext = requestContextOf(context)
  const outcome = fields['form'] === 'sign-up' ? await takeSignUp(fields, requestContext) : await takeSignIn(fields, requestContext)
  if ('form' in outcome) return data(outcome, 422)
  const to = outcome.isSignedIn ? (next ?? AFTER_SIGN_IN) : loginPath({ notice: 'check-email', next })
  return redirect(to, { headers: outcome.headers })
}

export default function SignInPage({
  loaderData: { next, isClosed, byPage, providers, hasPasskeys, account, notice, address, pauseSeconds, mailed, inbox },
  actionData: refused,
}: Route.ComponentProps) {
  const target = next ?? href('/dashboard')
  if (account && refused?.form !== 'sign-in') {
    return (
      <AccountCard
        title="Create Account"
        intro={account.ownerAwaited ? 'Create the owner account. You’ll manage this workspace.' : undefined}
        failure={refused?.failure}
      >
        <SignUpForm
          next={target}
          byPage={byPage}
          hint={passwordHint(account.leastLength, account.ownerAwaited ? account.advisedLength : undefined)}
          confirmFirst={loginPath({ notice: 'check-email', next })}
          address={address}
          errors={refused?.errors}
          values={refused?.values}
        />
        <Other question="Already have an account?" to={loginPath({ mode: 'sign-in', next })}>
          Sign in
        </Other>
      </AccountCard>
    )
  }
  return (
    <AccountCard title="Welcome Back" notice={notice} failure={refused?.failure}>
      {mailed && <CheckEmail next={next} address={address} pauseSeconds={pauseSeconds} {...mailed} />}
      {inbox && <LocalInbox />}
      <SignInForm
        next={target}
        byPage={byPage}
        errors={refused?.errors}
        failure={refused?.failure?.code}
        pauseSeconds={pauseSeconds}
        email={refused?.values['email']}
        address={address}
      />
      {hasPasskeys && <PasskeySignIn next={target} />}
      <ProviderButtons providers={providers} next={target} />
      {!isClosed && (
        <Other question="No account yet?" to={loginPath({ mode: 'sign-up', next })}>
          Create one
        </Other>
      )}
    </AccountCard>
  )
}

function Other({ question, to, children }: { question: string; to: string; children: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-t border-line pt-4 text-small text-muted">
      {question}
      <Link to={to} replace preventScrollReset className="link inline-flex min-h-11 items-center">
        {children}
      </Link>
    </p>
  )
}

/** The sign-in providers. The redirect needs JavaScript, so the buttons appear only on a live page. */
function ProviderButtons({ providers, next }: { providers: ServedProvider[]; next: string }) {
  const [leaving, setLeaving] = useState<ServedProvider>()
  const isLive = useIsLive()
  if (!isLive || providers.length === 0) return null

  async function leave(provider: ServedProvider) {
    setLeaving(provider)
    const { failure } = await signInElsewhere(provider, next)
    if (!failure) return
    setLeaving(undefined)
    toast({ title: 'Sign In Failed', description: failure.message, look: 'danger' })
  }
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      {providers.map((provider) => (
        <Button key={provider} type="button" look="quiet" busy={leaving === provider} onClick={() => void leave(provider)}>
          Continue with {providerName(provider)}
        </Button>
      ))}
    </div>
  )
}
