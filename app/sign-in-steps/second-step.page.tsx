import { data, Link, redirect } from 'react-router'
import { findPresence } from '#app/account/viewer.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { offeredSteps } from '#app/factor/offered.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { type Visit, visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import type { Route } from './+types/second-step.page.ts'
import { AccountCard } from '#app/login/account-card.tsx'
import { AFTER_SIGN_IN, safeNext } from '#app/login/next.ts'
import { KeyStepForm } from './key-step-form.tsx'
import { PhoneStepForm } from './phone-step-form.tsx'
import { SecondStepForm } from './second-step-form.tsx'
import { listStepFactors } from './second-step-factors.server.ts'
import { linkText, type Way, waysOf, wishFor } from './second-step-ways.ts'
import { sendStepCode, takeSecondStep } from './second-step.server.ts'
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
  const ways = waysOf(await listStepFactors(viewer, visit), !isHosted)
  const wish = new URL(request.url).searchParams.get('with')
  const way: Way = ways.find((each) => wishFor(each) === wish) ?? ways[0] ?? { kind: 'app', factors: [] }
  const others = ways.filter((other) => other !== way)
  return { next, email: viewer.email, way, others, pauseSeconds: offeredSteps.pauseSeconds }
}

/** For a page that is not live, yet or at all. */
export async function action({ request, context }: Route.ActionArgs) {
  const next = nextOf(request)
  const visit = visitOf(context)
  const viewer = await allowHalfway(visit, next)
  const fields = await readForm(request)
  const step = fields['form'] === 'send' ? await sendStepCode(viewer, fields, visit) : await takeSecondStep(viewer, fields, visit)
  if (step.headers) return redirect(next ?? AFTER_SIGN_IN, { headers: step.headers })
  return data({ error: step.error, challenge: step.challenge }, step.error === undefined ? 200 : 422)
}

/** Everyone else is where they belong already, or begins at the first step. */
async function allowHalfway(visit: Visit, next: string | undefined): Promise<Viewer> {
  const presence = await findPresence(visit)
  if (presence.state === 'halfway') return presence.viewer
  if (presence.state === 'signedIn') throw redirect(next ?? AFTER_SIGN_IN)
  if (presence.state === 'anonymous') throw redirect(loginPath({ next }))
  throw redirect(`/login/resume?${new URLSearchParams({ next: secondStepPath(next) })}`)
}

const heads = {
  key: ['Second step', 'Confirm with your security key.'],
  app: ['Second step', 'Type the code that your authenticator app shows.'],
  phone: ['Second step', 'We send a code to your phone. Type it here, and you are in.'],
  recovery: ['Recovery code', 'Type one of the codes that you kept when you set up two-step sign-in. Each works once.'],
} as const

export default function SecondStepPage({ loaderData: { next, email, way, others, pauseSeconds }, actionData }: Route.ComponentProps) {
  const here = secondStepPath(next)
  const [title, intro] = heads[way.kind]
  const target = next ?? AFTER_SIGN_IN
  return (
    <AccountCard title={title} intro={intro}>
      {way.kind === 'key' ? (
        <KeyStepForm next={target} factors={way.factors} />
      ) : way.kind === 'phone' ? (
        <PhoneStepForm key={wishFor(way)} next={target} factor={way.factor} pauseSeconds={pauseSeconds} {...actionData} />
      ) : (
        <SecondStepForm key={wishFor(way)} next={target} way={way} error={actionData?.error} />
      )}
      <div className="grid gap-1 border-t border-line pt-4 text-small text-muted">
        {others.map((other) => (
          <Link
            key={wishFor(other)}
            to={`${here}${next ? '&' : '?'}with=${wishFor(other)}`}
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
