import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { keepSession, onSignedOut, restoreSession } from '#app/auth-client/auth.ts'
import type { Presence } from './viewer.ts'

/** Renewed this long before the access token runs out, as the client itself does. */
const MARGIN_MS = 90_000
const AGAIN_MS = 30_000

/** What a live page needs to keep its session; travels to the browser. */
export type KeptSession = { state: Presence['state']; expiresAt?: number | undefined }

export function toKeptSession(presence: Presence): KeptSession {
  return { state: presence.state, ...(presence.state === 'signedIn' && { expiresAt: presence.expiresAt }) }
}

/**
 * Keeps a live page signed in for as long as it is open, and leaves when the session is over. Who comes back after a while is signed in
 * again, and the page then shows it. The client that does this is loaded when the time comes, not before.
 */
export function SessionKeeper({ state, expiresAt }: KeptSession) {
  const { revalidate } = useRevalidator()

  useEffect(() => {
    if (state !== 'resuming') return
    // Refused: the cookies are gone, and the page is a visitor's. Unreachable: it stays as it is.
    restoreSession().then(revalidate, () => undefined)
  }, [state, revalidate])

  useEffect(() => {
    if (state !== 'signedIn' || expiresAt === undefined) return
    return keepUntilGone(expiresAt * 1000 - MARGIN_MS)
  }, [state, expiresAt])

  return null
}

function keepUntilGone(renewAt: number): () => void {
  let stopListening: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout>
  const abort = new AbortController()

  const renew = async () => {
    clearTimeout(timer)
    try {
      stopListening ??= await onSignedOut(leave)
      if (!(await keepSession())) leave()
    } catch {
      if (!abort.signal.aborted) timer = setTimeout(() => void renew(), AGAIN_MS)
    }
    if (abort.signal.aborted) stopListening?.()
  }
  timer = setTimeout(() => void renew(), Math.max(0, renewAt - Date.now()))
  // A machine that slept has missed the time.
  const awake = () => document.visibilityState === 'visible' && Date.now() > renewAt && void renew()
  document.addEventListener('visibilitychange', awake, { signal: abort.signal })

  return () => {
    clearTimeout(timer)
    abort.abort()
    stopListening?.()
  }
}

/** A new document remembers nothing of who was here. */
function leave() {
  window.location.assign('/')
}
