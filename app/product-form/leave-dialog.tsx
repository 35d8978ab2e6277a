import { useBlocker } from 'react-router'
import { useLeaveGuard } from '#app/admin-view/use-leave-guard.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

/** Asks whoever goes to another page, or closes the window, with something written that is not saved. */
export function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  useLeaveGuard(isChanged)
  const blocker = useBlocker(isChanged)
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      title="Leave without saving?"
      confirm="Discard"
    >
      <p>What you have changed in this form is kept nowhere else.</p>
    </ConfirmDialog>
  )
}
