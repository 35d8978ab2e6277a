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
import { getStarted } from '#app/content/get-started.ts'
import { headOf } from '#app/content/seo.ts'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/get-started.page.ts'
import { CallLink } from './call-link.tsx'
import { IntakeForm } from './intake-form.island.tsx'

export const handle = { access: 'public', hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export const meta = () => headOf('/get-started')

export async function loader({ request }: Route.LoaderArgs) {
  const sent = await findSent(request.url)
  return data({ sent, bookingUrl: env.BOOKING_URL }, headersOf(sent))
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('landing', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(sentUrl(href('/get-started'), outcome.receipt), 303)
}

export default function GetStartedPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Page title={getStarted.title} eyebrow={getStarted.eyebrow} intro={getStarted.introduction}>
      <div className="grid gap-x-14 gap-y-12 lg:grid-cols-12">
        <Card pad="roomy" className="lg:col-span-8">
          {loaderData.sent && <SentBefore form="landing" {...loaderData.sent} />}
          <Island of={IntakeForm} props={{ refused: actionData?.refused }} on="touch" early={draftKey('landing')} />
        </Card>
        <div className="grid content-start justify-items-start gap-8 lg:sticky lg:top-24 lg:col-span-4 lg:self-start">
          <WhatHappensNext />
          <div className="grid justify-items-start gap-4">
            <p className="text-small text-muted">{getStarted.call}</p>
            <CallLink bookingUrl={loaderData.bookingUrl} />
          </div>
        </div>
      </div>
    </Page>
  )
}
