import { lazy, Suspense } from 'react'
import { data, redirect } from 'react-router'
import { may, type Handle } from '#app/access.server.ts'
import { findNotices } from '#app/account/session/notices.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { takeForm } from '#app/leads/form/enquiry-form.server.ts'
import { findSent, headersOf, sentUrl } from '#app/leads/form/sent.server.ts'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { identity } from '#app/content/identity.ts'
import { headOf } from '#app/content/seo.ts'
import { findFirstSteps } from '#app/workspace/first-steps.server.ts'
import { areStepsShown } from '#app/workspace/first-steps.ts'
import { type Greeted, WorkspaceHome } from '#app/workspace/workspace-home.tsx'
import { shownTestimonials } from '#app/content/home.ts'
import type { Route } from './+types/home.page.ts'

// Signed-in people load only their workspace.
const PublicHome = lazy(async () => ({ default: (await import('./public-home.tsx')).PublicHome }))
const Contact = lazy(async () => ({ default: (await import('./contact.tsx')).Contact }))

export const handle = { access: 'public', hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData?.visitor ? [{ title: `Home · ${identity.name}` }, { name: 'robots', content: 'noindex' }] : (loaderData?.head ?? [])
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const sent = await findSent(request.url)
  // The confirmation of an enquiry is shown on the page of its form.
  const isPublic = sent !== undefined || new URL(request.url).searchParams.get('view') === 'public'
  const requestContext = requestContextOf(context)
  // A refused enquiry is shown on the page of its form as well.
  const currentUser = isPublic || requestContext.method !== 'GET' ? undefined : await findCurrentUser(requestContext)
  const testimonials = shownTestimonials(isLoopback(new URL(env.SITE_URL).hostname))
  const enquiryPage = { head: headOf('/'), sent, bookingUrl: env.BOOKING_URL, testimonials }
  if (!currentUser) return data({ ...enquiryPage, visitor: undefined }, headersOf(sent))
  // Like the other pages of the workspace, it has the person's notices, so the document has the sidebar.
  return data({ ...enquiryPage, visitor: await toGreeted(currentUser), notices: await findNotices(currentUser) })
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

async function toGreeted(currentUser: CurrentUser): Promise<Greeted> {
  const { firstName, email } = currentUser
  const steps = may(currentUser, 'first-steps.see') ? await findFirstSteps(currentUser) : undefined
  return { firstName, email, isStaff: may(currentUser, 'leads.read'), firstSteps: steps && areStepsShown(steps) ? steps : undefined }
}

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('home', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(sentUrl('/', outcome.receipt), 303)
}

/** One URL for the public page and the workspace. An expired session sees the public page until it is renewed. */
export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.visitor) return <WorkspaceHome greeted={loaderData.visitor} notices={loaderData.notices} />
  return (
    <Suspense>
      <PublicHome>
        <Contact
          outcome={{ refused: actionData?.refused }}
          sent={loaderData.sent}
          bookingUrl={loaderData.bookingUrl}
          testimonials={loaderData.testimonials}
        />
      </PublicHome>
    </Suspense>
  )
}
