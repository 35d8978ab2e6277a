import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { env } from '#app/platform/env.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { Island } from '#app/platform/islands/island.tsx'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { contactTexts } from '#app/content/contact.ts'
import { headOf } from '#app/content/seo.ts'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/contact.page.ts'
import { ContactForm } from './contact-form.island.tsx'
import { draftKey } from './draft.ts'
import { takeForm } from './enquiry-form.server.ts'
import { findSent, headersOf, sentUrl } from './sent.server.ts'
import { SentBefore } from './sent-panel.tsx'
import { Reasons, WaysToReachUs, WhatHappensNext } from './contact-aside.tsx'

export const handle = { access: 'public', hydration: 'islands', cache: true, isRefusedLast: true } satisfies Handle

export const meta = () => headOf('/contact')

export async function loader({ request }: Route.LoaderArgs) {
  const wish = new URL(request.url).searchParams.get('wish')
  const sent = await findSent(request.url)
  return data({ sent, bookingUrl: env.BOOKING_URL, start: wish === 'call' ? contactTexts.callWish : undefined }, headersOf(sent))
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await takeForm('contact', await readForm(request), requestContextOf(context))
  if ('refused' in outcome) return data({ refused: outcome.refused }, outcome.status)
  return redirect(sentUrl(href('/contact'), outcome.receipt), 303)
}

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Page title={contactTexts.title} eyebrow={contactTexts.eyebrow} intro={contactTexts.intro}>
      <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Card pad="roomy" className="self-start">
          <h2 className="mb-6 text-h3">{contactTexts.form}</h2>
          {loaderData.sent && <SentBefore form="contact" {...loaderData.sent} />}
          <Island
            of={ContactForm}
            props={{ refused: actionData?.refused, start: loaderData.start }}
            on="touch"
            early={draftKey('contact')}
          />
        </Card>
        <div className="grid content-start gap-12">
          <WhatHappensNext />
          <WaysToReachUs bookingUrl={loaderData.bookingUrl} />
          <Reasons />
        </div>
      </div>
    </Page>
  )
}
