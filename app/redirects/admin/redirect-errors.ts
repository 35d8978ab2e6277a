import { z } from 'zod/mini'
import { ApiError } from '#app/platform/browser/api.ts'
import { redirectProblem, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'

/** What a change touches: the list, its problems and the log of missing URLs. */
export const redirectData = /^\/api\/(redirects|missing-paths)\b/

const refusal = z.object({ problems: z.array(redirectProblem) })

/** The problems with other redirects or pages, when they made the server refuse. */
export function problemsIn(error: Error): RedirectProblem[] {
  const read = refusal.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.problems : []
}
