import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { toast } from '#app/ui/toast.ts'

export function DeleteRedirect({ redirect: { id, fromPath, toPath } }: { redirect: Redirect }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Redirect deleted successfully' })
    await invalidateRedirects(client)
  }
  return (
    <DeleteButton
      name={fromPath}
      question="Are you sure you want to delete this redirect?"
      remove={async () => apiRequest('DELETE', `${REDIRECTS}/${encodeURIComponent(id)}`)}
      onDeleted={onDeleted}
      onFailure={(error) => showRedirectFailure('Error deleting redirect', error)}
    >
      <p className="font-mono text-small text-ink wrap-anywhere">
        {fromPath} → {toPath}
      </p>
      <p>Its path will no longer redirect.</p>
    </DeleteButton>
  )
}
