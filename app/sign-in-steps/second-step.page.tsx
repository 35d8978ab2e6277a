import { data, Link, redirect } from 'react-router'
import { findPresence } from '#app/account/viewer.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { type Visit, visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import type { Route } from './+types/second-step.page.ts'
import { AccountCard } from '#app/login/account-card.tsx'
import { AFTER_SIGN_IN, safeNext } from '#app/login/next.ts'
import { SecondStepForm } from './second-step-form.tsx'
import { listAuthenticators, takeSecondStep } from './second-step.server.ts'
import { loginPath, secondStepPath } from '#app/login/sign-in-texts.ts'

export const handle = { hydration: 'page' } satisfies Handle
export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
export const meta = () => pageMeta({ title: 'Second step', index: false })

const nextOf = (request: Request) => safeNext(new URL(request.url).searchParams.get('next'))

/** Where a sign-in goes on that is not finished by a password or a letter alone. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const next = nextOf(request)
  const visit = visitOf(context)
  const viewer = await allowHalfway(visit, next)
  const factors = await listAuthenticators(viewer.id, visit)
  const recovery = !isHosted && (factors.length === 0 || new URL(request.url).searchParams.get('with') === 'recovery')
  return { next, email: viewer.email, factors, recovery, hasRecoveryCodes: !isHosted }
}

/** For a page that is not live, yet or at all. */
export async function action({ request, context }: Route.ActionArgs) {
  const next = nextOf(request)
  const visit = visitOf(context)
  const viewer = await allowHalfway(visit, next)
  const { error, headers } = await takeSecondStep(viewer, await readForm(request), visit)
  return headers ? redirect(next ?? AFTER_SIGN_IN, { headers }) : data({ error }, 422)
}

/** Everyone else is where they belong already, or begins at the first step. */
async function allowHalfway(visit: Visit, next: string | undefined): Promise<Viewer> {
  const presence = await findPresence(visit)
  if (presence.state === 'halfway') return presence.viewer
  if (presence.state === 'signedIn') throw redirect(next ?? AFTER_SIGN_IN)
  if (presence.state === 'anonymous') throw redirect(loginPath({ next }))
  throw redirect(`/login/resume?${new URLSearchParams({ next: secondStepPath(next) })}`)
}

export default function SecondStepPage({
  loaderData: { next, email, factors, recovery, hasRecoveryCodes },
  actionData,
}: Route.ComponentProps) {
  const here = secondStepPath(next)
  const other = recovery ? here : `${here}${next ? '&' : '?'}with=recovery`
  return (
    <AccountCard
      title={recovery ? 'Recovery code' : 'Second step'}
      intro={
        recovery
          ? 'Type one of the codes that you kept when you set up two-step sign-in. Each works once.'
          : 'Type the code that your authenticator app shows.'
      }
    >
      <SecondStepForm key={String(recovery)} next={next ?? AFTER_SIGN_IN} factors={factors} recovery={recovery} error={actionData?.error} />
      <div className="grid gap-1 border-t border-line pt-4 text-small text-muted">
        {factors.length > 0 && hasRecoveryCodes && (
          <Link to={other} replace preventScrollReset className="link inline-flex min-h-11 items-center justify-self-start">
            {recovery ? 'Use your authenticator app' : 'Use a recovery code'}
          </Link>
        )}
        <form method="post" action="/api/logout" className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-words">Signing in as {email}.</span>
          <button className="link inline-flex min-h-11 items-center">Cancel</button>
        </form>
      </div>
    </AccountCard>
  )
}
