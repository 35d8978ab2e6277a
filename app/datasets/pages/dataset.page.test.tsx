import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { announceDatasets } from '#app/datasets/catalog/dataset-change.server.ts'
import { careForSubscriptions } from '#app/billing/subscriptions/subscription-care.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { startApp } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'
import { faultsIn } from '#test/schema-org.ts'

const app = await startApp()
// The page cache is purged by a notification, which takes a moment on PostgreSQL.
await openSignals()
afterAll(closeSignals)
const product = await makeProduct({
  slug: 'shop-prices',
  name: 'Shop </script> prices',
  about: 'Read every night.\n\nWith gaps.',
  category: 'Prices',
  priceCents: 1999,
  source: 'Public shop pages',
  licence: 'CC BY 4.0',
  licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
  lawfulBasis: 'Public facts',
  updateFrequency: 'Daily',
  columnDescriptions: JSON.stringify({ price: 'In pounds' }),
})
const more = 'North,6.5\n'.repeat(54)
await makeDataset(product, `shop,price\nNorth,1.5\nSouth,2.5\nNorth,3.5\nWest,4.5\nEast,5.5\nBeyond,77.25\n${more}`, {
  changes: 'The first sixty rows.',
})
await makeProduct({ slug: 'other-prices', name: 'Other prices', category: 'Prices' })
await makeProduct({ slug: 'hidden-prices', name: 'Hidden prices', hidden: true })

const page = await readPage(app, '/data-marketplace/shop-prices')
const block = z.looseObject({ '@type': z.string() })
const blocksOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) => block.parse(JSON.parse(json)))
const open = async (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers: { accept: 'text/html', ...headers } })

