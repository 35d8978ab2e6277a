import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ApiError } from '#app/platform/api.ts'
import { post, type Post, POSTS } from '#app/posts/post.ts'
import { toast } from '#app/ui/toast.ts'
import { byField } from './post-fields.ts'

/** After a change every list and post is read afresh. */
export function askAgain(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(POSTS) })
}

/** Says what the server said. Whoever is no longer signed in hears of that elsewhere. */
export function tellFailure(title: string, error: Error): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: sentenceOf(error), look: 'danger' })
}

export function sentenceOf(error: Error): string {
  return error instanceof ApiError ? error.detail : 'The server could not be reached. What you have written is still here.'
}

/** What the server says at each field. */
export function refusedFields(error: Error): Record<string, string> {
  if (!(error instanceof ApiError) || !error.problem) return {}
  const { errors = {} } = error.problem
  return byField(errors)
}

/** The address that is free in the place of one that is taken. */
export function freeSlugIn(error: Error): string | undefined {
  return error instanceof ApiError && error.problem?.code === 'slug_taken' ? error.problem.suggestion : undefined
}

const editConflict = z.object({ code: z.literal('edit_conflict'), current: post })

/** The version that another has saved meanwhile, when that is why the server refused. */
export function newerPostIn(error: Error): Post | undefined {
  const read = editConflict.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.current : undefined
}
