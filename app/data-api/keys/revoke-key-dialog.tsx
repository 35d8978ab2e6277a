import { type ApiKey, KEYS } from './api-key.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import { useKeyAction } from './use-key-action.ts'

export function RevokeKeyDialog({ apiKey: { id, name, prefix }, close }: { apiKey: ApiKey; close: () => void }) {
  const done = () => {
    close()
    toast({ title: 'Key revoked' })
  }
  const { run, busy } = useKeyAction(() => apiRequest('DELETE', `${KEYS}/${id}`), done, 'Not revoked')
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => run(undefined)}
      title={`Revoke ${name}?`}
      confirm={busy ? 'Revoking...' : 'Revoke key'}
      busy={busy}
    >
      <p>
        The key <code className="font-mono text-fine">{prefix}…</code> stops working with its next request. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
