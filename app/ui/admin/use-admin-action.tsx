import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiRequest, type Method } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'

type Action<Given> = {
  method: Method
  url: string | ((given: Given) => string)
  /** The toast after a success. */
  done: string
  failed: string
  onDone?: () => unknown
  body?: (given: Given) => unknown
  headers?: Record<string, string>
  /** URL prefixes of the data that it changes. */
  touches?: readonly string[]
}

/** Changes data of an admin list. Nothing is shown before the server's response; then the queries of `touches` are reloaded. */
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
    onError: (error) => showFailure(failed, error, 'Please try again.'),
  })
}
