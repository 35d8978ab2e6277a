import { useSyncExternalStore } from 'react'

const STREAM = '/api/events'
/** The delay before a refused stream is requested again. A broken stream reconnects automatically. */
const RETRY_MS = 15_000

/** The listeners of each event. The document has one stream for all of them, because a browser opens few connections to a site. */
const listeners = new Map<string, Set<() => void>>()
const watchers = new Set<() => void>()
let stream: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let isLive = false
let wasOpen = false

/** Calls back when the server announces a change of this name. Returns the function that ends it; the last one closes the stream. */
export function onLiveEvent(name: string, listener: () => void): () => void {
  const known = listeners.get(name) ?? new Set()
  listeners.set(name, known.add(listener))
  if (stream && known.size === 1) stream.addEventListener(name, () => tell(name))
  if (!stream && !retry) open()
  return () => {
    known.delete(listener)
    if ([...listeners.values()].every(({ size }) => size === 0)) close()
  }
}

/** Whether changes arrive automatically now. */
export function useLiveConnection(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => isLive,
    () => false,
  )
}

function open() {
  retry = undefined
  // The page's data is at most as old as the page.
  const opened = new EventSource(`${STREAM}?age=${Math.round(performance.now())}`)
  stream = opened
  for (const name of listeners.keys()) opened.addEventListener(name, () => tell(name))
  opened.addEventListener('open', () => {
    setLive(true)
    // Fetches events that were missed while disconnected.
    if (wasOpen) for (const name of listeners.keys()) tell(name)
    wasOpen = true
  })
  opened.addEventListener('error', () => {
    setLive(false)
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return
    stream = undefined
    retry = setTimeout(open, RETRY_MS)
  })
}

function close() {
  clearTimeout(retry)
  retry = undefined
  stream?.close()
  stream = undefined
  wasOpen = false
  setLive(false)
}

function tell(name: string) {
  for (const listener of listeners.get(name) ?? []) listener()
}

function setLive(live: boolean) {
  isLive = live
  for (const watcher of watchers) watcher()
}
