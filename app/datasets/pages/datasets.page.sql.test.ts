import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import type { Column } from '#app/datasets/catalog/column.ts'
import { chartOf } from '#app/datasets/catalog/public-catalog.server.ts'
import { orderProducts, removeProduct } from '#app/datasets/catalog/product.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'
import { faultsIn } from '#test/schema-org.ts'

const app = await startApp()
beforeAll(openSignals)
afterAll(closeSignals)

const slugsOf = (main: string) => [...main.matchAll(/<h2 id="dataset-([^"]*)"/g)].map(([, slug]) => slug)
const cardOf = (html: string, slug: string) =>
  html.split('<li class="rounded-card').find((card) => card.includes(`id="dataset-${slug}"`)) ?? ''

describe('while there is nothing', () => {
  test('the catalog says so, and no search engine is led there', async () => {
    const { status, text, meta } = await readPage(app, '/datasets')
    expect([status, meta('robots')]).toEqual([200, 'noindex'])
    expect(text).toContain('No datasets yet')
    for (const file of ['/sitemap.xml', '/llms.txt']) expect((await app.inject(file)).body).not.toContain('/datasets')
  })
})

describe('with datasets', () => {
  beforeAll(async () => {
    const prices = await makeProduct({ slug: 'shop-prices', name: 'Shop prices', description: 'Nightly.', category: 'Retail', position: 1 })
    const skewed = Array.from({ length: 60 }, (_, at) => `${at},${((at % 8) + 1) ** 2}.5,N${at % 3}`)
    await makeDataset(prices, `id,price,shop\n${skewed.join('\n')}\n`)
    const leads = await makeProduct({
      slug: 'leads',
      name: 'Company leads',
      category: 'Sales',
      position: 2,
      priceCents: 7900,
      maskedColumns: ['email'],
    })
    await makeDataset(leads, 'email,country\na@secret.example,DE\nb@secret.example,DE\nb@secret.example,FR\nc@secret.example,IT\n')
    const rates = await makeProduct({ slug: 'rates', name: 'Rates', category: 'Retail', position: 3, hasFile: false })
    await makeDataset(rates, 'day\n2026-01-01\n')
    await makeProduct({ slug: 'empty', name: 'In preparation', category: 'Sales', position: 4 })
    await makeProduct({ slug: 'hidden', name: 'Hidden', hidden: true, category: 'Secret' })
    await makeProduct({ slug: 'removed', name: 'Removed', removedAt: new Date(), category: 'Gone' })
    await clearPages('datasets')
    await vi.waitUntil(async () => (await app.inject('/datasets')).body.includes('Shop prices'), { timeout: 20_000 })
  })

  describe('happy', () => {
    test('a stranger sees each published dataset with its category, price, size, date and a chart of its own data', async () => {
      const { status, text, main, meta } = await readPage(app, '/datasets')
      expect([status, meta('robots')]).toEqual([200, undefined])
      expect(slugsOf(main)).toEqual(['shop-prices', 'leads', 'rates', 'empty'])
      expect(text).toContain('4 datasets')
      expect(text).toMatch(/Retail Free Shop prices Nightly\. price 1\.5 – 64\.5 Rows 60 Columns 3 Updated \w{3} \d/)
      expect(text).toMatch(/Sales \$79\.00 Company leads/)
      expect(text).toContain('First version in preparation')
      expect(cardOf(main, 'shop-prices')).toContain('<path d="M0.25 100v')
      expect(text).not.toMatch(/Hidden|Removed|Secret|Gone/)
    })

    test('each card says what happens next: a free one is downloaded, a paid one bought, one of the API read about', async () => {
      const { main } = await readPage(app, '/datasets')
      const login = (to: string) => `href="/login?next=${encodeURIComponent(to)}"`
      expect(cardOf(main, 'shop-prices')).toMatch(
        new RegExp(`${RegExp.escape(login('/data-marketplace/shop-prices#files'))}[^>]*>Download<`),
      )
      expect(cardOf(main, 'leads')).toMatch(new RegExp(`${RegExp.escape(login('/data-marketplace/leads/buy'))}[^>]*>Buy<`))
      expect(cardOf(main, 'leads')).not.toContain('>Download<')
      expect(cardOf(main, 'rates')).toMatch(/href="\/developers\?dataset=rates"[^>]*>API</)
      expect(cardOf(main, 'rates')).not.toContain('>Download<')
      expect(cardOf(main, 'empty')).not.toMatch(/>Download<|>API</)
    })

    test('someone who has access goes straight to the files', async () => {
      const { headers, user } = await signIn()
      const product = await db.selectFrom('dataProducts').select('id').where('slug', '=', 'leads').executeTakeFirstOrThrow()
      const paid = async () => cardOf((await app.inject({ url: '/datasets', headers })).body, 'leads')
      expect(await paid()).toMatch(/href="\/data-marketplace\/leads\/buy"[^>]*>Buy</)
      await db
        .insertInto('entitlements')
        .values({ id: newId(), productId: product.id, userId: user.id, organizationId: user.id, grantedBy: newId() })
        .execute()
      expect(await paid()).toMatch(/href="\/data-marketplace\/leads#files"[^>]*>Download</)
    })

    test('a category shows its datasets alone, a search those with all of its words, in the chosen order', async () => {
      const { text, main } = await readPage(app, '/datasets?category=Retail')
      expect([slugsOf(main), text]).toEqual([['shop-prices', 'rates'], expect.stringContaining('2 datasets in Retail')])
      const search = await readPage(app, '/datasets?q=NIGHTLY+shop')
      expect([slugsOf(search.main), search.meta('robots')]).toEqual([['shop-prices'], 'noindex'])
      expect(search.text).toContain('1 dataset with “NIGHTLY shop”')
      expect(slugsOf((await readPage(app, '/datasets?category=Sales&q=retail')).main)).toEqual([])
      expect(slugsOf((await readPage(app, '/datasets?sort=name')).main)).toEqual(['leads', 'empty', 'rates', 'shop-prices'])
      expect(slugsOf((await readPage(app, '/datasets?sort=newest')).main)).toEqual(['rates', 'leads', 'shop-prices', 'empty'])
      expect(slugsOf((await readPage(app, '/datasets?sort=rows')).main)).toEqual(['shop-prices', 'leads', 'rates', 'empty'])
    })

    test('it needs no script, and the header and footer of every page lead to it', async () => {
      const { html, main } = await readPage(app, '/datasets')
      expect(html).not.toContain('type="module"')
      expect(main).toMatch(/<form[^>]*action="\/datasets"/)
      const { body } = await app.inject('/about')
      expect(body.match(/href="\/datasets"/g)?.length).toBeGreaterThanOrEqual(3)
    })

    test('it is cached with its categories and orders, and written again when a dataset changes; searches are not cached', async () => {
      const etagOf = async (url: string) => (await app.inject(url)).headers.etag
      for (const url of ['/datasets', '/datasets?category=Retail', '/datasets?sort=name']) expect(await etagOf(url)).toBeTruthy()
      expect(await etagOf('/datasets?q=prices')).toBeUndefined()
      const before = await etagOf('/datasets')
      const products = await db.selectFrom('dataProducts').select('id').where('removedAt', 'is', null).orderBy('position', 'desc').execute()
      await orderProducts(products.map(({ id }) => id))
      await expect.poll(() => etagOf('/datasets')).not.toBe(before)
      expect(slugsOf((await readPage(app, '/datasets')).main)[0]).toBe('empty')
      const gone = await makeProduct({ slug: 'short-lived', name: 'Short-lived', position: 9 })
      await clearPages('datasets')
      await expect.poll(async () => (await app.inject('/datasets')).body.includes('Short-lived')).toBe(true)
      await removeProduct(gone.id, { by: { id: newId() } })
      await expect.poll(async () => (await app.inject('/datasets')).body.includes('Short-lived')).toBe(false)
    })

    test('machines read a catalog of datasets in words of schema.org, and find it in the sitemap and in llms.txt', async () => {
      const { html } = await readPage(app, '/datasets')
      const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) => JSON.parse(json))
      expect(blocks.flatMap((block) => faultsIn(block))).toEqual([])
      expect(new Set(blocks.map((block) => block['@type']))).toEqual(new Set(['BreadcrumbList', 'DataCatalog']))
      const catalog = blocks.find((block) => block['@type'] === 'DataCatalog')
      expect(catalog.dataset).toHaveLength(4)
      expect(catalog.dataset.find(({ name }: { name: string }) => name === 'Company leads')).toMatchObject({
        '@type': 'Dataset',
        url: `${env.SITE_URL}/data-marketplace/leads`,
        isAccessibleForFree: false,
      })
      expect((await app.inject('/sitemap.xml')).body).toMatch(new RegExp(`<loc>${env.SITE_URL}/datasets</loc><lastmod>\\d{4}-`))
      expect((await app.inject('/llms.txt')).body).toContain(`- [Datasets](${env.SITE_URL}/datasets): `)
    })
  })

  describe('error', () => {
    test('an invented category or page is not there', async () => {
      for (const url of ['/datasets?category=zeppelin', '/datasets?category=Secret', '/datasets?page=99']) {
        const page = await readPage(app, url)
        expect([url, page.status, page.meta('robots')]).toEqual([url, 404, 'noindex'])
        expect(page.text).toContain('No datasets match. Try fewer words.')
      }
      expect(await readPage(app, '/datasets?q=zeppelin')).toMatchObject({ status: 200, text: expect.stringContaining('Nothing found') })
    })

    test.each([
      ['/datasets?q=&sort=recommended', '/datasets'],
      ['/datasets?page=1', '/datasets'],
      ['/datasets?sort=sideways', '/datasets'],
      ['/datasets?page=2&category=Retail', '/datasets?category=Retail&page=2'],
    ])('%s is another spelling of %s', async (url, place) => {
      const { statusCode, headers } = await app.inject(url)
      expect([statusCode, headers.location]).toEqual([301, place])
    })
  })

  describe('security', () => {
    test('a search that is too long stays whole in its field, and the page says so', async () => {
      const q = `${'prices '.repeat(15)}end`
      const page = await readPage(app, `/datasets?q=${q.replaceAll(' ', '+')}`)
      expect([page.status, page.text.includes('Search for at most 100 characters.')]).toEqual([200, true])
      expect(page.main).toContain(`value="${q}"`)
      expect(page.text).not.toContain('Nothing found')
    })

    test('a search can hold any signs', async () => {
      for (const q of ['<script>alert(1)</script>', "' OR 1=1 --", '%', '_', '\\', '"onfocus="', '$1', 'x'.repeat(5000)]) {
        const { status, main } = await readPage(app, `/datasets?q=${encodeURIComponent(q)}`)
        expect([200, 301]).toContain(status)
        expect(main).not.toMatch(/<script|"onfocus="/)
        expect(slugsOf(main)).toEqual([])
      }
      for (const name of ['q', 'category']) expect((await app.inject(`/datasets?${name}=z%00z`)).statusCode).toBe(400)
    })

    test('values of personal columns are in no chart', async () => {
      expect((await app.inject('/datasets')).body).not.toContain('secret.example')
    })
  })
})

