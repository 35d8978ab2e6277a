import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ApiError } from '#app/platform/browser/api.ts'
import { publishedPost, type Post, POSTS } from '#app/blog/posts/post.ts'
import { toast } from '#app/ui/toast.ts'
import { byField } from './post-fields.ts'

/** Refetches every list and post after a change. */
export function invalidatePosts(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(POSTS) })
}

/** Shows the server's message. An ended session is reported elsewhere. */
export function showPostFailure(title: string, error: Error): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: postErrorText(error), look: 'danger' })
}

export function postErrorText(error: Error): string {
  return error instanceof ApiError ? error.detail : 'We couldn’t reach the server. Your text is still here. Please try again.'
}

/** The server's messages by field. */
export function refusedPostFields(error: Error): Record<string, string> {
  if (!(error instanceof ApiError) || !error.problem) return {}
  const { errors = {} } = error.problem
  return byField(errors)
}

/** The free slug that the server suggests when the chosen one is in use. */
export function freeSlugIn(error: Error): string | undefined {
  return error instanceof ApiError && error.problem?.code === 'slug_taken' ? error.problem.suggestion : undefined
}

const editConflict = z.object({ code: z.literal('edit_conflict'), current: publishedPost })

/** The newer version of the post, when that made the server refuse. */
export function newerPostIn(error: Error): Post | undefined {
  const read = editConflict.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.current : undefined
}
