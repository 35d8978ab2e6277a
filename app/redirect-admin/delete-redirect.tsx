import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/admin-view/delete-button.tsx'
import { apiRequest } from '#app/platform/api.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/redirect.ts'
import { toast } from '#app/ui/toast.ts'

export function DeleteRedirect({ redirect: { id, fromPath, toPath } }: { redirect: Redirect }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Redirect deleted successfully' })
    await askAgain(client)
  }
  return (
    <DeleteButton
      name={fromPath}
      question="Are you sure you want to delete this redirect?"
      remove={async () => apiRequest('DELETE', `${REDIRECTS}/${encodeURIComponent(id)}`)}
      onDeleted={onDeleted}
      onFailure={(error) => tellFailure('Error deleting redirect', error)}
    >
      <p className="font-mono text-small text-ink wrap-anywhere">
        {fromPath} → {toPath}
      </p>
      <p>Its address answers from then on as if the redirect had never been.</p>
    </DeleteButton>
  )
}
