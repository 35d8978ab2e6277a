import { useSyncExternalStore } from 'react'
import { z } from 'zod/mini'

const STREAM = '/api/events'
/** The delay before a refused stream is requested again. A broken stream reconnects automatically. */
const RETRY_MS = 15_000

/** Gets the moment of the change in the time of `performance.now()`: what began to load later has it. */
type Listener = (changedAt: number) => void

/** An event of a server of an earlier version, during an update, says no age: it is taken as new. */
const told = z.object({ age: z._default(z.number(), 0) })

/** The listeners of each event. The document has one stream for all of them, because a browser opens few connections to a site. */
const listeners = new Map<string, Set<Listener>>()
const watchers = new Set<() => void>()
let stream: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let isLive = false
let wasOpen = false

/** Calls back when the server announces a change of this name. Returns the function that ends it; the last one closes the stream. */
export function onLiveEvent(name: string, listener: Listener): () => void {
  const known = listeners.get(name) ?? new Set()
  listeners.set(name, known.add(listener))
  if (stream && known.size === 1) hear(stream, name)
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
  for (const name of listeners.keys()) hear(opened, name)
  opened.addEventListener('open', () => {
    setLive(true)
    // Fetches events that were missed while disconnected.
    if (wasOpen) for (const name of listeners.keys()) tell(name, performance.now())
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

function hear(from: EventSource, name: string) {
  from.addEventListener(name, ({ data }: MessageEvent<string>) => tell(name, performance.now() - z.parse(told, JSON.parse(data)).age))
}

function tell(name: string, changedAt: number) {
  for (const listener of listeners.get(name) ?? []) listener(changedAt)
}

function setLive(live: boolean) {
  isLive = live
  for (const watcher of watchers) watcher()
}
