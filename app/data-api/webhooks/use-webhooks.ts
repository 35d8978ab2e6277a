import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, apiRequest, type Method } from '#app/platform/browser/api.ts'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { WEBHOOK_DELIVERIES, WEBHOOKS } from './webhook.ts'

type Request = { method: Method; url: string; body?: unknown }

/** Sends a change to the API of webhooks, then reloads endpoints and logs. Field errors go to the field, all others to a toast. */
export function useWebhookAction(failed: string, done: (answer: unknown) => void) {
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: async ({ method, url, body }: Request): Promise<unknown> => {
      const response = await apiRequest(method, url, body)
      return response.status === 204 ? null : response.json()
    },
    onSuccess: done,
    onError: (error) => {
      if (Object.keys(refusedFields(error)).length === 0) showFailure(failed, error)
    },
    onSettled: async () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [url] }) =>
          typeof url === 'string' && [WEBHOOKS, WEBHOOK_DELIVERIES].some((beginning) => url.startsWith(beginning)),
      }),
  })
  const { error } = action
  return { run: action.mutate, busy: action.isPending, errors: error instanceof ApiError ? refusedFields(error) : {} }
}
