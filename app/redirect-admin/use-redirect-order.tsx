import { useQueryClient } from '@tanstack/react-query'
import { useOrder } from '#app/admin-view/use-order.tsx'
import { apiRequest } from '#app/platform/api.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/redirect.ts'

/** The order in which redirects are tried. */
export function useRedirectOrder(list: readonly Redirect[]) {
  const client = useQueryClient()
  return useOrder({
    list,
    url: REDIRECTS,
    nameOf: ({ fromPath }) => fromPath,
    meaning: 'The first one is tried first.',
    send: async ({ id, before }) => apiRequest('PATCH', `${REDIRECTS}/order`, { id, before }),
    onFailure: (error) => tellFailure('Order not changed', error),
    askAgain: async () => askAgain(client),
  })
}
