import { xml } from '#app/platform/text/xml.ts'
import { feeds } from './feed-links.ts'

/** A post in a feed: plain text, HTML only in `html`. */
export type FeedEntry = {
  /** Independent of the URL, so a new slug does not show the post twice. */
  id: string
  link: string
  title: string
  summary: string
  html: string
  tags: string[]
  /** The writer of the post while they have an account, otherwise the publisher of the blog. */
  author: string
  published: Date
  updated: Date
}

export type Feed = {
  home: string
  title: string
  description: string
  publisher: string
  updated: Date
  entries: FeedEntry[]
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'

/** RSS 2.0. Feed readers parse the description as HTML, so it is escaped twice: as HTML and as XML. */
export function rssOf({ home, title, description, publisher, updated, entries }: Feed): string {
  const channel = xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${title}</title>
<link>${home}</link>
<description>${description}</description>
<language>en</language>
<copyright>${publisher}</copyright>
<lastBuildDate>${updated.toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${addressOf(home, 'application/rss+xml')}"/>
${entries.map(rssItem)}</channel>
</rss>
`
  return DECLARATION + channel.text
}

function rssItem({ id, link, title, summary, html, tags, author, published }: FeedEntry) {
  return xml`<item>
<title>${title}</title>
<link>${link}</link>
<guid isPermaLink="false">${id}</guid>
<pubDate>${published.toUTCString()}</pubDate>
<dc:creator>${author}</dc:creator>
${tags.map((tag) => xml`<category>${tag}</category>\n`)}<description>${xml`${summary}`.text}</description>
<content:encoded>${html}</content:encoded>
</item>
`
}

export function atomOf({ home, title, description, publisher, updated, entries }: Feed): string {
  const feed = xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${home}</id>
<title>${title}</title>
<subtitle>${description}</subtitle>
<updated>${updated.toISOString()}</updated>
<author><name>${publisher}</name><uri>${new URL('/', home).href}</uri></author>
<rights>${publisher}</rights>
<link rel="alternate" type="text/html" href="${home}"/>
<link rel="self" type="application/atom+xml" href="${addressOf(home, 'application/atom+xml')}"/>
${entries.map(atomEntry)}</feed>
`
  return DECLARATION + feed.text
}

function atomEntry({ id, link, title, summary, html, tags, author, published, updated }: FeedEntry) {
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${link}"/>
<published>${published.toISOString()}</published>
<updated>${updated.toISOString()}</updated>
<author><name>${author}</name></author>
${tags.map((tag) => xml`<category term="${tag}"/>\n`)}<summary>${summary}</summary>
<content type="html">${html}</content>
</entry>
`
}

export function jsonFeedOf({ home, title, description, publisher, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: home,
    feed_url: addressOf(home, 'application/feed+json'),
    language: 'en',
    authors: [{ name: publisher, url: new URL('/', home).href }],
    items: entries.map(({ id, link, html, summary, author, published, updated, tags, title: name }) => ({
      id,
      url: link,
      title: name,
      summary,
      content_html: html,
      date_published: published.toISOString(),
      date_modified: updated.toISOString(),
      authors: [{ name: author }],
      tags,
    })),
  })
}

function addressOf(home: string, type: (typeof feeds)[number]['type']): string {
  const path = feeds.find((feed) => feed.type === type)?.path ?? ''
  return new URL(path, home).href
}
