import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { findBookingByToken } from '#app/booking/booking.server.ts'
import { describeBooking } from '#app/booking/booking-view.server.ts'
import { CallFacts } from '#app/booking/page/call-facts.tsx'
import { callFacts } from '#app/booking/page/call-facts.server.ts'
import { Bullets } from '#app/ui/bullets.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { booking } from '#app/content/booking.ts'
import { identity } from '#app/content/identity.ts'
import { headOf } from '#app/content/seo.ts'
import { bookTexts } from '#app/content/book.ts'
import { Card } from '#app/ui/card.tsx'
import type { Route } from './+types/booking-success.page.ts'

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta = () => headOf('/booking-success')

export async function loader({ request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('booking')
  if (token === null) return data({ facts: undefined })
  const booking = await findBookingByToken(token)
  if (!booking) return data({ facts: undefined }, { headers: secretHeaders() })
  // The page of an old tab: what has become of the call is on its own page.
  if (booking.status !== 'booked') throw redirect(href('/book/manage/:token', { token }))
  return data({ facts: callFacts(await describeBooking(booking)) }, { headers: secretHeaders() })
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export default function BookingSuccessPage({ loaderData: { facts } }: Route.ComponentProps) {
  const { next, covered, preparation } = booking
  return (
    <div className="wrap py-14 sm:py-20 lg:py-24">
      <header className="grid max-w-3xl gap-5">
        <Tick />
        <h1>{booking.title}</h1>
        <p className="max-w-[60ch] text-lead text-muted">{booking.text}</p>
      </header>
      {facts && (
        <Card pad="roomy" className="mt-10 grid max-w-3xl gap-6">
          <CallFacts facts={facts} />
          <a href={facts.manage} className="link justify-self-start text-small">
            {bookTexts.success.change}
          </a>
        </Card>
      )}
      <section className="mt-14 sm:mt-20">
        <h2>{next.title}</h2>
        <ol className="mt-6">
          {next.steps.map(({ title, text }) => (
            <li key={title} className="grid gap-x-8 gap-y-1 border-t border-line py-5 last:border-b sm:grid-cols-12 sm:items-baseline">
              <h3 className="font-mono text-small font-medium tracking-normal text-grain-text sm:col-span-4">{title}</h3>
              <p className="sm:col-span-8">{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <div className="mt-14 grid gap-x-12 gap-y-12 sm:mt-20 lg:grid-cols-2">
        <section className="border-t-2 border-grain pt-6">
          <h2 className="text-h3">{covered.title}</h2>
          <Bullets items={covered.items} className="mt-4 gap-3" />
        </section>
        <section className="border-t-2 border-line pt-6">
          <h2 className="text-h3">{preparation.title}</h2>
          <Bullets items={preparation.items} className="mt-4 gap-3" />
        </section>
      </div>
      <div className="mt-14 flex flex-wrap items-center gap-x-10 gap-y-6">
        <ButtonLink to={href('/')} size="large">
          {booking.home}
        </ButtonLink>
        <p>
          {booking.email}{' '}
          <a href={`mailto:${identity.email}`} className="link">
            {identity.email}
          </a>
        </p>
      </div>
    </div>
  )
}

function Tick() {
  return (
    <svg viewBox="0 0 48 48" className="size-12" aria-hidden="true">
      <rect width="48" height="48" rx="10" className="fill-leaf-wash" />
      <path d="m14 25 7 7 14-16" fill="none" strokeWidth="3.5" strokeLinecap="round" strokeLinejoin="round" className="stroke-leaf" />
    </svg>
  )
}
