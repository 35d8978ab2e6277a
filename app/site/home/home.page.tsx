import { data, href, redirect } from 'react-router'
import { CheckCheck, Clock, Scale, Table2 } from 'lucide-react'
import { may } from '#app/access.server.ts'
import { findNotices } from '#app/account/session/notices.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { takeForm } from '#app/leads/form/enquiry-form.server.ts'
import { sentReference } from '#app/leads/reference.ts'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ClaimStrip } from '#app/site/shell/claim-strip.tsx'
import { identity } from '#app/content/identity.ts'
import { headOf } from '#app/content/seo.ts'
import { shell } from '#app/content/shell.ts'
import { type Greeted, WorkspaceHome } from '#app/workspace/workspace-home.tsx'
import { homeQuestions } from '#app/content/faq.ts'
import {
  benefits,
  type FeatureIcon,
  features,
  hero,
  painPoints,
  questionsSection,
  shownTestimonials,
  technologies,
  technologySection,
} from '#app/content/home.ts'
import { QuestionList } from '#app/ui/questions.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import type { Route } from './+types/home.page.ts'
import { About } from './about.tsx'
import { HomeCatalog } from './catalogue.tsx'
import { Contact } from './contact.tsx'
import { CaseStudyTeasers } from './stories.tsx'
import { Extraction } from './extraction.tsx'

export const handle = { hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData && 'greeted' in loaderData
    ? [{ title: `Home · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
    : headOf('/')
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const sent = sentReference(request.url)
  // The confirmation of an enquiry is shown on the page of its form.
  const isPublic = sent !== undefined || new URL(request.url).searchParams.get('view') === 'public'
  const requestContext = requestContextOf(context)
  // A refused enquiry is shown on the page of its form as well.
  const currentUser = isPublic || requestContext.method !== 'GET' ? undefined : await findCurrentUser(requestContext)
  const testimonials = shownTestimonials(isLoopback(new URL(env.SITE_URL).hostname))
  const enquiryPage = { sent, bookingUrl: env.BOOKING_URL, testimonials }
  return currentUser ? { ...enquiryPage, greeted: toGreeted(currentUser), notices: await findNotices(currentUser) } : enquiryPage
}

function toGreeted(currentUser: CurrentUser): Greeted {
  const { firstName, email } = currentUser
  return { firstName, email, isStaff: may(currentUser, 'leads.read') }
}

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('home', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(`/?sent=${outcome.receipt.reference}#enquiry`, 303)
}

/** One URL for the public page and the workspace. An expired session sees the public page until it is renewed. */
export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  if ('greeted' in loaderData) return <WorkspaceHome greeted={loaderData.greeted} notices={loaderData.notices} />
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
      <Contact
        outcome={{ refused: actionData?.refused, sent: loaderData.sent }}
        bookingUrl={loaderData.bookingUrl}
        testimonials={loaderData.testimonials}
      />
    </>
  )
}

function HomeQuestions() {
  return (
    <section aria-labelledby="questions-title" className="border-t border-line bg-surface">
      <div className="wrap grid gap-x-12 gap-y-10 py-20 sm:py-28 lg:grid-cols-12">
        <div className="lg:sticky lg:top-24 lg:col-span-4 lg:self-start">
          <h2 id="questions-title">{questionsSection.title}</h2>
          <p className="mt-4 max-w-[40ch] text-muted">{questionsSection.text}</p>
        </div>
        <div className="lg:col-span-8">
          <QuestionList name="questions" questions={homeQuestions} />
        </div>
      </div>
    </section>
  )
}

