import type { Handle } from '#app/access.server.ts'
import { data } from 'react-router'
import { AccountCard } from '#app/account/sign-in/account-card.tsx'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { newsletterWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/unsubscribe.page.ts'
import { readUnsubscribeToken, unsubscribe } from './subscriber.server.ts'

export const handle = { access: 'public' } satisfies Handle

export const headers = secretHeaders
export const meta = () => pageMeta({ title: newsletterWords.leave.title, index: false })

/** A GET ends nothing: mail scanners open every link. */
export function loader({ request }: Route.LoaderArgs) {
  return { isGood: subscriberOf(request) !== undefined }
}

/**
 * For the button of this page and for mail programs, which post here without a session or a page (RFC 8058). The token is in the address,
 * so the body does not matter. There is no redirect: mail programs do not follow one.
 */
export async function action({ request }: Route.ActionArgs) {
  const id = subscriberOf(request)
  if (id === undefined) return data({ isDone: false }, 422)
  await unsubscribe(id)
  return data({ isDone: true }, 200)
}

function subscriberOf(request: Request): string | undefined {
  return readUnsubscribeToken(new URL(request.url).searchParams.get('token') ?? '')
}

export default function UnsubscribePage({ loaderData: { isGood }, actionData }: Route.ComponentProps) {
  const { leave, left, unknown, again } = newsletterWords
  if (!isGood)
    return (
      <AccountCard title={unknown.title} intro={unknown.text}>
        {null}
      </AccountCard>
    )
  if (actionData?.isDone) {
    return (
      <AccountCard title={left.title} intro={left.text}>
        <ButtonLink to="/newsletter" look="quiet">
          {again}
        </ButtonLink>
      </AccountCard>
    )
  }
  return (
    <AccountCard title={leave.title} intro={leave.text}>
      <form method="post" className="grid">
        <Button>{leave.button}</Button>
      </form>
    </AccountCard>
  )
}
