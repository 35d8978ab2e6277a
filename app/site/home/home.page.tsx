import { data, redirect } from 'react-router'
import { may } from '#app/access.server.ts'
import { findNotices } from '#app/account/session/notices.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { takeForm } from '#app/leads/form/enquiry-form.server.ts'
import { sentReference } from '#app/leads/reference.ts'
import { env } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ClaimStrip } from '#app/site/shell/claim-strip.tsx'
import { identity } from '#app/content/identity.ts'
import { headOf } from '#app/content/seo.ts'
import { shell } from '#app/content/shell.ts'
import { type Greeted, WorkspaceHome } from '#app/workspace/workspace-home.tsx'
import type { Route } from './+types/home.page.ts'
import { About } from './about.tsx'
import { Benefits } from './benefits.tsx'
import { HomeCatalog } from './catalogue.tsx'
import { Contact } from './contact.tsx'
import { Hero } from './hero.tsx'
import { HomeQuestions } from './home-questions.tsx'
import { PainPoints } from './pain-points.tsx'
import { CaseStudyTeasers } from './stories.tsx'
import { Technology } from './technology.tsx'

export const handle = { hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData?.greeted ? [{ title: `Home · ${identity.name}` }, { name: 'robots', content: 'noindex' }] : headOf('/')
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const sent = sentReference(request.url)
  // The confirmation of an enquiry is shown on the page of its form.
  const isPublic = sent !== undefined || new URL(request.url).searchParams.get('view') === 'public'
  const currentUser = isPublic ? undefined : await findCurrentUser(requestContextOf(context))
  return { sent, bookingUrl: env.BOOKING_URL, greeted: currentUser && (await toGreeted(currentUser)) }
}

async function toGreeted(currentUser: CurrentUser): Promise<Greeted> {
  const { firstName, email } = currentUser
  return { firstName, email, notices: await findNotices(currentUser), isStaff: may(currentUser, 'leads.read') }
}

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('home', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(`/?sent=${outcome.receipt.reference}#enquiry`, 303)
}

/** One URL for the public page and the workspace. An expired session sees the public page until it is renewed. */
export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.greeted && !actionData) return <WorkspaceHome greeted={loaderData.greeted} />
  return (
    <>
      <Hero />
      <section aria-label={shell.figures} className="border-y border-line bg-surface">
        <div className="wrap">
          <ClaimStrip names={['projects', 'accuracy', 'experience', 'satisfaction', 'businesses']} />
        </div>
      </section>
      <PainPoints />
      <Benefits />
      <HomeCatalog />
      <CaseStudyTeasers />
      <Technology />
      <About />
      <HomeQuestions />
      <Contact outcome={{ refused: actionData?.refused, sent: loaderData.sent }} bookingUrl={loaderData.bookingUrl} />
    </>
  )
}
