import { callAt, newTab } from '#app/content/calls.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { buttonLook, type ButtonSize } from '#app/ui/button-look.ts'

type CallLinkProps = {
  /** The external calendar, when there is one. */
  bookingUrl: string | undefined
  size?: ButtonSize
}

/** Opens the calendar in a new tab; without one, the contact form with a prefilled request for a call. */
export function CallLink({ bookingUrl, size }: CallLinkProps) {
  const { label, url, isExternal } = callAt(bookingUrl)
  if (!isExternal)
    return (
      <ButtonLink to={url} look="quiet" size={size ?? 'regular'}>
        {label}
      </ButtonLink>
    )
  return (
    <a href={url} target="_blank" rel="noopener" className={buttonLook('quiet', size)}>
      {label}
      <span className="sr-only">{newTab}</span>
    </a>
  )
}
