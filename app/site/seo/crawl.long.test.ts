import { expect, test } from 'vitest'
import '#app/blog/public/first-posts.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startApp } from '#test/app.ts'
import { crawl } from '#test/crawl.ts'
import { jobOf } from '#test/job.ts'

const app = await startApp()
// The first posts of an installation.
await jobOf('blog.begin').run({}, { id: '', attempt: 1, signal: new AbortController().signal })
const site = await crawl(app, '/', '/llms.txt', '/site.webmanifest', '/booking-success', '/get-started')

test('no link is dead: every link for visitors responds, or asks to sign in', () => {
  const asksToSignIn = (address: string, status: number, location = '') =>
    (status === 302 && location.startsWith('/login')) || (status === 401 && address.startsWith('/api/v1/'))
  const dead = [...site].filter(([address, { status, location }]) => status !== 200 && !asksToSignIn(address, status, location))

  expect(site.size).toBeGreaterThan(20)
  // The theme form is submitted, never followed as a link.
  expect(dead.map(([address, { status }]) => `${address}: ${status}`).filter((line) => line !== '/theme: 302')).toEqual([])
})

test('every place in a page that a link names is there', () => {
  const missing = [...site].flatMap(([from, { leads }]) => leads.filter((lead) => !isThere(lead)).map((lead) => `${from} leads to ${lead}`))
  expect(missing).toEqual([])
})

/** Structured data names items by URLs with a fragment that no reader follows. */
const names = /#(organization|website|founder|service(-[\w-]+)?)$/

function isThere(lead: string): boolean {
  const [address = '', anchor = ''] = lead.split('#')
  return anchor === '' || names.test(lead) || site.get(address)?.ids.has(decodeURIComponent(anchor)) === true
}

test('the sitemap names exactly the pages that can be found, may be listed and answer', async () => {
  const { body, headers } = await app.inject('/sitemap.xml')
  const named = [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
  const listed = new Set([...site.values()].filter(({ isListed }) => isListed).map(({ canonical }) => canonical))

  expect(headers['content-type']).toContain('application/xml')
  expect(new Set(named)).toEqual(listed)
  expect(named).toHaveLength(listed.size)
  for (const path of ['/', '/blog', '/blog/files-or-an-api', '/blog/is-web-scraping-legal', '/blog/monitoring-competitor-prices'])
    expect(named).toContain(env.SITE_URL + path)
  for (const path of ['/blog/feed.xml', '/booking-success', '/login', '/dev/gallery']) expect(named).not.toContain(env.SITE_URL + path)
})

test('a page that may be listed says one address of its own, whatever query it was reached with', () => {
  const listed = [...site].filter(([, { isListed }]) => isListed)
  expect(listed.map(([, { canonical }]) => canonical)).toEqual(listed.map(([address]) => env.SITE_URL + address.split('?')[0]))
})
