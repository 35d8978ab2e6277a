import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { WhatHappensNext } from '#app/leads/form/contact-aside.tsx'
import { draftKey } from '#app/leads/form/draft.ts'
import { takeForm } from '#app/leads/form/enquiry-form.server.ts'
import { findSent, headersOf, sentUrl } from '#app/leads/form/sent.server.ts'
import { SentBefore } from '#app/leads/form/sent-panel.tsx'
import { env } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { Island } from '#app/platform/islands/island.tsx'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { ClaimStrip } from '#app/site/shell/claim-strip.tsx'
import { hireForm, hireHero, proposal } from '#app/content/hire.ts'
import { headOf } from '#app/content/seo.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Card } from '#app/ui/card.tsx'
import type { Route } from './+types/hire.page.ts'
import { CallLink } from './call-link.tsx'
import { HireForm } from './hire-form.island.tsx'
import { Expert, HireProblem, HireQuestions, Process, Solutions } from './hire-sections.tsx'
import { Section } from '#app/ui/section.tsx'

export const handle = { access: 'public', hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export const meta = () => headOf('/hire-web-scraping-developer')

export async function loader({ request }: Route.LoaderArgs) {
  const sent = await findSent(request.url)
  return data({ sent, bookingUrl: env.BOOKING_URL }, headersOf(sent))
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('hire', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(sentUrl(href('/hire-web-scraping-developer'), outcome.receipt), 303)
}

export default function HirePage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <Hero bookingUrl={loaderData.bookingUrl} />
      <HireProblem />
      <Solutions />
      <Expert>
        <ClaimStrip names={['projects', 'accuracy', 'experience', 'satisfaction']} />
      </Expert>
      <Process />
      <HireQuestions />
      <Section id="quote" className="grid gap-x-14 gap-y-12 lg:grid-cols-12">
        <div className="lg:col-span-7">
          <h2 id="quote-title">{hireForm.title}</h2>
          <p className="mt-4 max-w-[56ch] text-lead text-muted">{hireForm.text}</p>
          <Card pad="roomy" className="mt-10">
            {loaderData.sent && <SentBefore form="hire" {...loaderData.sent} />}
            <Island of={HireForm} props={{ refused: actionData?.refused }} on="touch" early={draftKey('hire')} />
          </Card>
        </div>
        <div className="grid content-start justify-items-start gap-8 lg:col-span-5 lg:pt-40">
          <WhatHappensNext />
          <CallLink bookingUrl={loaderData.bookingUrl} />
        </div>
      </Section>
    </>
  )
}

function Hero({ bookingUrl }: { bookingUrl: string | undefined }) {
  return (
    <header className="wrap grid gap-x-8 gap-y-12 py-16 sm:py-24 lg:grid-cols-12 lg:items-center lg:py-28">
      <div className="grid max-w-4xl gap-5 lg:col-span-8">
        <p className="eyebrow">{hireHero.eyebrow}</p>
        <h1 className="text-hero tracking-[-0.03em]">{hireHero.title}</h1>
        <p className="max-w-[58ch] text-lead text-muted">{hireHero.text}</p>
        <div className="mt-3 grid gap-3 sm:flex sm:flex-wrap">
          <a href="#quote" className={buttonLook('primary', 'large')}>
            {hireHero.form}
          </a>
          <ButtonLink to={href('/case-studies')} look="quiet" size="large">
            {hireHero.stories}
          </ButtonLink>
          <CallLink bookingUrl={bookingUrl} size="large" />
        </div>
      </div>
      <HireProposal />
    </header>
  )
}

/** An example of a proposal. The text beside it says the same, so screen readers skip it. */
function HireProposal() {
  const [label, price] = proposal.total
  return (
    <Card pad="none" aria-hidden="true" className="font-mono text-fine lg:col-span-4">
      <p className="flex justify-between gap-4 border-b border-line bg-sunken px-5 py-2.5 text-muted">
        <span>{proposal.title}</span>
        <span className="text-leaf">{proposal.sent}</span>
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 px-5">
        {proposal.fields.map(([name, value]) => (
          <p key={name} className="col-span-2 grid grid-cols-subgrid border-b border-line py-3">
            <span className="text-muted">{name}</span>
            <span>{value}</span>
          </p>
        ))}
        <p className="col-span-2 grid grid-cols-subgrid py-4 text-small font-semibold">
          <span>{label}</span>
          <span className="text-grain-text">{price}</span>
        </p>
      </div>
    </Card>
  )
}
