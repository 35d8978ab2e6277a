import { existsSync } from 'node:fs'
import path from 'node:path'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { test as base, expect } from './fixtures.ts'
import { publishDataset, signInAsOwner } from './steps.ts'

const test = base.extend<{ bucket: S3Server }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  async bucket({}, use) {
    const service = await startS3Server()
    await use(service)
    await service.close()
  },
  async settings({ bucket: { endpoint, keyId } }, use) {
    await use({
      S3_ENDPOINT: endpoint,
      S3_REGION: 'eu-central-1',
      S3_BUCKET: 'winnow-files',
      S3_ACCESS_KEY_ID: keyId,
      S3_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
    })
  },
})
test.use({ owned: true })

test('with a bucket, datasets lie in it: rows are read of them, and files are fetched from it by its own signed address', async ({
  page,
  site,
  bucket,
}) => {
  const csv = 'shop,price\nNorth,1.50\nSouth,2.25\n'
  await signInAsOwner(page)
  const { id, versionId } = await publishDataset(page, csv)
  const kept = [...bucket.objects.keys()].filter((key) => key.includes(versionId))
  expect(kept.toSorted()).toEqual(['data.parquet', 'original.csv'].map((name) => `/winnow-files/datasets/${versionId}/${name}`))
  expect(existsSync(path.join(site.dataDir, 'files/datasets', versionId))).toBe(false)

  await page.goto('/data-marketplace/shop-prices')
  await expect(page.getByRole('region', { name: 'Rows', exact: true }).getByRole('row')).toHaveCount(3)
  const take = async (wish: object) => {
    const data = { downloadType: 'file', ...wish }
    const reply = await page.request.post(`/api/data-products/${id}/download`, { data, headers: { 'sec-fetch-site': 'same-origin' } })
    const { downloadUrl }: { downloadUrl: string } = await reply.json()
    return page.request.get(downloadUrl, { maxRedirects: 0 })
  }

  const reply = await take({ format: 'original' })
  expect(reply.status()).toBe(302)
  expect(reply.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': expect.stringContaining('private') })
  const { location = '' } = reply.headers()
  expect(location.startsWith(`${bucket.endpoint}/winnow-files/datasets/${versionId}/original.csv?`)).toBe(true)
  expect(Number(new URL(location).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(15 * 60)
  const file = await fetch(location)
  expect([file.headers.get('content-disposition'), await file.text()]).toEqual([expect.stringContaining('shop-prices'), csv])

  const chosen = await take({ format: 'csv', columns: ['price'], filters: [{ column: 'shop', operator: 'eq', value: 'South' }] })
  expect([chosen.status(), await chosen.text()]).toEqual([200, 'price\r\n2.25\r\n'])
})
