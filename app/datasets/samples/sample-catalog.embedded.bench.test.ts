import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { takeFile } from '#app/datasets/import/import.server.ts'
import { listProducts } from '#app/datasets/catalog/listing.server.ts'
import { createProduct, removeProduct } from '#app/datasets/catalog/product.server.ts'
import { productBody } from '#app/datasets/catalog/product.ts'
import { db } from '#app/platform/database/db.server.ts'
import { SYSTEM_EDITOR } from '#app/blog/posts/post.server.ts'
import { firstDatasets } from '#app/content/first-datasets.ts'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSampleProducts, fillCatalog } from './sample-catalog.server.ts'
import { firstSlugs } from './sheets.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

/** The state after an interrupted start: a product whose file was stored and not imported yet. */
async function beginAndStop() {
  const { changes, ...texts } = firstDatasets['price-change-feed']
  const { id } = await createProduct(productBody.parse({ slug: 'price-change-feed', hidden: false, ...texts }), SYSTEM_EDITOR)
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'winnow-catalog-')), 'feed.csv')
  writeFileSync(file, 'event,shop\nprice up,Northgate\n')
  await takeFile(id, file, { fileName: 'feed.csv', changes, by: SYSTEM_EDITOR, queued: false })
}

test('a fresh installation has six free products with data and one to buy, marked as a sample; goes on where it was cut off, and does not bring back what was removed', async () => {
  // Started again before it was done.
  await createSampleProducts()
  await createSampleProducts()
  expect(await db.selectFrom('jobs').select('id').where('kind', '=', 'datasets.begin').execute()).toHaveLength(1)
  await beginAndStop()
  await fillCatalog()
  const products = await listProducts(undefined)
  expect(products.map(({ slug }) => slug)).toEqual([...firstSlugs, 'promotion-history'])
  expect(products.at(-1)).toMatchObject({ isSample: true, isFree: false, checkoutUrl: '/data-marketplace/promotion-history/buy' })
  expect(products.map(({ rows }) => rows)).toEqual([1, ...products.slice(1).map(() => expect.any(Number))])
  expect(products.slice(1).every(({ rows }) => rows > 1000)).toBe(true)
  expect(products.find(({ slug }) => slug === 'company-leads')?.sampleData).not.toMatch(/555 01|@/)
  const refused = await db.selectFrom('datasetVersions').select('refusals').where('refusedRows', '>', 0).execute()
  expect(refused).toEqual([])

  await removeProduct(products[0]?.id ?? '', { by: SYSTEM_EDITOR })
  await fillCatalog()
  expect(await listProducts(undefined)).toHaveLength(6)
})
