import type { PostPage, PostSummary } from '#app/blog/posts/post-query.ts'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import { countOf } from '#app/ui/amount.ts'

/** A change of several posts, as the list sends it. */
export type PostChange = { change: 'publish' | 'unpublish' } | { change: 'delete' } | { change: 'tag' | 'untag'; tag: string }

/** The page of the list as it will be, shown until the server has answered. */
export function withChange(page: PostPage, ids: ReadonlySet<string>, change: PostChange): PostPage {
  if (change.change === 'delete') {
    const items = page.items.filter(({ id }) => !ids.has(id))
    return { ...page, items, total: page.total - (page.items.length - items.length) }
  }
  return { ...page, items: page.items.map((post) => (ids.has(post.id) && post.version !== NEVER_SAVED ? changed(post, change) : post)) }
}

function changed(post: PostSummary, change: Exclude<PostChange, { change: 'delete' }>): PostSummary {
  switch (change.change) {
    case 'publish':
      return post.published ? post : { ...post, published: true, publishedAt: post.publishedAt ?? new Date().toISOString() }
    case 'unpublish':
      return { ...post, published: false }
    case 'tag':
      return { ...post, tags: [...new Set([...post.tags, change.tag])] }
    case 'untag':
      return { ...post, tags: post.tags.filter((tag) => tag !== change.tag) }
    default:
      return change satisfies never
  }
}

/** The toast after a change. `scheduled` of the published posts have a date in the future. */
export function doneText(change: PostChange, count: number, scheduled: number): string {
  const posts = countOf(count, 'post', 'posts')
  if (count === 0) return 'Nothing to change: it already is like that'
  switch (change.change) {
    case 'publish':
      if (scheduled === 0) return `${posts} published`
      return scheduled === count ? `${posts} scheduled` : `${countOf(count - scheduled, 'post', 'posts')} published, ${scheduled} scheduled`
    case 'unpublish':
      return `${posts} unpublished`
    case 'delete':
      return count === 1 ? 'Blog post deleted successfully' : `${posts} deleted`
    case 'tag':
      return `${posts} tagged ${change.tag}`
    case 'untag':
      return `Tag ${change.tag} removed from ${posts}`
    default:
      return change satisfies never
  }
}
