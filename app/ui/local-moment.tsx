import { useSyncExternalStore } from 'react'
import { formatMoment, formatMomentInUtc } from './moment.ts'

/** A moment in the reader's time zone. The server doesn't know the zone, so its HTML has UTC, and the browser starts from the same text. */
export function LocalMoment({ at }: { at: string }) {
  const isInBrowser = useSyncExternalStore(neverChanges, inBrowser, onServer)
  return <time dateTime={at}>{isInBrowser ? formatMoment(at) : formatMomentInUtc(at)}</time>
}

const neverChanges = () => () => undefined
const inBrowser = () => true
const onServer = () => false
