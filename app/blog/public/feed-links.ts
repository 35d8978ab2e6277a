import { blogWords } from '#app/content/blog.ts'

export const feeds = [
  { path: '/blog/feed.xml', type: 'application/rss+xml' },
  { path: '/blog/atom.xml', type: 'application/atom+xml' },
  { path: '/blog/feed.json', type: 'application/feed+json' },
] as const

/** Short, because feeds cached by clients cannot be purged. */
export const FRESH_SECONDS = 300

/** Feed discovery links for the head of blog pages. */
export const feedLinks = feeds.map(({ path, type }) => ({ tagName: 'link', rel: 'alternate', type, title: blogWords.title, href: path }))
