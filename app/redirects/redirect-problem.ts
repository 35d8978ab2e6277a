import { z } from 'zod/mini'

export const problemKinds = ['loop', 'self', 'chain', 'duplicate', 'shadowed', 'shadows-page'] as const

export type ProblemKind = (typeof problemKinds)[number]

/** The code of a refusal because of other redirects, and its status. */
export const PROBLEMS = 'redirect_problems'

/** What is wrong between a redirect and others or pages: the addresses on its way, and the redirects that take part, the one that leads first. */
export const redirectProblem = z.object({
  kind: z.enum(problemKinds),
  message: z.string(),
  path: z.array(z.string()),
  ids: z.array(z.string()),
})

export type RedirectProblem = z.infer<typeof redirectProblem>

/** These are never saved; the others are when someone says that they are meant. */
const refused: ReadonlySet<ProblemKind> = new Set(['loop', 'self', 'duplicate'])

export function isRefused({ kind }: RedirectProblem): boolean {
  return refused.has(kind)
}

/** These stop a script as well: the others do no harm beyond doing nothing. */
const harmful: ReadonlySet<ProblemKind> = new Set(['loop', 'self', 'shadows-page'])

export function isHarmful({ kind }: RedirectProblem): boolean {
  return harmful.has(kind)
}
