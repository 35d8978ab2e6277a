import { callAt, newTab } from '#app/content/calls.ts'
import { buttonLook, type ButtonSize } from '#app/ui/button-look.ts'

type CallLinkProps = {
  /** The external calendar, when there is one. */
  bookingUrl: string | undefined
  size?: ButtonSize
}

/** Opens the calendar in a new tab, so that the page with its form stays open. */
export function CallLink({ bookingUrl, size }: CallLinkProps) {
  const { label, url } = callAt(bookingUrl)
  return (
    <a href={url} target="_blank" rel="noopener" className={buttonLook('quiet', size)}>
      {label}
      <span className="sr-only">{newTab}</span>
    </a>
  )
}
