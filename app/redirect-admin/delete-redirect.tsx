import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/api.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/redirect.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'

export function DeleteRedirect({ redirect: { id, fromPath, toPath } }: { redirect: Redirect }) {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => apiRequest('DELETE', `${REDIRECTS}/${encodeURIComponent(id)}`),
    async onSuccess() {
      setAsking(false)
      toast({ title: 'Redirect deleted successfully' })
      await askAgain(client)
    },
    onError(error) {
      setAsking(false)
      tellFailure('Error deleting redirect', error)
    },
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Delete ${fromPath}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        title="Are you sure you want to delete this redirect?"
        confirm={remove.isPending ? 'Deleting...' : 'Delete'}
        busy={remove.isPending}
      >
        <p className="font-mono text-small text-ink wrap-anywhere">
          {fromPath} → {toPath}
        </p>
        <p>Its address answers from then on as if the redirect had never been.</p>
      </ConfirmDialog>
    </>
  )
}
