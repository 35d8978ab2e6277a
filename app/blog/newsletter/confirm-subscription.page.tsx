import type { Handle } from '#app/access.server.ts'
import { data } from 'react-router'
import { AccountCard } from '#app/account/sign-in/account-card.tsx'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { newsletterWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/confirm-subscription.page.ts'
import { confirmSubscription, isConfirmLinkGood } from './subscriber.server.ts'

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders
export const meta = () => pageMeta({ title: newsletterWords.confirm.title, index: false })

/** A GET confirms nothing: mail scanners open every link before its reader does. */
export async function loader({ request }: Route.LoaderArgs) {
  return { isGood: await isConfirmLinkGood(tokenOf(request)) }
}

export async function action({ request }: Route.ActionArgs) {
  const isConfirmed = await confirmSubscription(tokenOf(request))
  return data({ isConfirmed }, isConfirmed ? 200 : 422)
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get('token') ?? ''
}

export default function ConfirmSubscriptionPage({ loaderData: { isGood }, actionData }: Route.ComponentProps) {
  const { confirm, confirmed, expired, toBlog } = newsletterWords
  if (actionData?.isConfirmed) {
    return (
      <AccountCard title={confirmed.title} intro={confirmed.text}>
        <ButtonLink to="/blog">{toBlog}</ButtonLink>
      </AccountCard>
    )
  }
  if (!isGood) {
    return (
      <AccountCard title={expired.title} intro={expired.text}>
        <ButtonLink to="/newsletter">{newsletterWords.again}</ButtonLink>
      </AccountCard>
    )
  }
  return (
    <AccountCard title={confirm.title} intro={confirm.text}>
      <form method="post" className="grid">
        <Button>{confirm.button}</Button>
      </form>
    </AccountCard>
  )
}
