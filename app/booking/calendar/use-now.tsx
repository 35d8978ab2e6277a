import { useSyncExternalStore } from 'react'

const MINUTE = 60_000

/** The current minute, in milliseconds. It moves on while the page is open. */
export function useNow(): number {
  return useSyncExternalStore(follow, minute, minute)
}

function follow(tell: () => void): () => void {
  const timer = setInterval(tell, 10_000)
  return () => clearInterval(timer)
}

function minute(): number {
  return Math.floor(Date.now() / MINUTE) * MINUTE
}
