import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { startApp } from '#test/app.ts'
import { makePost, makeUser } from '#test/factories.ts'
import { readPage, textOf } from '#test/read-page.ts'

const app = await startApp()
beforeAll(openSignals)
afterAll(closeSignals)
const DAY = 24 * 60 * 60 * 1000

const cardsOf = (main: string) => [...main.matchAll(/<article.*?<\/article>/gs)].map(([card]) => card)
const slugsOf = (main: string) => cardsOf(main).map((card) => /href="\/blog\/([^"]*)"/.exec(card)?.[1])

describe('while there is nothing', () => {
  test('the blog says so, with the ways on below it, and no search engine is led there', async () => {
    const { status, text, links, meta } = await readPage(app, '/blog')
    expect(status).toBe(200)
    expect(text).toContain('No Blog Posts Yet')
    expect(links.slice(-2)).toEqual(['/contact', '/services'])
    expect(meta('robots')).toBe('noindex')
    expect((await app.inject('/sitemap.xml')).body).not.toContain('/blog')
  })
})

describe('with posts', () => {
  beforeAll(async () => {
    for (let age = 1; age <= 25; age += 1) {
      const tags = ['scraping', ...(age % 2 ? ['prices'] : []), 'data & law', 'a fourth']
      await makePost({ slug: `post-${age}`, title: `Post ${age}`, tags, publishedAt: new Date(Date.now() - age * DAY), words: 401 })
    }
    await makePost({ slug: 'draft', title: 'A draft', published: false, publishedAt: null })
    await makePost({ slug: 'later', title: 'One for tomorrow', publishedAt: new Date(Date.now() + DAY) })
    await makePost({ slug: 'gone', title: 'One that was removed', removedAt: new Date(), wasPublic: true })
    await clearPages('posts', 'post-pages')
    for (const page of ['/blog', '/sitemap.xml'])
      await vi.waitUntil(async () => (await app.inject(page)).body.includes('post-1'), { timeout: 20_000 })
  })

  describe('happy', () => {
    test('published posts are cards that lead to them, newest first, with at most three tags each', async () => {
      const { status, main, text, meta } = await readPage(app, '/blog')
      expect([status, textOf(/<h1.*?<\/h1>/.exec(main)?.[0] ?? '')]).toEqual([200, 'Web Scraping Insights'])
      expect(slugsOf(main)).toEqual(Array.from({ length: 12 }, (_, index) => `post-${index + 1}`))
      for (const card of cardsOf(main)) expect(card.match(/href="\/blog\?tag=/g)).toHaveLength(3)
      expect(text).toContain('3 min read')
      expect(text).not.toMatch(/draft|tomorrow|removed/)
      expect(meta('robots')).toBeUndefined()
    })

    test('a post without an image has a cover drawn from its own words, the same each time; one with an image shows that', async () => {
      const coversOf = async () =>
        cardsOf((await readPage(app, '/blog?tag=scraping')).main).map((card) => /<svg.*?<\/svg>/s.exec(card)?.[0])
      const covers = await coversOf()
      expect(covers.filter(Boolean)).toHaveLength(12)
      expect(new Set(covers).size).toBe(12)
      await clearPages('posts')
      expect(await coversOf()).toEqual(covers)

      await makePost({ slug: 'pictured', tags: ['pictured'], featuredImage: 'https://pictures.example/a.png' })
      const [card = ''] = cardsOf((await readPage(app, '/blog?tag=pictured')).main)
      expect([card.includes('src="https://pictures.example/a.png"'), card.includes('<svg')]).toEqual([true, false])
      await db.deleteFrom('posts').where('slug', '=', 'pictured').execute()
    })

    test('a card names its author with the picture that they uploaded; one at another site is never loaded', async () => {
      const grace = await makeUser({
        role: 'staff',
        userMetadata: JSON.stringify({ first_name: 'Grace', last_name: 'Hopper', avatar_url: 'https://tracker.example/a.png' }),
      })
      await makePost({ slug: 'signed', tags: ['signed'], authorId: grace.id })
      const cardOf = async () => cardsOf((await readPage(app, '/blog?tag=signed')).main)[0] ?? ''
      expect(textOf(await cardOf())).toContain('by Grace Hopper')
      expect(await cardOf()).not.toMatch(/<img|tracker/)

      await db
        .insertInto('avatars')
        .values({ userId: grace.id, id: newId(), picture: Buffer.from('x') })
        .execute()
      await clearPages('posts')
      // On PostgreSQL the signal travels.
      await expect.poll(cardOf).toMatch(/<img src="\/avatars\/[\da-f-]{36}\.webp" alt=""/)
      await db.deleteFrom('posts').where('slug', '=', 'signed').execute()
    })

    test('the newest post is featured on the first page only, and the cards leave no gap in rows of three', async () => {
      const featured = async (url: string) =>
        [...(await readPage(app, url)).main.matchAll(/<li class="[^"]*\bsm:col-span-2\b[^"]*"/g)].length
      expect(await featured('/blog')).toBe(1)
      for (const url of ['/blog?page=2', '/blog?tag=prices', '/blog?q=post']) expect(await featured(url)).toBe(0)
    })

    test('older ones are a page away, and the head says which come before and after', async () => {
      const { main, html } = await readPage(app, '/blog?page=2')
      expect(slugsOf(main)).toEqual(Array.from({ length: 12 }, (_, index) => `post-${index + 13}`))
      expect(html).toContain('<link rel="prev" href="/blog"/>')
      expect(html).toContain('<link rel="next" href="/blog?page=3"/>')
      expect((await readPage(app, '/blog?page=3')).html).not.toContain('rel="next"')
    })

    test('a topic shows its posts alone, a search those with all of its words', async () => {
      expect(slugsOf((await readPage(app, '/blog?tag=prices&page=2')).main)).toEqual(['post-25'])
      expect((await readPage(app, '/blog?tag=data+%26+law')).text).toContain('25 posts on data & law')
      const { main, meta } = await readPage(app, '/blog?q=post+17')
      expect(slugsOf(main)).toEqual(['post-17'])
      expect(meta('robots')).toBe('noindex')
    })

    test('it is kept with its topics and pages; what is searched for is not', async () => {
      const etagOf = async (url: string) => (await app.inject(url)).headers.etag
      for (const url of ['/blog', '/blog?page=2', '/blog?tag=prices', '/blog/post-1']) expect(await etagOf(url)).toBeTruthy()
      expect(await etagOf('/blog?q=post')).toBeUndefined()
    })
  })

  describe('error', () => {
    test('nothing found is said in its own words; an invented topic or page is not there', async () => {
      expect(await readPage(app, '/blog?q=zeppelin')).toMatchObject({ status: 200, text: expect.stringContaining('Nothing found') })
      for (const url of ['/blog?tag=zeppelin', '/blog?page=99']) {
        const page = await readPage(app, url)
        expect([page.status, page.meta('robots')]).toEqual([404, 'noindex'])
        expect(page.text).not.toContain('No Blog Posts Yet')
      }
    })

    test.each([
      ['/blog?q=', '/blog'],
      ['/blog?page=1', '/blog'],
      ['/blog?page=-3', '/blog'],
      ['/blog?page=2&tag=prices', '/blog?tag=prices&page=2'],
      ['/blog?tag=prices&tag=prices', '/blog?tag=prices'],
    ])('%s is another spelling of %s', async (url, place) => {
      const { statusCode, headers } = await app.inject(url)
      expect([statusCode, headers.location]).toEqual([301, place])
    })
  })

  describe('security', () => {
    test('a search that is too long stays whole in its field, and the page says so', async () => {
      const q = `${'prices '.repeat(15)}end`
      const page = await readPage(app, `/blog?q=${q.replaceAll(' ', '+')}`)
      expect([page.status, page.text.includes('Search for at most 100 characters.')]).toEqual([200, true])
      expect(page.main).toContain(`value="${q}"`)
      expect(page.text).not.toContain('Nothing found')
    })

    test('a search can hold any signs', async () => {
      for (const q of ['<script>alert(1)</script>', "' OR 1=1 --", '%', '_', '\\', '"onfocus="', 'x'.repeat(5000)]) {
        const { status, main } = await readPage(app, `/blog?q=${encodeURIComponent(q)}`)
        expect([200, 301]).toContain(status)
        expect(main).not.toMatch(/<script|"onfocus="/)
        expect(slugsOf(main)).toEqual([])
      }
      for (const name of ['q', 'tag']) expect((await app.inject(`/blog?${name}=z%00z`)).statusCode).toBe(400)
    })
  })
})

describe('for machines', () => {
  test('the sitemap has each public post with the time of its last change', async () => {
    const { body } = await app.inject('/sitemap.xml')
    const named = [...body.matchAll(/<loc>[^<]*\/blog\/([^<]*)<\/loc><lastmod>([^<]*)</g)]
    expect(named.map(([, slug]) => slug)).toEqual(Array.from({ length: 25 }, (_, index) => `post-${index + 1}`))
    const { updatedAt } = await db.selectFrom('posts').select('updatedAt').where('slug', '=', 'post-1').executeTakeFirstOrThrow()
    expect(named[0]?.[2]).toBe(updatedAt.toISOString())
    expect(body).toContain(`<loc>${env.SITE_URL}/blog</loc>`)
    expect((await app.inject('/llms.txt')).body).toContain(`- [Post 3](${env.SITE_URL}/blog/post-3): Every morning.`)
  })
})
