import { z } from 'zod/mini'
import { uuid } from '#app/platform/text/uuid.ts'
import { redirect, redirectBody } from './redirect.ts'
import { redirectProblem } from './redirect-problem.ts'

/**
 * `confirm: true` means that a person has seen the problems and saves anyway; `false` asks for the problems first. A script that omits it
 * is refused only for loops and live pages, and gets other problems in the response.
 */
export const redirectSave = z.safeExtend(redirectBody, { confirm: z.optional(z.boolean('This must be true or false')) })

/** With the problems that did not prevent the save. */
export const savedRedirect = z.extend(redirect, { problems: z.array(redirectProblem) })

export type SavedRedirect = z.infer<typeof savedRedirect>

/** A dry run; `id` names the redirect that it would replace. */
export const redirectCheck = z.safeExtend(redirectBody, { id: z.optional(z.string()) })

export const checkedRedirect = z.object({ problems: z.array(redirectProblem) })

/** A pattern, because `z.uuid` would add 1 kB to the script that all forms share. */
const id = uuid('Redirect not found.')

/** The whole list of ids, or one redirect to move before another one, or to the end. */
export const redirectOrder = z.union(
  [z.object({ ids: z.array(id) }), z.object({ id, before: z.nullable(id) })],
  'Give ids, or id and before',
)

export type RedirectOrder = z.infer<typeof redirectOrder>

const ids = z
  .array(id, 'Give the ids of redirects')
  .check(z.minLength(1, 'Give the ids of redirects'), z.maxLength(200, 'At most 200 at once'))

/** One change of several redirects. */
export const redirectBulk = z.object({
  ids,
  change: z.enum(['activate', 'deactivate', 'delete'], 'Change is activate, deactivate or delete'),
})

/** The redirects that were in fact changed: those without the state before. */
export const changedRedirects = z.object({ ids: z.array(z.string()) })

/** Deleted redirects to insert again. */
export const redirectRestore = z.object({ ids })

const url = z.string('A URL is required').check(z.trim(), z.minLength(1, 'A URL is required'), z.maxLength(8000, 'This URL is too long'))

/** A path or a full URL of the site. */
export const redirectTest = z.object({ url })

/**
 * The resolution of an address: the redirects of the chain, and the single redirect that a visitor gets. `location` is null when there is
 * none.
 */
export const redirectResolution = z.object({
  location: z.nullable(z.string()),
  statusCode: z.nullable(z.number()),
  end: z.enum(['page', 'missing', 'outside', 'loop', 'protected']),
  hops: z.array(z.object({ id: z.string(), from: z.string(), to: z.string(), statusCode: z.number() })),
})

export type RedirectResolution = z.infer<typeof redirectResolution>

export const resolveQuery = z.object({ path: url })

/** The redirect that a visitor of a path gets; null when there is none. */
export const resolvedRedirect = z.object({ redirect: z.nullable(z.object({ location: z.string(), statusCode: z.number() })) })
