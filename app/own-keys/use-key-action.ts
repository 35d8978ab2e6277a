import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KEYS } from '#app/api-keys/api-key.ts'
import { tellFailure } from '#app/own-account/tell-failure.ts'
import { ApiError } from '#app/platform/api.ts'

/** Something done to keys, after which the list is asked for again. What is wrong with a field is told there, all else in a toast. */
export function useKeyAction<Given, Answer>(act: (given: Given) => Promise<Answer>, done: (answer: Answer) => void, failed: string) {
  const client = useQueryClient()
  const action = useMutation({
    mutationFn: act,
    onSuccess: done,
    onError: (error) => errorsOf(error) ?? tellFailure(failed)(error),
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(KEYS) }),
  })
  return { run: action.mutate, busy: action.isPending, errors: errorsOf(action.error) ?? {} }
}

function errorsOf(error: Error | null): Record<string, string> | undefined {
  return error instanceof ApiError ? error.problem?.errors : undefined
}
