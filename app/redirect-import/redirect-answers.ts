import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ApiError } from '#app/platform/api.ts'
import { redirectProblem, type RedirectProblem } from '#app/redirects/redirect-problem.ts'
import { toast } from '#app/ui/toast.ts'

/** After a change the list, what is wrong with it, and what was missed are read afresh. */
export function askAgain(client: QueryClient): Promise<void> {
  const concerned = /^\/api\/(redirects|missing-paths)\b/
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && concerned.test(url) })
}

/** Says what the server said. Whoever is no longer signed in hears of that elsewhere. */
export function tellFailure(title: string, error: Error): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: sentenceOf(error), look: 'danger' })
}

export function sentenceOf(error: Error): string {
  return error instanceof ApiError ? error.detail : 'The server could not be reached. Nothing was changed.'
}

export function refusedFields(error: Error): Record<string, string> {
  return (error instanceof ApiError && error.problem?.errors) || {}
}

const refusal = z.object({ problems: z.array(redirectProblem) })

/** What is wrong with other redirects or pages, when that is why the server refused. */
export function problemsIn(error: Error): RedirectProblem[] {
  const read = refusal.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.problems : []
}