describe('happy', () => {
  test('machines are told the day of the first version, also of more than a hundred', async () => {
    const daily = await makeProduct({ slug: 'daily-prices' })
    const { id: firstId } = await makeDataset(daily, 'shop,price\nNorth,1.5\n')
    await db
      .updateTable('datasetVersions')
      .set({ publishedAt: new Date('2026-01-01') })
      .where('id', '=', firstId)
      .execute()
    const columns = [
      ...(['productId', 'state', 'changes', 'rows', 'columns', 'firstRows', 'originalName', 'originalFormat', 'originalBytes'] as const),
      ...(['originalSha256', 'createdBy'] as const),
    ]
    for (let number = 2; number <= 101; number += 1)
      await db
        .insertInto('datasetVersions')
        .columns(['id', 'number', 'publishedAt', ...columns])
        .expression(
          db
            .selectFrom('datasetVersions')
            .select([sql`${newId()}::uuid`.as('id'), sql`${number}::integer`.as('number'), sql`now()`.as('publishedAt'), ...columns])
            .where('id', '=', firstId),
        )
        .execute()
    const [dataset] = blocksOf((await readPage(app, '/data-marketplace/daily-prices')).html)
    expect(dataset).toMatchObject({ datePublished: '2026-01-01T00:00:00.000Z' })
  })

  test('a stranger reads what it is, what it costs, its columns, its first rows, its files and its versions', () => {
    expect(page.status).toBe(200)
    for (const said of [
      'Shop </script> prices',
      '$19.99',
      'Read every night.',
      'Public shop pages',
      'CC BY 4.0',
      'Public facts',
      'Daily',
      'In pounds',
      'The first sixty rows.',
      'Minimum 1.5',
      'Maximum 77.25',
      'Distinct values 5',
      'leading apostrophe',
      'Other prices',
    ])
      expect(page.text).toContain(said)
    expect(page.main).toContain('Sign in to buy')
    expect(page.links).toContain('/login?next=%2Fdata-marketplace%2Fshop-prices%2Fbuy')
  })

  test('of the rows there is the sample and no more', () => {
    expect(page.text).toContain('East')
    expect(page.main).not.toContain('Beyond</span></td>')
  })

  test('machines are told that it is a dataset, in words of schema.org', () => {
    const blocks = blocksOf(page.html)
    expect(blocks.map((said) => said['@type'])).toEqual(['Dataset', 'BreadcrumbList'])
    expect(blocks.flatMap((one) => faultsIn(one))).toEqual([])
    expect(blocks[0]).toMatchObject({
      name: 'Shop </script> prices',
      url: `${env.SITE_URL}/data-marketplace/shop-prices`,
      isAccessibleForFree: false,
      offers: { price: '19.99', priceCurrency: 'USD' },
      license: 'https://creativecommons.org/licenses/by/4.0/',
      isBasedOn: { '@type': 'CreativeWork', name: 'Public shop pages' },
      image: page.meta('og:image'),
      variableMeasured: [{ name: 'shop' }, { name: 'price', description: 'In pounds' }],
      version: '1',
    })
  })

  test('its head says what it is, and the sitemap names it with the time of its last version', async () => {
    expect(page.title).toMatch(/^Shop <\/script> prices \| /)
    expect(page.meta('description')).toBe(product.description)
    expect(page.html).toContain(`<link rel="canonical" href="${env.SITE_URL}/data-marketplace/shop-prices"/>`)
    const { body } = await open('/sitemap.xml')
    expect(body).toMatch(new RegExp(`<loc>${env.SITE_URL}/data-marketplace/shop-prices</loc><lastmod>\\d{4}-`))
    expect(body).not.toContain('hidden-prices')
    expect((await open('/robots.txt')).body).not.toMatch(/Disallow: \/data-marketplace\/?$/m)
  })

  test('where it is shared, a picture of its own shows its name, its size and its price, as long as it is published', async () => {
    const address = page.meta('og:image') ?? ''
    expect(address).toMatch(new RegExp(`^${env.SITE_URL}/og/dataset-shop-prices\\.[a-f\\d]{16}\\.png$`))
    for (const said of ['Shop </script> prices', '60', '2', '$19.99']) expect(page.meta('og:image:alt')).toContain(said)
    const { statusCode, headers } = await open(new URL(address).pathname)
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
    for (const name of ['hidden-prices', 'unknown', product.id])
      expect((await open(`/og/dataset-${name}.0123456789abcdef.png`)).statusCode).toBe(404)
  })

  test('one that comes by the API alone promises no download', async () => {
    const rates = await makeProduct({ slug: 'api-prices', hasFile: false })
    await makeDataset(rates, 'shop,price\nNorth,1.5\n')
    const { main } = await readPage(app, '/data-marketplace/api-prices')
    expect(main).toContain('Sign in for the API')
    expect(main).not.toContain('Sign in to buy')
  })

  test('it needs no script, is cached, and is rendered again when the catalog changes', async () => {
    expect(page.main).not.toContain('<script')
    expect(page.html).not.toContain('type="module"')
    const first = await open('/data-marketplace/shop-prices')
    expect((await open('/data-marketplace/shop-prices', { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304)
    await db.updateTable('dataProducts').set({ source: 'Somewhere else' }).where('id', '=', product.id).execute()
    expect((await open('/data-marketplace/shop-prices')).body).not.toContain('Somewhere else')
    await transaction(async (trx) => announceDatasets(trx, 'other-prices'))
    await expect.poll(async () => (await open('/data-marketplace/shop-prices')).body.includes('Somewhere else')).toBe(true)
  })

  test('a price that is added, changed, announced for a day that has come, or no longer offered is on the page at once', async () => {
    const sold = await makeProduct({ priceCents: 1999 })
    await makeDataset(sold, 'shop\nNorth\n')
    const { headers } = await signIn('staff')
    const offers = `/api/data-products/${sold.id}/offers`
    const change = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
      expect((await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode).toBe(204)
    const shown = async (sentence: string) =>
      expect.poll(async () => (await open(`/data-marketplace/${sold.slug}`)).body.includes(sentence)).toBe(true)
    await shown('$19.99')
    await change('POST', offers, { charged: 'month', currency: 'USD', amount: 500, includes: 'feed' })
    await shown('$5.00 a month')
    const [{ id } = { id: '' }] = (await app.inject({ url: offers, headers })).json<{ id: string }[]>()
    await change('PUT', `${offers}/${id}`, { amount: 700 })
    await shown('$7.00 a month')
    await db.updateTable('productOffers').set({ nextAmount: 900, nextAmountFrom: new Date() }).where('id', '=', id).execute()
    await careForSubscriptions()
    await shown('$9.00 a month')
    await change('DELETE', `${offers}/${id}`)
    await expect.poll(async () => (await open(`/data-marketplace/${sold.slug}`)).body.includes('a month')).toBe(false)
  })

  test('who is signed in gets the live page at the same address, which asks the API for everything', async () => {
    const { headers } = await signIn()
    const live = await open('/data-marketplace/shop-prices', headers)
    expect([live.statusCode, live.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(live.body).toContain('Loading the dataset...')
    expect(live.body).not.toContain('Sign in to buy')
  })

  test('an id leads to the address that the product has', async () => {
    const { statusCode, headers } = await open(`/data-marketplace/${product.id}`)
    expect([statusCode, headers.location]).toEqual([301, '/data-marketplace/shop-prices'])
  })
})

describe('error', () => {
  test('what is unknown, hidden or removed is not there', async () => {
    await makeProduct({ slug: 'removed-prices', removedAt: new Date() })
    const customer = await signIn()
    for (const name of ['unknown', 'hidden-prices', 'removed-prices', newId()])
      for (const headers of [{}, customer.headers]) expect((await open(`/data-marketplace/${name}`, headers)).statusCode).toBe(404)
  })

  test('staff see what is hidden, where it will be, and no search engine does', async () => {
    const { headers } = await signIn('staff')
    const { statusCode, body } = await open('/data-marketplace/hidden-prices', headers)
    expect([statusCode, body.includes('Hidden prices')]).toEqual([200, true])
    expect((await open('/data-marketplace/hidden-prices')).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('the catalogue is for those signed in: a stranger is led to sign in and back', async () => {
    const { statusCode, headers } = await open('/data-marketplace?category=Prices')
    expect([statusCode, headers.location]).toEqual([302, '/login?next=%2Fdata-marketplace%3Fcategory%3DPrices'])
    const { body, statusCode: inside } = await open('/data-marketplace', (await signIn()).headers)
    // The document has the products.
    expect([inside, body]).toEqual([200, expect.stringMatching(/<h1[^>]*>Data Marketplace<[^]*<h2[^>]*>(<[^>]*>)*Other prices</)])
    expect(body).not.toContain('Loading data products...')
  })

  test('no word of a product ends the block that machines read', () => {
    expect(page.html).not.toContain('Shop </script>')
  })
})

describe('how someone stands with a product', () => {
  const read = async (headers: Record<string, string>, id: string = product.id) =>
    app.inject({ url: `/api/data-products/${id}/own-access`, headers })

  test('is theirs alone: asked, declined, granted until when', async () => {
    const [ada, grace] = await Promise.all([signIn(), signIn()])
    const nothing = { askedAt: null, outcome: null, grantedAt: null, grantedUntil: null, versionsUntil: null }
    expect((await read(ada.headers)).json()).toEqual(nothing)
    const asked = { id: newId(), productId: product.id, userId: ada.user.id, organizationId: ada.user.id }
    await db.insertInto('productRequests').values(asked).execute()
    expect((await read(ada.headers, 'shop-prices')).json()).toMatchObject({ askedAt: expect.any(String), outcome: null })
    await db.updateTable('productRequests').set({ settledAt: new Date(), outcome: 'granted' }).execute()
    const expiresAt = new Date(Date.now() + 1e9)
    const grant = { id: newId(), productId: product.id, userId: ada.user.id, organizationId: ada.user.id, grantedBy: newId(), expiresAt }
    await db.insertInto('entitlements').values(grant).execute()
    expect((await read(ada.headers)).json()).toMatchObject({ outcome: 'granted', grantedUntil: expiresAt.toISOString() })
    await db.updateTable('entitlements').set({ revokedAt: new Date() }).execute()
    expect((await read(ada.headers)).json()).toMatchObject({ outcome: 'granted', grantedAt: null, grantedUntil: null, versionsUntil: null })
    expect((await read(grace.headers)).json()).toEqual(nothing)
  })

  test('is nobody else’s business', async () => {
    expect((await read({})).statusCode).toBe(401)
    expect((await read((await signIn()).headers, 'hidden-prices')).statusCode).toBe(404)
  })
})
