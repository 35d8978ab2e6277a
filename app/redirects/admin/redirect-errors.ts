import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ApiError } from '#app/platform/browser/api.ts'
import { redirectProblem, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'

const NOT_REACHED = 'We couldn’t reach the server. Nothing was changed. Please try again.'

/** Refetches the list, its problems and the not found log after a change. */
export function invalidateRedirects(client: QueryClient): Promise<void> {
  const concerned = /^\/api\/(redirects|missing-paths)\b/
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && concerned.test(url) })
}

/** Shows the server's message. */
export function showRedirectFailure(title: string, error: Error): void {
  showFailure(title, error, NOT_REACHED)
}

export function redirectErrorText(error: Error): string {
  return error instanceof ApiError ? error.detail : NOT_REACHED
}

const refusal = z.object({ problems: z.array(redirectProblem) })

/** The problems with other redirects or pages, when they made the server refuse. */
export function problemsIn(error: Error): RedirectProblem[] {
  const read = refusal.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.problems : []
}
