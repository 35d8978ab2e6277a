import { useSyncExternalStore } from 'react'
import { formatMoment, formatUtcMoment } from './moment.ts'

const never = () => () => undefined

/** A moment in the reader's time zone. The server does not know that zone: the document from it shows UTC until the page is live. */
export function LocalTime({ at }: { at: string }) {
  const isLive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return <time dateTime={at}>{isLive ? formatMoment(at) : formatUtcMoment(at)}</time>
}
