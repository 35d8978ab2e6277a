import type { Handle } from '#app/access.server.ts'
import { data, href } from 'react-router'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { verifyLimit } from '#app/auth/http/limits.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/new-address.page.ts'
import { AccountCard, UseLinkForm } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { secretHeaders } from './secret-page.ts'

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders
export const meta = () => pageMeta({ title: 'Change your email address', index: false })

/** A GET does not use the link up: mail scanners open every link before its reader does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token_hash') ?? ''
  const use = await accounts.findUse(token, ['email_change_current', 'email_change_new'], clientOf(requestContextOf(context)))
  return { token, life: lifeWords.link, isGood: use !== undefined }
}

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  await consume(verifyLimit, visitorKey(requestContext.address))
  const fields = await readForm(request)
  try {
    const done = await accounts.changeAddress(fields['token_hash'] ?? '', clientOf(requestContext))
    return data({ done, failure: undefined }, done ? 200 : 422)
  } catch (error) {
    if (error instanceof Stop) return data({ done: undefined, failure: { title: 'Address not changed', sentence: error.data } }, 422)
    throw error
  }
}

const outcomes = {
  half: {
    title: 'One more step',
    intro: 'This address is confirmed. To finish, follow the link in the email to the other address.',
  },
  done: { title: 'Your address has changed', intro: 'Use the new address to sign in.' },
}

export default function NewAddressPage({ loaderData: { token, life, isGood }, actionData }: Route.ComponentProps) {
  if (actionData?.done) {
    return (
      <AccountCard {...outcomes[actionData.done]}>
        <ButtonLink to={href('/login')}>Go on</ButtonLink>
      </AccountCard>
    )
  }
  // A hosted service reveals only at its use whether a link is valid.
  if (isGood && (!actionData || actionData.failure)) {
    return (
      <AccountCard title="Change your email address" intro="Click to confirm the change from this address.">
        <UseLinkForm token={token} label="Confirm the change" />
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="This link no longer works"
      intro={`It was used, replaced by a newer link, or is more than ${life} old. You can request the change again in your account.`}
      failure={actionData?.failure}
    >
      <ButtonLink to={href('/account')}>Go to your account</ButtonLink>
    </AccountCard>
  )
}
