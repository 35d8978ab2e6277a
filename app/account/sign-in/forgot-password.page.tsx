import type { Handle } from '#app/access.server.ts'
import { href, Link } from 'react-router'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { recoverLimit } from '#app/auth/http/limits.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import type { Route } from './+types/forgot-password.page.ts'
import { AccountCard } from './account-card.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { submitEmailRequest } from './email-request.server.ts'
import { EmailRequestForm } from './email-request-form.tsx'

export const handle = { access: 'public' } satisfies Handle

export const meta = () => pageMeta({ title: 'Forgot password', index: false })

export const loader = ({ context }: Route.LoaderArgs) => ({ inbox: accounts.isInboxFor(requestContextOf(context)) })

export async function action({ request, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  await consume(recoverLimit, visitorKey(requestContext.address))
  return submitEmailRequest('recovery', await readForm(request), clientOf(requestContext))
}

export default function ForgotPasswordPage({ loaderData: { inbox }, actionData }: Route.ComponentProps) {
  return (
    <AccountCard
      title="Forgot password"
      intro={actionData?.sent ? undefined : 'Enter your email. We’ll send you a link to choose a new password.'}
    >
      <EmailRequestForm wish={actionData} inbox={inbox} action="/login/forgot-password">
        Send link
      </EmailRequestForm>
      <Link to={href('/login')} className="link inline-flex min-h-11 items-center text-small">
        Back to sign in
      </Link>
    </AccountCard>
  )
}
