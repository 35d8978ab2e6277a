import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRevalidator } from 'react-router'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { longDay } from '#app/platform/english-date.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'

/** Shown on every page while a deletion is pending. */
export function DeletionNotice({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <section aria-label="Deletion of your account" className="border-b border-line bg-alarm-wash">
      <div className="wrap flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-small">
        <p>
          Your account will be deleted on <time dateTime={dueAt}>{longDay(new Date(dueAt))}</time>.
        </p>
        <Button type="button" look="quiet" size="small" busy={isPending} onClick={keep}>
          {isPending ? 'Keeping...' : 'Keep my account'}
        </Button>
      </div>
    </section>
  )
}

/** Cancels the deletion and refreshes the page. */
export function useKeepAccount() {
  const queries = useQueryClient()
  const { revalidate } = useRevalidator()
  const { mutate, isPending } = useMutation({
    mutationFn: () => apiRequest('DELETE', '/api/account/deletion'),
    onSuccess: () => toast({ title: 'Deletion canceled', description: 'Your account stays active.' }),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) return
      toast({ title: 'Deletion not canceled', description: error instanceof ApiError ? error.detail : 'Please try again.', look: 'danger' })
    },
    onSettled: async () => {
      await Promise.all([revalidate(), queries.invalidateQueries({ queryKey: ['/api/account'] })])
    },
  })
  return { keep: () => mutate(), isPending }
}
