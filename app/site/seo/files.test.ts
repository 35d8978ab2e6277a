import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { legalDocuments } from '#app/content/legal.ts'
import { identity } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import { heads } from '#app/content/seo.ts'
import { services } from '#app/content/services.ts'
import { paper } from '#app/ui/paper.ts'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'

const app = await startApp()

const read = async (url: string) => (await app.inject(url)).body

describe('sitemap.xml', () => {
  test('says of each page the day on which its words last changed, never one to come', async () => {
    const changed = new Map(
      [...(await read('/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)</g)].map(([, url = '', day = '']) => [url, day]),
    )

    expect(changed.get(`${env.SITE_URL}/`)).toBe(heads['/'].changed)
    for (const day of changed.values()) {
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(Date.parse(day)).toBeLessThanOrEqual(Date.now())
    }
  })

  test('a legal text has the day in its header', async () => {
    expect(legalDocuments['privacy-policy'].updated).toBe('December 21, 2024')
    expect(await read('/sitemap.xml')).toContain(`<loc>${env.SITE_URL}/privacy-policy</loc><lastmod>2024-12-21</lastmod>`)
  })
})

describe('robots.txt', () => {
  test('allows the public site, disallows private paths, and names the sitemap', async () => {
    const lines = (await read('/robots.txt')).split('\n')
    const closed = lines.filter((line) => line.startsWith('Disallow: ')).map((line) => line.slice('Disallow: '.length))
    const isClosed = (path: string) => closed.some((prefix) => path.startsWith(prefix))

    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toContain(`Sitemap: ${env.SITE_URL}/sitemap.xml`)
    expect(Object.keys(heads).filter(isClosed)).toEqual([])
    for (const path of ['/api/login', '/auth/v1/user', '/dashboard', '/admin/blog', '/login', '/account', '/dev/mail'])
      expect(isClosed(path)).toBe(true)
  })
})

describe('llms.txt', () => {
  test('lists the offers with prices, delivery times and links to the pages', async () => {
    const text = await read('/llms.txt')

    expect(text).toMatch(new RegExp(`^# ${identity.name}\n\n> `))
    for (const { title, time } of Object.values(offerings))
      expect(text).toMatch(new RegExp(`\\[${title}\\]\\(http.*\\): from \\$[\\d,]+.*${time}`))
    for (const { title } of services) expect(text).toContain(`- ${title}: `)
    expect(text).toContain('from $800/month')
    expect(text).toContain(`](${env.SITE_URL}/hire-web-scraping-developer)`)
    expect(text).toContain(identity.email)
    expect(text).not.toMatch(/undefined|\[object/)
  })
})

const manifest = z.object({
  name: z.string(),
  short_name: z.string().max(12),
  start_url: z.literal('/'),
  background_color: z.string(),
  theme_color: z.string(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.string() })),
})

describe('the pictures of the site itself', () => {
  test('the manifest takes name and colours from where the site has them', async () => {
    const said = manifest.parse(JSON.parse(await read('/site.webmanifest')))
    expect(said).toMatchObject({ name: identity.name, background_color: paper.light, theme_color: paper.light })
    expect(said.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
      ['any', 'any'],
      ['192x192', 'maskable'],
      ['512x512', 'maskable'],
    ])
  })

  test('each is a picture of the size that is said of it', async () => {
    const { icons } = manifest.parse(JSON.parse(await read('/site.webmanifest')))
    for (const { src, sizes } of icons.slice(1)) expect(sizeOf(src)).toBe(sizes)
    expect(sizeOf('/icon-180.png')).toBe('180x180')
    const ico = readFileSync('public/icon-32.ico')
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6], ico[7]]).toEqual([1, 1, 32, 32])
  })

  test.each(['favicon.ico', 'apple-touch-icon.png'])(
    '/%s, which browsers ask for without a link, leads to the icon that the pages name',
    async (name) => {
      const { html } = await readPage(app, '/about')
      const rel = name === 'favicon.ico' ? 'icon' : 'apple-touch-icon'
      const [, href] = new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(html) ?? []
      const { statusCode, headers } = await app.inject(`/${name}`)
      expect([statusCode, headers.location]).toEqual([302, href])
    },
  )

  test('every page leads to them', async () => {
    const { html } = await readPage(app, '/about')
    const rels = [...html.matchAll(/<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"/g)].map(([, rel]) => rel)
    expect(rels).toEqual(['icon', 'icon', 'apple-touch-icon', 'manifest'])
  })
})

function sizeOf(address: string): string {
  const png = readFileSync(`public${address}`)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

test.each(['/sitemap.xml', '/robots.txt', '/llms.txt', '/site.webmanifest'])(
  '%s is kept like a page, never sent twice to who has it, and harmless when it is opened',
  async (url) => {
    const { statusCode, headers } = await app.inject(url)
    expect(statusCode).toBe(200)
    expect(headers['speculation-rules']).toBeUndefined()
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await app.inject({ url, method: 'HEAD' })).headers['content-type']).toBe(headers['content-type'])
  },
)

test('no file is made ready ahead as if it were a page', async () => {
  const [, address = ''] = /^"(.*)"$/.exec(String((await app.inject('/services')).headers['speculation-rules'])) ?? []
  const { headers, body: rules } = await app.inject(address)
  expect(headers['content-type']).toMatch(/^application\/speculationrules\+json/)
  expect(rules).toContain('"/services"')
  expect(rules).not.toMatch(/sitemap|robots|llms|manifest/)
})
