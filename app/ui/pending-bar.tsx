import { useEffect, useState } from 'react'

/** Shorter waits show nothing, so that a fast answer does not flicker. The rest of 150 ms is for a slow device to draw the bar. */
const PATIENCE_MS = 50

/** Whether something has been going on for a moment. */
export function useSlow(isOn: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isOn])
  return isOn && isSlow
}

/** A thin bar at the upper edge of the window while a request runs. */
export function PendingBar({ isOn }: { isOn: boolean }) {
  const isShown = useSlow(isOn)
  return (
    isShown && (
      <span className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
        <progress aria-label="Loading" className="sr-only" />
        <span aria-hidden="true" className="pending-bar block h-full bg-grain" />
      </span>
    )
  )
}
