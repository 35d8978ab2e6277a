import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { LeaveDialog } from './leave-dialog.tsx'

/** The forms with unsaved changes. The router takes one blocker, and a page may have several forms. */
const atRisk = new Set<object>()

/** Warns before unsaved changes of a form are lost: by a link, the back button, or the window. */
export function LeaveWarning({ isChanged }: { isChanged: boolean }) {
  useLeaveGuard(isChanged)
  useEffect(() => {
    if (!isChanged) return undefined
    const form = {}
    atRisk.add(form)
    return () => {
      atRisk.delete(form)
    }
  }, [isChanged])
  return null
}

/** Asks for all forms of a page; the frame of the workspace has it once. */
export function LeaveQuestion() {
  const blocker = useBlocker(() => atRisk.size > 0)
  if (blocker.state !== 'blocked') return null
  return (
    <LeaveDialog onStay={blocker.reset} onDiscard={blocker.proceed}>
      Your changes in this form will be lost.
    </LeaveDialog>
  )
}

/** Asks before the window is closed or reloaded with unsaved changes. */
export function useLeaveGuard(isAtRisk: boolean) {
  useEffect(() => {
    if (!isAtRisk) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAtRisk])
}
