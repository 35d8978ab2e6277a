import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, apiRequest, type Method } from '#app/platform/api.ts'
import { toast } from '#app/ui/toast.ts'

type Action<Given> = {
  method: Method
  url: string | ((given: Given) => string)
  /** What is told once the server has said yes. */
  done: string
  failed: string
  onDone?: () => unknown
  body?: (given: Given) => unknown
}

/** Does something to an account. Nothing is shown before the server's word; then everything here is asked for again. */
export function useAdminAction<Given = void>({ method, url, done, failed, onDone, body }: Action<Given>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (given: Given) => apiRequest(method, typeof url === 'string' ? url : url(given), body?.(given)),
    async onSuccess() {
      onDone?.()
      toast({ title: done })
      await client.invalidateQueries({ predicate: ({ queryKey: [key] }) => typeof key === 'string' && key.startsWith('/api/admin/') })
    },
    onError(error) {
      if (error instanceof ApiError && error.status === 401) return
      toast({ title: failed, description: error instanceof ApiError ? error.detail : 'Please try again.', look: 'danger' })
    },
  })
}
