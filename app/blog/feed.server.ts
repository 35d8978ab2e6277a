import { Feed } from 'feed'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isPublic } from '#app/posts/public-post.server.ts'
import { blogWords } from '#app/site/content/blog.ts'
import { identity } from '#app/site/content/identity.ts'
import { heads } from '#app/site/content/seo.ts'
import { feeds } from './feed-links.ts'

const site = env.SITE_URL
/** Readers of feeds look often; who comes back after months finds the rest in the blog. */
const MOST = 20

type FeedType = (typeof feeds)[number]['type']

/** Readers take these words for HTML, or for plain text, by what the kind of feed says of them. */
const hasHtmlTitle = (type: FeedType) => type === 'application/atom+xml'
const hasHtmlSummary = (type: FeedType) => type !== 'application/feed+json'

/** The newest posts, whole, for a feed of that type. */
export async function newestPosts(type: FeedType): Promise<Feed> {
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'title', 'excerpt', 'html', 'tags', 'publishedAt', 'updatedAt'])
    .where(isPublic)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const [rss, atom, json] = feeds.map(({ path }) => site + path)
  const changes = posts.flatMap(({ publishedAt, updatedAt }) => [publishedAt ?? updatedAt, updatedAt])
  const feed = new Feed({
    id: `${site}/blog`,
    link: `${site}/blog`,
    title: `${blogWords.title} | ${identity.name}`,
    description: heads['/blog'].description,
    language: 'en',
    updated: new Date(Math.max(0, ...changes.map(Number))),
    generator: false,
    copyright: identity.name,
    feedLinks: { ...(rss && { rss }), ...(atom && { atom }), ...(json && { json }) },
  })
  for (const { id, slug, title, excerpt, html, tags, publishedAt, updatedAt } of posts) {
    const link = `${site}/blog/${slug}`
    feed.addItem({
      // An id stays when the address changes: nobody gets a post twice.
      id: `urn:uuid:${id}`,
      guid: `urn:uuid:${id}`,
      link,
      title: hasHtmlTitle(type) ? asHtml(plain(title)) : plain(title),
      description: hasHtmlSummary(type) ? asHtml(plain(excerpt)) : plain(excerpt),
      content: plain(elsewhere(html, link)),
      published: publishedAt ?? updatedAt,
      date: publishedAt && publishedAt > updatedAt ? publishedAt : updatedAt,
      category: tags.map((tag) => ({ name: plain(tag), term: plain(tag) })),
    })
  }
  return feed
}

/** XML has no way to write these at all. */
function plain(text: string): string {
  return text.replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '').toWellFormed()
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The HTML of a post with addresses that hold wherever it is shown. */
function elsewhere(html: string, link: string): string {
  return html
    .replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${site}/`)
    .replaceAll(/ href="#/g, ` href="${link}#`)
    .replaceAll(/ srcset="[^"]*"/g, (list) => list.replaceAll(/(?<=[ ",])\/(?=images\/)/g, `${site}/`))
}
