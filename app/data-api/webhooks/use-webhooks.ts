import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, apiRequest, type Method } from '#app/platform/browser/api.ts'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { WEBHOOKS } from './webhook.ts'

type Request = { method: Method; path: string; body?: unknown }

/** Sends a change below the API of webhooks, then reloads endpoints and logs. Field errors go to the field, all others to a toast. */
export function useWebhookAction(failed: string, done: (answer: unknown) => void) {
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: async ({ method, path, body }: Request): Promise<unknown> => {
      const response = await apiRequest(method, WEBHOOKS + path, body)
      return response.status === 204 ? null : response.json()
    },
    onSuccess: done,
    onError: (error) => {
      if (Object.keys(refusedFields(error)).length === 0) showFailure(failed, error)
    },
    onSettled: async () =>
      client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(WEBHOOKS) }),
  })
  const { error } = action
  return { run: action.mutate, busy: action.isPending, errors: error instanceof ApiError ? refusedFields(error) : {} }
}
