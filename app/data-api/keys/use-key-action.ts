import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { KEYS } from './api-key.ts'
import { showAccountFailure } from '#app/account/settings/tell-failure.ts'
import { ApiError } from '#app/platform/browser/api.ts'

/** Changes keys, then reloads the list. Field errors go to the field, all others to a toast. */
export function useKeyAction<Given, Answer>(act: (given: Given) => Promise<Answer>, done: (answer: Answer) => void, failed: string) {
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: act,
    onSuccess: done,
    onError: (error) => errorsOf(error) ?? showAccountFailure(failed)(error),
    onSettled: async () => invalidateKeys(client),
  })
  return { run: action.mutate, busy: action.isPending, errors: errorsOf(action.error) ?? {} }
}

/** Reloads the list of keys and their usage. */
export function invalidateKeys(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(KEYS) })
}

function errorsOf(error: Error | null): Record<string, string> | undefined {
  return error instanceof ApiError ? error.problem?.errors : undefined
}
