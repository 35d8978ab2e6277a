import { callAt, newTab } from '#app/content/calls.ts'
import { identity } from '#app/content/identity.ts'
import { servicesText } from '#app/content/offerings.ts'

const look = 'link inline-flex min-h-11 items-center'

/** Contact options besides the form. `bookingUrl` is the external calendar, when there is one. */
export function DirectWays({ bookingUrl }: { bookingUrl: string | undefined }) {
  const { email, messagingApp } = identity
  const call = callAt(bookingUrl)
  return (
    <div className="mt-6 text-small">
      <p className="text-muted">{servicesText.closing.direct}</p>
      <ul className="flex flex-wrap gap-x-6">
        <li>
          <a href={`mailto:${email}`} className={look}>
            {email}
          </a>
        </li>
        <li>
          <a href={messagingApp.url} rel="noopener" className={look}>
            {messagingApp.label}
          </a>
        </li>
        <li>
          <a href={call.url} {...(call.isExternal && { target: '_blank', rel: 'noopener' })} className={look}>
            {call.label}
            {call.isExternal && <span className="sr-only">{newTab}</span>}
          </a>
        </li>
      </ul>
    </div>
  )
}
