import { stop } from '#app/platform/stop.ts'
import { nothingHere } from './content/error-texts.ts'

/** Every address that nothing else answers. The root shows the error page. */
export function loader() {
  stop('notFound', nothingHere)
}

/** A form sent to nowhere. */
export const action = loader

export default function NotFoundPage() {
  return null
}
