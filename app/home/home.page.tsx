import { data, redirect } from 'react-router'
import { may } from '#app/access.server.ts'
import { findNotices } from '#app/account/notices.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { findViewer } from '#app/account/viewer.server.ts'
import { takeForm } from '#app/enquiry/enquiry-form.server.ts'
import { sentReference } from '#app/leads/reference.ts'
import { env } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { ClaimStrip } from '#app/site/claim-strip.tsx'
import { identity } from '#app/site/content/identity.ts'
import { headOf } from '#app/site/content/seo.ts'
import { shell } from '#app/site/content/shell.ts'
import { type Greeted, WorkspaceHome } from '#app/workspace/workspace-home.tsx'
import type { Route } from './+types/home.page.ts'
import { About } from './about.tsx'
import { Benefits } from './benefits.tsx'
import { Catalogue } from './catalogue.tsx'
import { Contact } from './contact.tsx'
import { Hero } from './hero.tsx'
import { HomeQuestions } from './home-questions.tsx'
import { PainPoints } from './pain-points.tsx'
import { Stories } from './stories.tsx'
import { Technology } from './technology.tsx'

export const handle = { hydration: 'islands', kept: true } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData?.greeted ? [{ title: `Home · ${identity.name}` }, { name: 'robots', content: 'noindex' }] : headOf('/')
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const sent = sentReference(request.url)
  // Who has just written reads that it arrived, on the page where they wrote.
  const isPublic = sent !== undefined || new URL(request.url).searchParams.get('view') === 'public'
  const viewer = isPublic ? undefined : await findViewer(visitOf(context))
  return { sent, bookingUrl: env.BOOKING_URL, greeted: viewer && (await toGreeted(viewer)) }
}

async function toGreeted(viewer: Viewer): Promise<Greeted> {
  const { firstName, email } = viewer
  return { firstName, email, notices: await findNotices(viewer), isStaff: may(viewer, 'leads.read') }
}

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('home', await readForm(request), visitOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(`/?sent=${outcome.receipt.reference}#enquiry`, 303)
}

/** One address for all: the public page, and for those signed in their workspace. Who is coming back sees the public page until they are. */
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
      <Catalogue />
      <Stories />
      <Technology />
      <About />
      <HomeQuestions />
      <Contact outcome={{ refused: actionData?.refused, sent: loaderData.sent }} bookingUrl={loaderData.bookingUrl} />
    </>
  )
}
