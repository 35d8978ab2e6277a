import { href, Link } from 'react-router'
import { clientOf } from '#app/auth/bearer.server.ts'
import { recoverLimit } from '#app/auth/limits.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import type { Route } from './+types/forgot-password.page.ts'
import { AccountCard } from '#app/login/account-card.tsx'
import { accounts } from '#app/login/accounts.server.ts'
import { takeLetterWish } from './letter-wish.server.ts'
import { LetterWishForm } from './letter-wish-form.tsx'

export const meta = () => pageMeta({ title: 'Forgot password', index: false })

export const loader = ({ context }: Route.LoaderArgs) => ({ inbox: accounts.isInboxFor(visitOf(context)) })

export async function action({ request, context }: Route.ActionArgs) {
  const visit = visitOf(context)
  await consume(recoverLimit, visitorKey(visit.address))
  return takeLetterWish('recovery', await readForm(request), clientOf(visit))
}

export default function ForgotPasswordPage({ loaderData: { inbox }, actionData }: Route.ComponentProps) {
  return (
    <AccountCard
      title="Forgot password"
      intro={actionData?.sent ? undefined : 'Tell us your address, and we send a link with which you can choose a new password.'}
    >
      <LetterWishForm wish={actionData} inbox={inbox} action="/login/forgot-password">
        Send the link
      </LetterWishForm>
      <Link to={href('/login')} className="link inline-flex min-h-11 items-center text-small">
        Back to sign in
      </Link>
    </AccountCard>
  )
}