function PainPoints() {
  return (
    <section aria-labelledby="pain-points" className="wrap py-20 sm:py-28">
      <div className="max-w-3xl">
        <h2 id="pain-points">{painPoints.title}</h2>
        <p className="mt-4 text-lead text-muted">{painPoints.text}</p>
      </div>
      <ul className="mt-12 grid sm:grid-cols-2">
        {painPoints.items.map(({ title, text }) => (
          <li key={title} className="border-t border-line py-7 sm:px-8 sm:odd:border-r sm:odd:pl-0 sm:even:pr-0 lg:px-12">
            <h3>{title}</h3>
            <p className="mt-2 max-w-[48ch] text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The six steps of a page's data, joined by a line. */
function Technology() {
  return (
    <section id="technology" aria-labelledby="technology-title" className="border-t border-line bg-sunken">
      <div className="wrap py-20 sm:py-28">
        <div className="max-w-3xl">
          <h2 id="technology-title">{technologySection.title}</h2>
          <p className="mt-4 text-lead text-muted">{technologySection.text}</p>
        </div>
        <ol className="mt-14 grid gap-y-8 sm:grid-cols-2 sm:gap-y-12 lg:grid-cols-3">
          {technologies.map(({ title, description, tools }) => (
            <li key={title} className="relative border-t-2 border-edge pt-6 pr-8">
              <span className="absolute -top-[7px] left-0 size-3 rounded-full border-2 border-edge bg-grain" aria-hidden="true" />
              <h3>{title}</h3>
              <p className="mt-2 text-small text-muted">{description}</p>
              <p className="mt-3 font-mono text-fine">{tools}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function Hero() {
  return (
    <section className="wrap grid gap-x-8 gap-y-8 pt-12 pb-20 sm:pt-16 lg:grid-cols-12 lg:pb-28">
      <div className="grid content-start justify-items-start gap-5 lg:col-span-8">
        <Badge look="leaf" dot>
          {hero.badge}
        </Badge>
        <h1 className="text-hero tracking-[-0.03em]">{hero.title}</h1>
      </div>
      <div className="grid content-end gap-6 lg:col-span-4 lg:pb-2">
        <p className="max-w-[44ch] text-lead text-muted">{hero.text}</p>
        <div className="grid gap-3 md:grid-cols-[3fr_2fr] lg:grid-cols-1 lg:justify-items-start">
          <ButtonLink to={href('/contact')} size="large">
            {hero.quote}
          </ButtonLink>
          <ButtonLink to={href('/case-studies')} size="large" look="quiet">
            {hero.stories}
          </ButtonLink>
        </div>
      </div>
      <div data-turn="1" className="min-w-0 pt-2 lg:col-span-12 lg:pt-6">
        <Extraction />
      </div>
    </section>
  )
}

const icons: Record<FeatureIcon, React.ReactNode> = {
  check: <CheckCheck className="size-6" aria-hidden="true" />,
  clock: <Clock className="size-6" aria-hidden="true" />,
  table: <Table2 className="size-6" aria-hidden="true" />,
  scale: <Scale className="size-6" aria-hidden="true" />,
}

/** Before and after, and four promises for every delivery. */
function Benefits() {
  return (
    <section aria-labelledby="benefits" className="border-t border-line bg-surface">
      <div className="wrap py-20 sm:py-28">
        <h2 id="benefits" className="max-w-[20ch]">
          {benefits.title}
        </h2>
        <ul className="mt-12 border-b border-line">
          {benefits.items.map(({ before, after, text }) => (
            <li key={after} className="grid gap-x-8 gap-y-2 border-t border-line py-6 lg:grid-cols-12 lg:items-baseline">
              <p className="text-small text-muted line-through decoration-edge lg:col-span-3">{before}</p>
              <h3 className="lg:col-span-4">{after}</h3>
              <p className="text-muted lg:col-span-5">{text}</p>
            </li>
          ))}
        </ul>
        <ul className="mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:mt-16 lg:grid-cols-4">
          {features.map(({ icon, title, description }) => (
            <li key={title} className="grid content-start gap-2">
              <span className="mb-1 text-grain-text">{icons[icon]}</span>
              <h3 className="font-sans text-body font-semibold tracking-normal">{title}</h3>
              <p className="text-small text-muted">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
