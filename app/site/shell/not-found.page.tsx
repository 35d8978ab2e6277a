import type { Handle } from '#app/access.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { nothingHere } from '#app/content/error-texts.ts'

export const handle = { access: 'public' } satisfies Handle

/** The catch-all route. The root shows the error page. */
export function loader() {
  stop('notFound', nothingHere)
}

/** A form that is submitted to an unknown URL. */
export const action = loader

export default function NotFoundPage() {
  return null
}
