import { expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { startApp } from '#test/app.ts'
import { makePost } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'
import { heads } from '#app/content/seo.ts'

const app = await startApp()

const canonicalOf = (html: string) => [...html.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, url]) => url)

// Without a post the blog is excluded from search engines.
await makePost()

const written = Object.entries(heads)

test.each(written)('%s has one title, description, address and text for sharing of its own', async (path, { title, description }) => {
  const page = await readPage(app, path)

  expect(page.title).toMatch(new RegExp(`^${title} \\| `))
  expect(page.html.match(/<title>/g)).toHaveLength(1)
  expect(page.html.match(/<h1/g)).toHaveLength(1)
  expect(page.meta('description')).toBe(description)
  expect([page.meta('og:title'), page.meta('og:description')]).toEqual([title, description])
  expect(canonicalOf(page.html)).toEqual([env.SITE_URL + path])
  expect(page.meta('og:url')).toBe(env.SITE_URL + path)
})

test.each(written)('%s has a picture of its own where it is shared', async (path, { title }) => {
  const page = await readPage(app, path)
  const url = page.meta('og:image') ?? ''

  expect(url).toMatch(new RegExp(`^${env.SITE_URL}/og/[a-z-]+\\.[\\da-f]{16}\\.png$`))
  expect(page.meta('twitter:image')).toBe(url)
  expect([page.meta('og:image:width'), page.meta('og:image:height')]).toEqual(['1200', '630'])
  expect(page.meta('og:image:alt')).toContain(title)
  expect(page.meta('twitter:image:alt')).toBe(page.meta('og:image:alt'))
  const { statusCode, headers } = await app.inject(url.slice(env.SITE_URL.length))
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
})

test('the canonical URL of a page ignores the query, and a missing page has none', async () => {
  expect(canonicalOf((await readPage(app, '/services?utm_source=letter')).html)).toEqual([`${env.SITE_URL}/services`])
  expect(canonicalOf((await readPage(app, '/nowhere')).html)).toEqual([])
})

test('a page that came as the answer to a form in another spelling names its own address', async () => {
  const { body } = await app.inject({
    method: 'POST',
    url: '/CONTACT/',
    payload: 'name=',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(canonicalOf(body)).toEqual([`${env.SITE_URL}/contact`])
})
