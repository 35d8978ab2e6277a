import { z } from 'zod/mini'

export const problemKinds = ['loop', 'self', 'chain', 'duplicate', 'shadowed', 'shadows-page'] as const

export type ProblemKind = (typeof problemKinds)[number]

/** The error code of a refusal because of other redirects, and its status. */
export const PROBLEMS = 'redirect_problems'

/** A problem between a redirect and others or pages: the addresses of the chain, and its redirects in order. */
export const redirectProblem = z.object({
  kind: z.enum(problemKinds),
  message: z.string(),
  path: z.array(z.string()),
  ids: z.array(z.string()),
})

export type RedirectProblem = z.infer<typeof redirectProblem>

/** Never saved; other problems can be confirmed. */
const refused: ReadonlySet<ProblemKind> = new Set(['loop', 'self', 'duplicate'])

export function isRefused({ kind }: RedirectProblem): boolean {
  return refused.has(kind)
}

/** Also refused to scripts, which know no `confirm`. Other problems make a redirect useless, but do no harm. */
const harmful: ReadonlySet<ProblemKind> = new Set(['loop', 'self', 'shadows-page'])

export function isHarmful({ kind }: RedirectProblem): boolean {
  return harmful.has(kind)
}
