import { urlOf } from '#app/ui/admin/view.ts'
import { POSTS } from '#app/blog/posts/post.ts'
import type { PostStatus } from '#app/blog/posts/post-query.ts'

const POST_ROWS = 20

export const stateLabels: Record<PostStatus, string> = { published: 'Published', draft: 'Drafts', scheduled: 'Scheduled' }

/** The parameters of the address that make a view of the list. */
const postFilters = ['q', 'status', 'tag']

/** The API URL of this view of the list, from the address of the page; of another page of it where one is given. */
export function postListUrl(params: URLSearchParams, given?: { page: number; limit: number }): string {
  const asked = new URLSearchParams(params)
  asked.set('limit', String(given?.limit ?? POST_ROWS))
  asked.set('page', given ? String(given.page) : (params.get('cursor') ?? '1'))
  return urlOf(POSTS, asked, [...postFilters, 'page', 'limit'])
}

/** The open form: a new post, a post by id, or none. */
export function openPostForm(params: URLSearchParams): { id: string } | 'new' | undefined {
  const id = params.get('edit')
  if (id) return { id }
  return params.has('new') ? 'new' : undefined
}
