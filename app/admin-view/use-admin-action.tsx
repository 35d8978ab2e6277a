import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiRequest, type Method } from '#app/platform/api.ts'
import { toast } from '#app/ui/toast.ts'
import { tellFailure } from './tell-failure.ts'

type Action<Given> = {
  method: Method
  url: string | ((given: Given) => string)
  /** What is told once the server has said yes. */
  done: string
  failed: string
  onDone?: () => unknown
  body?: (given: Given) => unknown
  headers?: Record<string, string>
  /** Beginnings of the addresses whose data it changes. */
  touches?: readonly string[]
}

/** Does something that the list of an administration shows. Nothing is shown before the server's word; then all that it touches is asked for again. */
export function useAdminAction<Given = void>({
  method,
  url,
  done,
  failed,
  onDone,
  body,
  headers,
  touches = ['/api/admin/'],
}: Action<Given>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (given: Given) => {
      const sent = body?.(given)
      const content = { headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers } }
      return apiRequest(method, typeof url === 'string' ? url : url(given), sent, headers && content)
    },
    async onSuccess() {
      onDone?.()
      toast({ title: done })
      await client.invalidateQueries({
        predicate: ({ queryKey: [key] }) => typeof key === 'string' && touches.some((beginning) => key.startsWith(beginning)),
      })
    },
    onError: (error) => tellFailure(failed, error, 'Please try again.'),
  })
}
