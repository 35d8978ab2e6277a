import { data, href, redirect } from 'react-router'
import { clientOf } from '#app/auth/bearer.server.ts'
import { verifyLimit } from '#app/auth/limits.server.ts'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders } from '#app/platform/session-cookie.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Route } from './+types/link.page.ts'
import { AccountCard } from '#app/login/account-card.tsx'
import { accounts } from '#app/login/accounts.server.ts'
import { AFTER_SIGN_IN, safeNext } from '#app/login/next.ts'
import { secretHeaders } from '#app/login/secret-page.ts'

export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Sign in', index: false })

/** Looking uses nothing up: programs open every link of a letter before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash') ?? ''
  const isGood = await accounts.isLinkGood(token, ['recovery', 'confirmation', 'address'], clientOf(visitOf(context)))
  return { token, life: lifeWords.link, isGood }
}

export async function action({ request, context }: Route.ActionArgs) {
  const visit = visitOf(context)
  await consume(verifyLimit, visitorKey(visit.address))
  const fields = await readForm(request)
  try {
    const tokens = await accounts.signInByLink(fields['token_hash'] ?? '', clientOf(visit))
    const next = safeNext(new URL(request.url).searchParams.get('next')) ?? AFTER_SIGN_IN
    return tokens ? redirect(next, { headers: sessionHeaders(tokens) }) : redirect(href('/login'))
  } catch (error) {
    if (error instanceof Stop) return data({ failure: { title: 'Sign In Failed', sentence: error.data } }, error.status)
    throw error
  }
}

export default function LinkPage({ loaderData: { token, life, isGood }, actionData }: Route.ComponentProps) {
  if (isGood) {
    return (
      <AccountCard title="Sign in" intro="One press of the button, and you are signed in on this device." failure={actionData?.failure}>
        <form method="post" className="grid">
          <input type="hidden" name="token_hash" value={token} />
          <Button>Sign in</Button>
        </form>
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="This link no longer works"
      intro={`It has been used, has been replaced by a newer one, or is more than ${life} old.`}
      failure={actionData?.failure}
    >
      <ButtonLink to={href('/login')}>Go to the sign-in page</ButtonLink>
    </AccountCard>
  )
}
