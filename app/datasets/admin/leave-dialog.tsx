import { useBlocker } from 'react-router'
import { useLeaveGuard } from '#app/ui/admin/use-leave-guard.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

/** Warns before leaving the page with unsaved changes. */
export function ProductLeaveDialog({ isChanged }: { isChanged: boolean }) {
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
      <p>Your changes in this form will be lost.</p>
    </ConfirmDialog>
  )
}
