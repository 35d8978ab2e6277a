import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { hasSignedOut, keepSession, onSignedOut, onSignedOutInAnotherTab, restoreSession } from './auth.ts'
import type { AuthState } from './current-user.ts'

/** The time before the access token's expiry at which it is renewed, as the client itself does. */
const MARGIN_MS = 90_000
const AGAIN_MS = 30_000

/** The data that a live page needs to renew its session, sent to the browser. */
export type SessionLife = { state: AuthState['state']; expiresAt?: number | undefined }

export function toSessionLife(authState: AuthState): SessionLife {
  return { state: authState.state, ...(authState.state === 'signedIn' && { expiresAt: authState.expiresAt }) }
}

/**
 * Keeps a live page signed in while it is open, and leaves when the session is over. A person who returns later is signed in again, and the
 * page shows it. The auth client is loaded only when needed.
 */
export function SessionKeeper({ state, expiresAt }: SessionLife) {
  const { revalidate } = useRevalidator()

  useEffect(() => {
    if (state !== 'expired') return
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
  // A computer that was asleep has missed the timer.
  const awake = () => document.visibilityState === 'visible' && Date.now() > renewAt && void renew()
  document.addEventListener('visibilitychange', awake, { signal: abort.signal })
  onSignedOutInAnotherTab(leave, abort.signal)

  return () => {
    clearTimeout(timer)
    abort.abort()
    stopListening?.()
  }
}

/** A new document discards all data of the person. A person who did not sign out reads why they have to sign in again. */
function leave() {
  const { pathname, search, hash } = window.location
  const query = new URLSearchParams({ notice: 'ended', next: pathname + search + hash })
  window.location.assign(hasSignedOut() ? '/' : `/login?${query}`)
}
