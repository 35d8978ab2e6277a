import { expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { startApp } from '#test/app.ts'
import { makePost } from '#test/factories.ts'

const app = await startApp()
const site = env.SITE_URL

const evil = ']]></title><script>alert(1)</script>&amp;"\u0003'
const html =
  '<p><a href="/contact">a</a> <a href="#sec-b">b</a> <img src="/images/1/960.webp" srcset="/images/1/480.webp 480w, /images/1/960.webp 960w"> ]]&gt;</p><p><code>&#x3C;a href="/terms" srcset="/images/2.webp" href="#top"></code></p>'
const post = await makePost({
  slug: 'newest',
  title: evil,
  excerpt: evil,
  tags: [evil],
  html,
  publishedAt: new Date('2026-11-02T10:00:00Z'),
})
for (let age = 1; age <= 22; age += 1) await makePost({ title: `Post ${age}`, publishedAt: new Date(Date.UTC(2026, 9, 30 - age)) })
await makePost({ title: 'A draft', published: false, publishedAt: null })
await makePost({ title: 'Tomorrow', publishedAt: new Date(Date.now() + 100_000_000) })

const feeds = [
  ['/blog/feed.xml', 'application/rss+xml; charset=utf-8', /<item>/g],
  ['/blog/atom.xml', 'application/atom+xml; charset=utf-8', /<entry>/g],
  ['/blog/feed.json', 'application/feed+json; charset=utf-8', /"content_html"/g],
] as const

test.each(feeds)('%s has the newest posts whole, none that is not public, and is kept', async (url, type, item) => {
  const { statusCode, headers, body } = await app.inject(url)
  expect([statusCode, headers['content-type']]).toEqual([200, type])
  expect(body.match(item)).toHaveLength(20)
  expect(body).not.toMatch(/A draft|Tomorrow/)
  expect(body).toContain(`urn:uuid:${post.id}`)
  expect((await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode).toBe(304)
})

test.each(feeds)('%s leads back here from wherever it is read, and nothing in a post breaks out of it', async (url) => {
  const { body } = await app.inject(url)
  for (const place of ['contact', 'blog/newest#sec-b', 'images/1/960.webp', 'images/1/480.webp 480w'])
    expect(body).toContain(`${site}/${place}`)
  expect(body.replaceAll('="#top', '')).not.toContain('="#')
  expect(body).not.toContain('\u0003')
  // CDATA sections and JSON strings are text; anything outside would be markup.
  expect(body.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '').replaceAll(/"(\\.|[^"\\])*"/g, '')).not.toContain('<script')
})

test('a title that looks like HTML is shown as it was written', async () => {
  expect((await app.inject('/blog/atom.xml')).body).toContain('&lt;/title&gt;&lt;script&gt;alert(1)')
  expect(JSON.parse((await app.inject('/blog/feed.json')).body).items[0]).toMatchObject({
    title: evil.replace('\u0003', ''),
    url: `${site}/blog/newest`,
  })
})

test('code in a post keeps its addresses', async () => {
  expect(JSON.parse((await app.inject('/blog/feed.json')).body).items[0].content_html).toContain(
    '<code>&#x3C;a href="/terms" srcset="/images/2.webp" href="#top"></code>',
  )
})