describe('the chart of a card', () => {
  const column = (name: string, counts: number[] | null, topValues: Column['topValues'] = []): Column => ({
    name,
    type: counts ? 'number' : 'text',
    description: '',
    fillRate: 1,
    distinct: 9,
    min: '1',
    max: '9',
    histogram: counts && counts.map((count, at) => ({ from: String(at), to: String(at + 1), count })),
    topValues,
    masked: false,
  })

  test('is the column with the most visible shape, not the flat one and not the single spike', () => {
    const chosen = chartOf([column('id', [5, 5, 5, 5]), column('spike', [100, 0, 0, 1]), column('price', [1, 8, 4, 2])])
    expect(chosen).toEqual({ kind: 'histogram', column: 'price', from: '1', to: '9', shares: [0.125, 1, 0.5, 0.25] })
  })

  test('is the most frequent values where no number has a shape, and absent without either', () => {
    const values = ['a', 'b', 'c'].map((value, at) => ({ value, count: 4 - at }))
    expect(chartOf([column('id', [5, 5, 5]), column('shop', null, values)])).toMatchObject({
      kind: 'values',
      column: 'shop',
      values: [{ share: 1 }, { share: 0.75 }, { share: 0.5 }],
    })
    expect(chartOf([column('name', null)])).toBeUndefined()
  })
})
