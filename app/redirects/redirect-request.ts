import { z } from 'zod/mini'
import { redirect, redirectBody } from './redirect.ts'
import { redirectProblem } from './redirect-problem.ts'

/**
 * What is saved. `confirm` is that someone has been shown what is wrong with it and means it all the same; `false`, that they would have it shown first. A script
 * that does not speak of it is stopped by circles and by live pages alone, and told the rest with the answer.
 */
export const redirectSave = z.extend(redirectBody, { confirm: z.optional(z.boolean('This is true or false')) })

/** With what was found and let pass. */
export const savedRedirect = z.extend(redirect, { problems: z.array(redirectProblem) })

export type SavedRedirect = z.infer<typeof savedRedirect>

/** The same to be looked at only; with the id of the redirect that it would replace. */
export const redirectCheck = z.extend(redirectBody, { id: z.optional(z.string()) })

export const checkedRedirect = z.object({ problems: z.array(redirectProblem) })

const id = z.string('There is no such redirect.').check(z.maxLength(36, 'There is no such redirect.'))

/** The whole list, or one that moves before another one, or to the end. */
export const redirectOrder = z.union(
  [z.object({ ids: z.array(id) }), z.object({ id, before: z.nullable(id) })],
  'Give ids, or id and before',
)

export type RedirectOrder = z.infer<typeof redirectOrder>

const url = z
  .string('An address is required')
  .check(z.trim(), z.minLength(1, 'An address is required'), z.maxLength(8000, 'This address is too long'))

/** An address of the site: a path, or the whole of it. */
export const redirectTest = z.object({ url })

/** What becomes of an address: the redirects on its way, and where a visitor is sent at once. `location` is null where nobody is sent on. */
export const redirectWay = z.object({
  location: z.nullable(z.string()),
  statusCode: z.nullable(z.number()),
  end: z.enum(['page', 'missing', 'outside', 'loop', 'protected']),
  hops: z.array(z.object({ id: z.string(), from: z.string(), to: z.string(), statusCode: z.number() })),
})

export type RedirectWay = z.infer<typeof redirectWay>

export const resolveQuery = z.object({ path: url })

/** Where a visitor of a path is sent; null when no redirect answers. */
export const resolvedRedirect = z.object({ redirect: z.nullable(z.object({ location: z.string(), statusCode: z.number() })) })
