import { blogWords } from '#app/site/content/blog.ts'

export const feeds = [
  { path: '/blog/feed.xml', type: 'application/rss+xml' },
  { path: '/blog/atom.xml', type: 'application/atom+xml' },
  { path: '/blog/feed.json', type: 'application/feed+json' },
] as const

/** Short, because nobody who has read a feed can be told that it has changed. */
export const FRESH_SECONDS = 300

/** For the head of each page of the blog: where readers of feeds find it. */
export const feedLinks = feeds.map(({ path, type }) => ({ tagName: 'link', rel: 'alternate', type, title: blogWords.title, href: path }))
