import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { printable } from '#app/platform/text/xml.ts'
import { findAuthors } from '#app/blog/posts/author.server.ts'
import { isPublic } from '#app/blog/posts/public-post.server.ts'
import { blogWords } from '#app/content/blog.ts'
import { identity } from '#app/content/identity.ts'
import { heads } from '#app/content/seo.ts'
import type { Feed, FeedEntry } from './feed.ts'

const site = env.SITE_URL
/** Feed readers poll often; older posts are in the blog. */
const MOST = 20

/** The newest posts with their content. */
export async function newestPosts(): Promise<Feed> {
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'title', 'excerpt', 'html', 'tags', 'publishedAt', 'updatedAt', 'authorId'])
    .where(isPublic)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const authors = await findAuthors(posts.map(({ authorId }) => authorId))
  const entries = posts.map(({ id, slug, title, excerpt, html, tags, publishedAt, updatedAt, authorId }): FeedEntry => {
    const link = `${site}/blog/${slug}`
    const published = publishedAt ?? updatedAt
    return {
      id: `urn:uuid:${id}`,
      link,
      title: printable(title),
      summary: printable(excerpt),
      html: printable(elsewhere(html, link)),
      tags: tags.map(printable),
      author: printable(authors.get(authorId)?.name ?? identity.name),
      published,
      updated: published > updatedAt ? published : updatedAt,
    }
  })
  return {
    home: `${site}/blog`,
    title: `${blogWords.title} | ${identity.name}`,
    description: heads['/blog'].description,
    publisher: identity.name,
    updated: new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime()))),
    entries,
  }
}

/** Outside of tags, each `<` is escaped. */
const TAG = /<(?:"[^"]*"|'[^']*'|[^"'>])*>/g

/** Post HTML with absolute URLs in its tags. Its text, such as code, stays as it is. */
function elsewhere(html: string, link: string): string {
  return html.replaceAll(TAG, (tag) => tagElsewhere(tag, link))
}

function tagElsewhere(tag: string, link: string): string {
  return tag
    .replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${site}/`)
    .replaceAll(/ href="#/g, ` href="${link}#`)
    .replaceAll(/ srcset="[^"]*"/g, (list) => list.replaceAll(/(?<=[ ",])\/(?=images\/)/g, `${site}/`))
}
