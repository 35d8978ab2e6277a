import { useEffect } from 'react'

/** Asks before the window is closed or loaded anew with something that the server does not have. */
export function useLeaveGuard(isAtRisk: boolean) {
  useEffect(() => {
    if (!isAtRisk) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAtRisk])
}
