import { z } from 'zod/mini'

/**
 * Every error of the API: RFC 9457 with additional members. `message` repeats `detail` for clients that look there;
 * `errors` names the fields that can be corrected.
 */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  message: z.string(),
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.string())),
  checkoutUrl: z.optional(z.string()),
  /** The page where a person resolves it. */
  wayOut: z.optional(z.object({ label: z.string(), url: z.string() })),
  challenge: z.optional(z.unknown()),
  current: z.optional(z.unknown()),
  suggestion: z.optional(z.string()),
  alternatives: z.optional(z.readonly(z.array(z.object({ startsAt: z.string() })))),
  problems: z.optional(z.unknown()),
})

export type Problem = z.infer<typeof problem>

export const PROBLEM_TYPE = 'application/problem+json'

/** A problem without a page of its own: its type is `about:blank` and its title that of the status. */
export function toProblem(
  status: number,
  title: string,
  detail: string,
  extra: Pick<
    Problem,
    'code' | 'errors' | 'checkoutUrl' | 'wayOut' | 'challenge' | 'current' | 'suggestion' | 'alternatives' | 'problems'
  > = {},
): Problem {
  return { type: 'about:blank', title, status, detail, message: detail, ...extra }
}
