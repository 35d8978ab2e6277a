import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { verifyLimit } from '#app/auth/http/limits.server.ts'
import { clientHere } from '#app/auth/http/sign-up-browser.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { sessionHeaders } from '#app/platform/http/session-cookie.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/link.page.ts'
import { AccountCard, UseLinkForm } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { passwordPath } from './continue.server.ts'
import { AFTER_SIGN_IN, safeNext } from './next.ts'
import { secretHeaders } from './secret-page.ts'

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Sign in', index: false })

/** A GET does not use the link up: mail scanners open every link before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash') ?? ''
  const use = await accounts.findUse(token, ['recovery', 'confirmation', 'address'], clientHere(requestContextOf(context)))
  return { token, life: lifeWords.link, isGood: use !== undefined }
}

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  await consume(verifyLimit, visitorKey(requestContext.address))
  const fields = await readForm(request)
  try {
    const tokens = await accounts.signInByLink(fields['token_hash'] ?? '', clientHere(requestContext))
    if (tokens && 'asksPassword' in tokens) return redirect(passwordPath(tokens.asksPassword, request.url))
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
      <AccountCard title="Sign in" intro="Click to sign in on this device." failure={actionData?.failure}>
        <UseLinkForm token={token} label="Sign in" />
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="This link no longer works"
      intro={`It was used, replaced by a newer link, or is more than ${life} old.`}
      failure={actionData?.failure}
    >
      <ButtonLink to={href('/login')}>Go to the sign-in page</ButtonLink>
    </AccountCard>
  )
}
