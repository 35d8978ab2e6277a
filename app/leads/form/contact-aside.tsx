import { callAt, newTab } from '#app/content/calls.ts'
import { contactTexts } from '#app/content/contact.ts'
import { countsBusinessHours } from '#app/content/hours.ts'
import { identity } from '#app/content/identity.ts'

/** The steps after an enquiry and their deadlines, as a small table, because times are data. */
export function WhatHappensNext() {
  return (
    <section aria-labelledby="next" className="w-full">
      <h2 id="next" className="text-h3">
        {contactTexts.next.title}
      </h2>
      <ol className="mt-4 border-b border-line">
        {contactTexts.next.steps.map(({ by, text }) => (
          <li key={by} className="grid gap-x-4 border-t border-line py-3 text-small sm:grid-cols-[9rem_1fr]">
            <span className="font-semibold text-grain-text">{by}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {countsBusinessHours() && <p className="mt-3 text-small text-muted">{contactTexts.next.counted}</p>}
    </section>
  )
}

/** `bookingUrl` is the external calendar, when there is one. */
export function WaysToReachUs({ bookingUrl }: { bookingUrl: string | undefined }) {
  const call = callAt(bookingUrl)
  const ways = [
    { how: contactTexts.ways.email, label: identity.email, url: `mailto:${identity.email}` },
    { how: contactTexts.ways.messaging, ...identity.messagingApp },
    { how: contactTexts.ways.call, ...call },
    { how: contactTexts.ways.professional, ...identity.professionalNetwork },
    { how: contactTexts.ways.social, ...identity.microblog },
  ]
  return (
    <section aria-labelledby="ways">
      <h2 id="ways" className="text-h3">
        {contactTexts.ways.title}
      </h2>
      <dl className="mt-4 border-b border-line">
        {ways.map(({ how, label, url }) => (
          <div key={how} className="grid items-center border-t border-line py-1 text-small sm:grid-cols-[11rem_1fr]">
            <dt className="text-muted">{how}</dt>
            <dd>
              <a
                href={url}
                {...(url === bookingUrl && { target: '_blank', rel: 'noopener' })}
                className="link inline-flex min-h-11 items-center"
              >
                {label}
                {url === bookingUrl && <span className="sr-only">{newTab}</span>}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Reasons() {
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons" className="text-h3">
        {contactTexts.why}
      </h2>
      <ul className="mt-4 border-b border-line">
        {contactTexts.reasons.map(({ figure, text }) => (
          <li key={figure} className="grid gap-x-4 border-t border-line py-3 text-small sm:grid-cols-[6.5rem_1fr]">
            <strong className="font-mono font-semibold">{figure}</strong>
            <span className="text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
