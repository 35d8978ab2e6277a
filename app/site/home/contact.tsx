import { draftKey } from '#app/leads/form/draft.ts'
import type { EnquiryOutcome } from '#app/leads/form/enquiry-form.tsx'
import type { SentEnquiry } from '#app/leads/form/sent.ts'
import { SentBefore } from '#app/leads/form/sent-panel.tsx'
import { Island } from '#app/platform/islands/island.tsx'
import { callAt } from '#app/content/calls.ts'
import { claimText, shownClaims } from '#app/content/claims.ts'
import { contactSection, type Testimonial } from '#app/content/home.ts'
import { identity } from '#app/content/identity.ts'
import { Card } from '#app/ui/card.tsx'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { HomeForm } from './home-form.island.tsx'
import { followBooking } from './booking.island.ts'
import { Section } from '#app/ui/section.tsx'

const promises = ['acknowledgement', 'response', 'proposal', 'duration'] as const

type ContactProps = {
  outcome: EnquiryOutcome
  /** The enquiry that this page confirms. */
  sent: SentEnquiry | undefined
  /** The external calendar, when there is one. */
  bookingUrl: string | undefined
  testimonials: readonly Testimonial[]
}

export function Contact({ outcome, sent, bookingUrl, testimonials }: ContactProps) {
  return (
    <Section id="contact" pad="close" className="grid gap-x-14 gap-y-8 lg:grid-cols-12 lg:grid-rows-[auto_1fr]">
      <div className="lg:col-span-5">
        <h2 id="contact-title">{contactSection.title}</h2>
        <p className="mt-3 max-w-[56ch] text-muted">{contactSection.text}</p>
      </div>
      <Card pad="roomy" as="div" id="contact-form" className="lg:col-span-7 lg:row-span-2 lg:self-start">
        {sent && <SentBefore form="home" {...sent} />}
        <Island of={HomeForm} props={outcome} on="touch" early={draftKey('home')} />
      </Card>
      <div className="grid content-start gap-6 lg:col-span-5">
        <Promises />
        {testimonials.length > 0 && <Testimonials testimonials={testimonials} />}
        <OtherWays bookingUrl={bookingUrl} />
      </div>
      {bookingUrl && <Calendar url={bookingUrl} />}
    </Section>
  )
}

function Promises() {
  return (
    <ul className="grid grid-cols-2 gap-x-6">
      {shownClaims(promises).map((name) => (
        <li key={name} className="border-t border-line py-2.5 font-mono text-fine">
          {claimText(name)}
        </li>
      ))}
    </ul>
  )
}

function Testimonials({ testimonials }: Pick<ContactProps, 'testimonials'>) {
  return (
    <section aria-labelledby="testimonials">
      <h3 id="testimonials">{contactSection.testimonials}</h3>
      <div className="mt-3 grid gap-3">
        {testimonials.map(({ quote, name, company }) => (
          <figure key={quote} className="border-l-2 border-grain pl-5">
            <blockquote className="text-small">
              <p>{quote}</p>
            </blockquote>
            <figcaption className="mt-1 text-fine text-muted">
              {name}, {company}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

function OtherWays({ bookingUrl }: Pick<ContactProps, 'bookingUrl'>) {
  const { email, messagingApp } = identity
  const call = callAt(bookingUrl)
  return (
    <div className="flex flex-wrap gap-x-6 text-small">
      <p>
        {contactSection.email}{' '}
        <a href={`mailto:${email}`} className="link inline-flex min-h-11 items-center">
          {email}
        </a>
      </p>
      <p>
        {contactSection.messaging}{' '}
        <a href={messagingApp.url} rel="noopener" className="link inline-flex min-h-11 items-center">
          {messagingApp.label}
        </a>
      </p>
      {!call.isExternal && (
        <p>
          <a href={call.url} className="link inline-flex min-h-11 items-center font-semibold">
            {call.label}
          </a>
        </p>
      )}
    </div>
  )
}

/** The scheduling provider's calendar, loaded when it is near the viewport. A booking in it opens the confirmation page. */
function Calendar({ url }: { url: string }) {
  return (
    <section aria-labelledby="calendar" className="border-t border-line pt-12 lg:col-span-12">
      <h3 id="calendar">{contactSection.call}</h3>
      <Behaviour of={followBooking} on="visible" className="mt-6">
        {/* It has its own origin; a sandbox would only remove its sign-in and storage. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          src={url}
          title={contactSection.calendar}
          loading="lazy"
          referrerPolicy="strict-origin"
          className="h-[44rem] w-full rounded-card border border-line bg-surface"
        />
      </Behaviour>
    </section>
  )
}
