import { urlOf } from '#app/admin-view/view.ts'
import { type Post, POSTS } from '#app/posts/post.ts'

/** Rows of one page. */
export const ROWS = 20

export type ListedPost = Omit<Post, 'content'>
export type PostPage = { items: ListedPost[]; total: number; pages: number }

export const stateLabels = { published: 'Published', draft: 'Drafts', scheduled: 'Scheduled' }

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

export const postUrl = (id: string) => `${POSTS}/${encodeURIComponent(id)}`
