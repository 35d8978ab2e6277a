import type { QueryClient } from '@tanstack/react-query'
import { POSTS } from '#app/blog/posts/post.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'

/** Refetches every list and post after a change. */
export function invalidatePosts(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(POSTS) })
}

export const UNREACHED = 'We couldn’t reach the server. Your text is still here. Please try again.'

/** Shows the server's message. */
export function showPostFailure(title: string, error: Error): void {
  showFailure(title, error, UNREACHED)
}
