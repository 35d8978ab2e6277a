import type { Handle } from '#app/access.server.ts'
import { data, redirect } from 'react-router'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { newsletterWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { AccountCard } from '#app/account/sign-in/account-card.tsx'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/subscribe.page.ts'
import { subscriberSource } from './newsletter.ts'
import { SubscribeForm } from './subscribe-form.tsx'
import { requestSubscription } from './subscriber.server.ts'

/** Wide, because a whole office can share an address. */
const subscribeLimit: Limit = { name: 'newsletter', points: 30, seconds: 600 }

const address = contactEmail('Please enter a valid email address')

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta = () => pageMeta({ title: newsletterWords.title, index: false })

export function loader({ request }: Route.LoaderArgs) {
  return { isSent: new URL(request.url).searchParams.has('sent') }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { email: given = '', source: form, homepage, page, referrer } = await readForm(request)
  const source = subscriberSource.safeParse(form).data ?? 'page'
  const read = address.safeParse(given)
  if (!read.success) return data({ source, email: given.slice(0, 254), error: read.error.issues[0]?.message }, 422)
  const { address: network } = requestContextOf(context)
  try {
    await consume(subscribeLimit, visitorKey(network))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return data({ source, email: read.data, error: error.data }, error.status)
  }
  const cameFrom = sourceOf('newsletter', { page, referrer }, requestContextOf(context).headers)
  await requestSubscription({ email: read.data, source, cameFrom, trapped: Boolean(homepage), address: network })
  return redirect('/newsletter?sent', 303)
}

export default function SubscribePage({ loaderData: { isSent }, actionData }: Route.ComponentProps) {
  if (isSent && !actionData) {
    return (
      <AccountCard title={newsletterWords.sent.title} intro={newsletterWords.sent.text}>
        <p className="text-small text-muted">{newsletterWords.sent.nothing}</p>
        <ButtonLink to="/blog" look="quiet">
          {newsletterWords.toBlog}
        </ButtonLink>
      </AccountCard>
    )
  }
  return (
    <AccountCard title={newsletterWords.title} intro={newsletterWords.text}>
      <SubscribeForm source={actionData?.source ?? 'page'} error={actionData?.error} value={actionData?.email} />
    </AccountCard>
  )
}
