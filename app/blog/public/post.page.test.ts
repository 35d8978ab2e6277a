import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { storeImage } from '#app/blog/images/image.server.ts'
import { renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { changeUser } from '#app/auth/directory/change-user.server.ts'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makePost, makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'

const app = await startApp()
const HOUR = 60 * 60 * 1000

const content = '## One\n\nA text.\n\n## Two\n\n```sql\nSELECT 1\n```\n\n## Three\n\n### Inside'
const { html, headings } = await renderMarkdown(content)
const author = await makeUser({ userMetadata: JSON.stringify({ first_name: 'Grace' }) })
const post = await makePost({
  slug: 'reading-prices',
  title: 'Reading “prices” & <b>more</b>',
  excerpt: 'Every morning, before the shops open.',
  tags: ['prices', 'shops', 'law', 'a fourth'],
  metaTitle: 'How prices are read',
  metaDescription: 'What it takes to read prices.',
  featuredImage: 'https://pictures.example/shop.jpg',
  featuredImageAlt: 'A shop at dawn',
  authorId: author.id,
  headings: JSON.stringify(headings),
  html,
  words: 1234,
  publishedAt: new Date('2026-10-03T23:30:00Z'),
  updatedAt: new Date('2026-10-04T08:00:00Z'),
})
await makePost({ slug: 'older', title: 'The older one', tags: ['law'], publishedAt: new Date('2026-09-01') })
await makePost({ slug: 'newer', title: 'The newer one', tags: ['other'], publishedAt: new Date('2026-11-01') })
await makePost({ slug: 'short', title: 'Short', excerpt: '', tags: [], publishedAt: new Date('2026-08-01'), words: 1 })
await makePost({ slug: 'draft', published: false, publishedAt: null })
await makePost({ slug: 'tomorrow', publishedAt: new Date(Date.now() + 24 * HOUR) })
await makePost({ slug: 'gone', removedAt: new Date(), wasPublic: true })
await makePost({ slug: 'never-public', removedAt: new Date(), published: false, publishedAt: null })
const page = await readPage(app, '/blog/reading-prices')

const bearerOf = ({ headers }: SignedIn) => ({ authorization: `Bearer ${headers.cookie.replace(/^[^=]*=/, '')}` })

const block = z.object({ '@type': z.string() }).loose()

describe('happy', () => {
  test('a post says its title, day, reading time, words, tags and excerpt, with the way back and its picture', () => {
    expect(page.status).toBe(200)
    expect(page.main).toMatch(/href="\/blog"[^>]*>Back to Blog</)
    for (const said of [
      'Reading “prices” & <b>more</b>',
      'October 3, 2026',
      '7 min read',
      '1,234 words',
      'by Grace',
      post.excerpt,
      ...post.tags,
    ])
      expect(page.text).toContain(said)
    expect(page.main).toMatch(/<img [^>]*alt="A shop at dawn" src="https:\/\/pictures.example\/shop.jpg" width="1600" height="900"/)
    expect(page.main).toContain('<span class="code-keyword">SELECT</span>')
    expect(page.main).toMatch(/<button[^>]*data-url="[^"]*\/blog\/reading-prices"[^>]*>Share</)
  })

  test('a changed name of its author is on its page immediately', async () => {
    const writer = await signIn('staff')
    await makePost({ slug: 'named', authorId: writer.user.id })
    const isNamed = async (name: string) => (await app.inject('/blog/named')).body.includes(name)
    expect(await isNamed('Augusta King')).toBe(false)
    const data = { first_name: 'Augusta', last_name: 'King' }
    const renamed = await app.inject({ method: 'PUT', url: '/auth/v1/user', payload: { data }, headers: bearerOf(writer) })
    expect(renamed.statusCode).toBe(200)
    expect(await isNamed('Augusta King')).toBe(true)
    const named = {
      userMetadata: { last_name: 'Lovelace' },
      appMetadata: {},
      emailConfirm: false,
      phoneConfirm: false,
      passwordShort: false,
    }
    await changeUser(writer.user.id, named, {})
    expect(await isNamed('Augusta Lovelace')).toBe(true)
    await transaction((trx) => removeUser(trx, writer.user, {}))
    expect(await isNamed('Augusta')).toBe(false)
  })

  test('without an excerpt of its own, the text of a post is on its page once, and its cards and search results still have its beginning', async () => {
    const staff = await signIn('staff')
    const text = 'Prices of 40 shops are read every morning. '.repeat(8)
    const body = { title: 'Read at six', slug: 'read-at-six', content: `${text}\n\nThen they are compared.`, published: true }
    const made = await app.inject({ method: 'POST', url: '/api/blog', headers: staff.headers, payload: body })
    expect(made.statusCode).toBe(201)
    const seen = await readPage(app, '/blog/read-at-six')
    expect(seen.text.match(/Prices of 40 shops are read every morning/g)).toHaveLength(8)
    expect(seen.html).toMatch(/<meta name="description" content="Prices of 40 shops are read/)
    expect((await readPage(app, '/blog')).text).toContain('Prices of 40 shops are read')

    await app.inject({
      method: 'POST',
      url: '/api/blog',
      headers: staff.headers,
      payload: { ...body, slug: 'at-six', excerpt: 'In short.' },
    })
    expect((await readPage(app, '/blog/at-six')).text).toContain('In short.')
  })

  test('a post without words does not repeat its title', async () => {
    const staff = await signIn('staff')
    const body = { title: 'A line and no words', slug: 'line', content: '---', published: true }
    await app.inject({ method: 'POST', url: '/api/blog', headers: staff.headers, payload: body })
    const { main } = await readPage(app, '/blog/line')
    expect([main.match(/>A line and no words<\/h1>/g)?.length, main.match(/>A line and no words<\/p>/g)]).toEqual([1, null])
  })

  test('a long one has a table of contents, a short one none', async () => {
    expect(page.links.filter((link) => link.startsWith('#')).slice(0, 4)).toEqual(['#sec-one', '#sec-two', '#sec-three', '#sec-inside'])
    expect(page.main).toContain('aria-label="On this page"')
    expect((await readPage(app, '/blog/short')).main).not.toContain('On this page')
  })

  test('it ends with what a reader can do next, the posts around it and those like it', async () => {
    const ending = page.main.slice(page.main.indexOf('Need Professional Web Scraping Services?'))
    expect(ending).toMatch(/href="\/contact"[^>]*>Get Free Consultation<.*href="\/services"[^>]*>View Our Services</s)
    expect(ending).toMatch(/rel="prev"[^>]*href="\/blog\/older".*rel="next"[^>]*href="\/blog\/newer"/s)
    expect(ending).toMatch(/Related posts.*href="\/blog\/older"/s)
    expect((await readPage(app, '/blog/short')).main).not.toContain('Related posts')
  })

  test('the head has its own title and description, its times and its picture', () => {
    expect(page.title).toMatch(/^How prices are read \| /)
    expect(page.meta('description')).toBe('What it takes to read prices.')
    expect(page.meta('og:type')).toBe('article')
    expect(page.meta('article:published_time')).toBe('2026-10-03T23:30:00.000Z')
    expect(page.meta('article:modified_time')).toBe('2026-10-04T08:00:00.000Z')
    expect(page.html).toContain(`<link rel="canonical" href="${env.SITE_URL}/blog/reading-prices"/>`)
    expect(page.html).toMatch(/<link rel="alternate" type="application\/rss\+xml"[^>]*href="\/blog\/feed.xml"/)
  })

  test('without words of its own for the head, it takes its title and excerpt', async () => {
    const { title, meta } = await readPage(app, '/blog/older')
    expect([title.split(' | ')[0], meta('description')]).toEqual(['The older one', 'Every morning.'])
  })

  test('a long description ends at a word, before search engines would cut it', async () => {
    await makePost({ slug: 'long-words', excerpt: 'Every price of every shop, '.repeat(12), tags: [], publishedAt: new Date('2026-07-01') })
    await makePost({ slug: 'no-words', metaDescription: '👩‍🌾'.repeat(100), tags: [], publishedAt: new Date('2026-07-01') })
    const { meta } = await readPage(app, '/blog/long-words')
    expect(meta('description')).toBe(`${'Every price of every shop, '.repeat(5)}Every price of every…`)
    expect(meta('og:description')).toBe(meta('description'))
    expect(Array.from((await readPage(app, '/blog/no-words')).meta('description') ?? '')).toHaveLength(160)
  })

  test('without a cover, the picture for where it is shared is drawn from its title', async () => {
    const { meta } = await readPage(app, '/blog/older')
    const address = meta('og:image')?.replace(env.SITE_URL, '') ?? ''
    expect(address).toContain('/og/post-')
    const { statusCode, headers } = await app.inject(address)
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
  })

  test('it is shared with its cover and the words for it: one of the library in the size of networks, one of another site as it is', async () => {
    expect([page.meta('og:image'), page.meta('og:image:alt'), page.meta('og:image:type')]).toEqual([
      'https://pictures.example/shop.jpg',
      'A shop at dawn',
      undefined,
    ])
    const bytes = await sharp({ create: { width: 1600, height: 1600, channels: 3, background: '#885522' } })
      .png()
      .toBuffer()
    const { url } = await storeImage(bytes, { name: 'brown.png', alt: '' }, author.id)
    await makePost({ slug: 'with-cover', featuredImage: url, featuredImageAlt: 'All brown', tags: [], publishedAt: new Date('2026-07-02') })
    const { meta } = await readPage(app, '/blog/with-cover')
    expect([meta('og:image:alt'), meta('og:image:type'), meta('og:image:width')]).toEqual(['All brown', 'image/jpeg', '1200'])
    const { headers, rawPayload } = await app.inject(meta('og:image')?.replace(env.SITE_URL, '') ?? '')
    expect(headers['content-type']).toBe('image/jpeg')
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  })

  test('machines are told that it is a post, and where it stands', () => {
    const blocks = [...page.html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      block.parse(JSON.parse(json)),
    )
    expect(blocks.map((said) => said['@type'])).toEqual(['BlogPosting', 'BreadcrumbList'])
    expect(blocks[0]).toMatchObject({
      headline: post.title,
      datePublished: '2026-10-03T23:30:00.000Z',
      wordCount: 1234,
      author: { name: 'Grace' },
    })
    // Reviews would have to come from others, so there are none.
    expect(page.html).not.toMatch(/aggregateRating|"review"/)
  })
})

describe('error', () => {
  test.each([
    ['unknown', 404],
    ['gone', 410],
    ['draft', 404],
    ['tomorrow', 404],
    ['never-public', 404],
  ])('/blog/%s says that there is no such post: %i', async (slug, status) => {
    const missing = await readPage(app, `/blog/${slug}`)
    expect([missing.status, missing.meta('robots')]).toEqual([status, 'noindex'])
    expect(missing.text).toBe("Post Not Found The blog post you're looking for doesn't exist or has been removed. Back to Blog")
    expect(missing.title).toMatch(/^Post Not Found \| /)
    expect(missing.links).toEqual(['/blog'])
  })
})

describe('security', () => {
  test('writers read a draft at its future URL, with a note, and search engines do not index it', async () => {
    await makePost({ slug: 'being-written', title: 'Being written', published: false, publishedAt: null })
    await makePost({ slug: 'for-tomorrow', title: 'For tomorrow', publishedAt: new Date(Date.now() + 24 * HOUR) })
    const [staff, customer] = await Promise.all([signIn('staff'), signIn()])
    for (const [slug, title] of [
      ['being-written', 'Being written'],
      ['for-tomorrow', 'For tomorrow'],
    ]) {
      const { statusCode, body, headers } = await app.inject({ url: `/blog/${slug}`, headers: staff.headers })
      expect([statusCode, headers['cache-control'], headers.etag]).toEqual([200, expect.stringContaining('no-store'), undefined])
      expect(body).toMatch(new RegExp(`Not public.*<h1[^>]*>${title}<`, 's'))
      expect(body).toContain('<meta name="robots" content="noindex"/>')
      for (const others of [customer.headers, {}]) {
        const reply = await app.inject({ url: `/blog/${slug}`, headers: others })
        expect([reply.statusCode, reply.body.includes(String(title))]).toEqual([404, false])
      }
    }
  })

  test('a draft and a removed post have no picture either', async () => {
    const { id } = await makePost({ slug: 'secret', title: 'Secret', published: false, publishedAt: null })
    expect((await app.inject(`/og/post-${id}.0123456789abcdef.png`)).statusCode).toBe(404)
  })

  test('markup in a title stays text, in the page and in structured data', async () => {
    const evil = '</script><script>alert(1)</script><!--'
    await makePost({ slug: 'evil', title: evil, excerpt: evil, tags: [evil.slice(0, 38)], metaTitle: evil, metaDescription: evil })
    const { html: whole, text } = await readPage(app, '/blog/evil')
    expect(whole).not.toContain('<script>alert')
    expect(text).toContain(evil)
  })
})
