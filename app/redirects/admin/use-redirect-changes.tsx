import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'
import { redirectFields } from './redirect-view.ts'

type Asked = { rows: readonly Redirect[]; done: (() => void) | undefined }

/** Changes of one or several redirects, and the question before they are deleted. */
export function useRedirectChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const removal = useMutation({
    mutationFn: async ({ rows }: Asked) => {
      for (const { id } of rows) await apiRequest('DELETE', `${REDIRECTS}/${encodeURIComponent(id)}`)
    },
    onSuccess(_nothing, { rows, done }) {
      done?.()
      toast({
        title:
          rows.length === 1 ? 'Redirect deleted successfully' : `${countOf(rows.length, 'redirect', 'redirects')} deleted successfully`,
      })
    },
    onError: (error) => showRedirectFailure('Error deleting redirect', error),
    async onSettled() {
      setAsked(undefined)
      await invalidateRedirects(client)
    },
  })
  const activation = useMutation({
    mutationFn: async ({ rows, isActive }: { rows: readonly Redirect[]; isActive: boolean; done: (() => void) | undefined }) => {
      for (const row of rows) await apiRequest('PUT', `${REDIRECTS}/${encodeURIComponent(row.id)}`, { ...redirectFields(row), isActive })
    },
    onSuccess(_nothing, { rows, done }) {
      done?.()
      toast({
        title:
          rows.length === 1 ? 'Redirect updated successfully' : `${countOf(rows.length, 'redirect', 'redirects')} updated successfully`,
      })
    },
    onError: (error) => showRedirectFailure('Error updating redirect', error),
    onSettled: async () => invalidateRedirects(client),
  })
  return {
    askToDelete: (rows: readonly Redirect[], done?: () => void) => setAsked({ rows, done }),
    switchTo: (rows: readonly Redirect[], isActive: boolean, done?: () => void) =>
      activation.mutate({ rows: rows.filter((row) => row.isActive !== isActive), isActive, done }),
    dialog: asked && (
      <ConfirmDialog
        open
        onClose={() => setAsked(undefined)}
        onConfirm={() => removal.mutate(asked)}
        title={
          asked.rows.length === 1 ? 'Are you sure you want to delete this redirect?' : 'Are you sure you want to delete these redirects?'
        }
        confirm={removal.isPending ? 'Deleting...' : 'Delete'}
        busy={removal.isPending}
      >
        {asked.rows.slice(0, 5).map(({ id, fromPath, toPath }) => (
          <p key={id} className="font-mono text-small text-ink wrap-anywhere">
            {fromPath} → {toPath}
          </p>
        ))}
        {asked.rows.length > 5 && <p>And {asked.rows.length - 5} more.</p>}
        <p className="mt-3">Visitors of the old URL get its page again, or a 404 if it has none.</p>
      </ConfirmDialog>
    ),
  }
}
