import { useBlocker } from 'react-router'
import { LeaveDialog } from './leave-dialog.tsx'
import { useLeaveGuard } from './use-leave-guard.tsx'

/** Warns before unsaved changes of a form are lost: by a link, the back button, or the window. */
export function LeaveWarning({ isChanged }: { isChanged: boolean }) {
  useLeaveGuard(isChanged)
  const blocker = useBlocker(isChanged)
  if (blocker.state !== 'blocked') return null
  return (
    <LeaveDialog onStay={blocker.reset} onDiscard={blocker.proceed}>
      Your changes in this form will be lost.
    </LeaveDialog>
  )
}
