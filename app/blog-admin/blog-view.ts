import { urlOf } from '#app/admin-view/view.ts'
import { POSTS } from '#app/posts/post.ts'
import type { PostStatus } from '#app/posts/post-query.ts'

/** Rows of one page. */
export const ROWS = 20

export const stateLabels: Record<PostStatus, string> = { published: 'Published', draft: 'Drafts', scheduled: 'Scheduled' }

/** Where the list of this view is read. The address of the page says what is asked for. */
export function listUrl(params: URLSearchParams): string {
  const asked = new URLSearchParams(params)
  asked.set('limit', String(ROWS))
  if (!asked.get('page')) asked.set('page', '1')
  return urlOf(POSTS, asked, ['q', 'status', 'page', 'limit'])
}

/** What the page shows besides the list: the form for a new post, or for one that there is. */
export function openForm(params: URLSearchParams): { id: string } | 'new' | undefined {
  const id = params.get('edit')
  if (id) return { id }
  return params.has('new') ? 'new' : undefined
}
