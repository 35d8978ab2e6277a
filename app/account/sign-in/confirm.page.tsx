import { data, href, Link } from 'react-router'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { resendLimit, verifyLimit } from '#app/auth/http/limits.server.ts'
import { signUpOf } from '#app/auth/http/sign-up-browser.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import type { Route } from './+types/confirm.page.ts'
import { AccountCard } from './account-card.tsx'
import { accounts } from './accounts.server.ts'
import { goOn } from './continue.server.ts'
import { GoOn } from './continue.tsx'
import { submitEmailRequest } from './email-request.server.ts'
import { EmailRequestForm } from './email-request-form.tsx'
import { secretHeaders } from './secret-page.ts'

export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Confirm your address', index: false })

/** A GET does not use the link up: mail scanners open every link before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash')
  const requestContext = requestContextOf(context)
  const isGood = token !== null && (await accounts.isLinkGood(token, ['confirmation', 'address'], clientOf(requestContext)))
  return { token, isGood, choosesPassword: !isHosted, life: lifeWords.link, inbox: accounts.isInboxFor(requestContext) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  const fields = await readForm(request)
  if (fields['token_hash'] === undefined) {
    await consume(resendLimit, visitorKey(requestContext.address))
    return data(
      await submitEmailRequest('confirmation', fields, { ...clientOf(requestContext), signUpBrowser: signUpOf(requestContext) }),
      200,
    )
  }
  await consume(verifyLimit, visitorKey(requestContext.address))
  if (await accounts.confirm(fields['token_hash'], clientOf(requestContext))) return goOn('confirmed', request.url)
  return data({ refused: 'This link has been used or has expired.' }, 422)
}

export default function ConfirmPage({ loaderData: { token, isGood, choosesPassword, life, inbox }, actionData }: Route.ComponentProps) {
  if (actionData && 'target' in actionData) return <GoOn {...actionData} />
  // A hosted service reveals only at its use whether a link is valid.
  if (isGood && token && !(actionData && 'refused' in actionData)) {
    return (
      <AccountCard title="Confirm your address" intro="Click to confirm your email.">
        <form method="post" className="grid">
          <input type="hidden" name="token_hash" value={token} />
          <Button>Confirm this address</Button>
        </form>
        {choosesPassword && (
          <p className="text-small text-muted">
            Did someone else sign up with your address?{' '}
            <Link to={`${href('/login/new-password')}?${new URLSearchParams({ token_hash: token })}`} reloadDocument className="link">
              Choose your own password
            </Link>
          </p>
        )}
      </AccountCard>
    )
  }
  const wish = actionData && 'email' in actionData ? actionData : undefined
  return (
    <AccountCard
      title={token ? 'This link no longer works' : 'Confirm your address'}
      intro={`${token ? `It was used, replaced by a newer link, or is more than ${life} old. ` : ''}We can send you the email again.`}
    >
      <EmailRequestForm wish={wish} inbox={inbox} action="/login/confirm">
        Send the email again
      </EmailRequestForm>
    </AccountCard>
  )
}
