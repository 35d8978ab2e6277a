import { useEffect } from 'react'

/** Asks before the window is closed or reloaded with unsaved changes. */
export function useLeaveGuard(isAtRisk: boolean) {
  useEffect(() => {
    if (!isAtRisk) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAtRisk])
}
