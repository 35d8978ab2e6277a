import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, signInAsOwner, stayBeforeSignIn } from './steps.ts'

const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', password: 'correct horse battery' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off', PAYMENTS: 'none' } })
test.setTimeout(240_000)

test('a customer finds a dataset, looks at its rows and takes those they want, which marks it as downloaded; what costs is asked for; who is signed out is led to sign in', async ({
  page,
  browser,
  site,
}) => {
  await expect
    .poll(async () => (await fetch(`${site.url}/sitemap.xml`)).text(), { timeout: 90_000 })
    .toContain('/data-marketplace/job-postings')

  await setPrice(await browser.newPage({ baseURL: site.url }), 'daily-shop-prices', 14_900)

  // A signed-out visitor searches the public catalog, which says what happens next, and reads a description.
  await page.goto('/datasets')
  const shown = page.getByRole('main').locator('[id^=dataset-]')
  await expect(shown).toHaveCount(7)
  await expectSound(page)
  await expectNothingSideways(page)
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Daily Shop Prices' }).getByRole('link', { name: 'Request access' }),
  ).toBeVisible()
  await page.getByLabel('Search datasets').fill('ALERT stock')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/datasets?q=ALERT+stock')
  await expect(shown).toHaveText(['Price Change Feed'])
  await shown.getByRole('link').click()
  await expect(page).toHaveURL('/data-marketplace/price-change-feed')
  await expect(page.getByRole('heading', { level: 1, name: 'Price Change Feed' })).toBeVisible()
  expect(await page.locator('script[type=module]').count()).toBe(0)
  await expectSound(page)
  await page.getByRole('link', { name: 'Sign in to download' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)

  await enterAsCustomer(page, grace, '/data-marketplace')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(7)
  await expectSound(page)

  // Tabs, search and order load no new document.
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  const cards = page.getByRole('main').getByRole('heading', { level: 2 })
  const all = await cards.count()
  await page.getByRole('tab', { name: /^Retail prices/ }).click()
  await expect(cards).not.toHaveCount(all)
  await expect(page).toHaveURL(/category=Retail/)
  await page.getByRole('tab', { name: /^all/ }).click()
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('ALERT stock')
  await expect(cards).toHaveText(['Price Change Feed'])
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('no such thing')
  await expect(page.getByText('No products found')).toBeVisible()
  await expect(page.getByText('No data products available in this category.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all products' }).click()
  await expect(cards).toHaveCount(all)
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('change feed')
  await expect(cards).toHaveText(['Price Change Feed'])
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)

  // As a list, at least 12 datasets fit on a laptop; the browser remembers it.
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('')
  await page.getByRole('button', { name: 'Show as a list' }).click()
  const lines = page.getByRole('table', { name: 'Datasets' }).locator('tbody tr')
  await expect(lines).toHaveCount(7)
  await page.setViewportSize({ width: 1440, height: 900 })
  const [first, last] = [await lines.first().boundingBox(), await lines.last().boundingBox()]
  const height = ((last?.y ?? 0) - (first?.y ?? 0)) / 6
  expect(Math.floor((900 - (first?.y ?? 900)) / height)).toBeGreaterThanOrEqual(12)
  await expectSound(page)
  await page.reload()
  await expect(lines).toHaveCount(7)
  await expectNothingSideways(page)
  await page.getByRole('button', { name: 'Show as cards' }).click()
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('change feed')
  await expect(cards).toHaveText(['Price Change Feed'])

  // The main path only by keyboard: to the dataset, to a bar, to the next page.
  await page.getByRole('link', { name: 'Price Change Feed' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/data-marketplace/price-change-feed')
  const rows = page.getByRole('region', { name: 'Rows', exact: true })
  await expect(rows.getByRole('row')).toHaveCount(101)
  await rows.getByRole('toolbar').first().getByRole('button').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(rows.getByRole('status').first()).toHaveText(/^[\d,]+ of [\d,]+ rows$/)
  await expect(page).toHaveURL(/%5Bgte%5D=/)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/%5Bgte%5D=/)
  await rows.getByRole('link', { name: 'Next rows' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows.getByText('Rows 101 to 200')).toBeVisible()
  await page.reload()
  await expect(rows.getByText('Rows 101 to 200')).toBeVisible()
  await rows.getByRole('link', { name: 'Previous rows' }).click()
  await expect(rows.getByText('Rows 1 to 100')).toBeVisible()
  await expectSound(page)
  await expectNothingSideways(page)

  // An invalid address offers a way out.
  await page.goto('/data-marketplace/price-change-feed?new_price%5Bgte%5D=much')
  await expect(rows.getByText('new_price[gte]: This must be a number')).toBeVisible()
  await rows.getByRole('link', { name: 'Clear filters and reload' }).click()
  await expect(rows.getByText('Rows 1 to 100')).toBeVisible()

  // A filter, an order, and the selection as a file.
  await rows.getByRole('button', { name: /^price up/ }).click()
  await expect(rows.getByRole('list', { name: 'Filters' })).toContainText('event is price up')
  await rows.getByRole('link', { name: 'new_price' }).click()
  await expect(rows.getByRole('columnheader', { name: /^new_price/ })).toHaveAttribute('aria-sort', 'ascending')
  const status = rows.getByRole('status').first()
  await expect(status).toHaveText(/^[\d,]+ of [\d,]+ rows$/)
  const told = (await status.innerText()).split(' ')[0]?.replace(',', '')
  const file = await download(page, async () => rows.getByRole('button', { name: 'Export filtered rows (CSV)' }).click())
  await expect(page.getByText('Your data download has been initiated successfully.').first()).toBeVisible()
  const written = file.trim().split('\n').slice(1)
  expect(written).toHaveLength(Number(told))
  expect(written.filter((line) => !line.includes('price up'))).toEqual([])

  // Downloaded, and it can be again.
  await page.getByRole('link', { name: 'Data Marketplace', exact: true }).first().click()
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('change feed')
  await expect(page.getByRole('button', { name: 'Downloaded' })).toBeVisible()

  // A paid dataset leads to the request form, instead of an error toast.
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('daily shop prices')
  await expect(cards).toHaveText(['Daily Shop Prices'])
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(page).toHaveURL('/data-marketplace/daily-shop-prices#request-access')
  await page.getByLabel('Message').fill('For a study of promotions.')
  await page.getByRole('main').getByRole('button', { name: 'Request access' }).click()
  await expect(page.getByText(/^You requested access on/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rows', exact: true })).toHaveCount(0)
  await expectSound(page)

  // Signed out on another device.
  await page.goto('/data-marketplace?q=change+feed')
  await expect(page.getByRole('button', { name: 'Downloaded' })).toBeVisible()
  await page.context().clearCookies()
  const { told: toldWhy, leave } = await stayBeforeSignIn(page)
  await page.getByRole('button', { name: 'Downloaded' }).click()
  await toldWhy
  leave()
  await expect(page).toHaveURL(/\/login\?next=/)

  // From the public catalog through the sign-in page to the files.
  await page.goto('/datasets')
  await page.getByRole('listitem').filter({ hasText: 'Price Change Feed' }).getByRole('link', { name: 'Download' }).click()
  await page.getByLabel('Email').fill(grace.email)
  await page.getByLabel('Password', { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/data-marketplace/price-change-feed#files')
  await expect(page.getByRole('button', { name: 'Download price-change-feed-v1.csv' })).toBeVisible()
})

/** The datasets of a new installation are free. */
async function setPrice(page: Page, slug: string, price: number) {
  await signInAsOwner(page)
  const products: { slug: string; isFree: boolean }[] = await (await page.request.get('/api/admin/data-products')).json()
  const product = products.find((one) => one.slug === slug)
  const data = { ...product, price, isFree: false }
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await page.request.put(`/api/data-products/${slug}`, { data, headers })).status()).toBe(200)
  await page.context().close()
}

/** On the narrowest phone, with every table that is wider than it. */
async function expectNothingSideways(page: Page) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  if (before) await page.setViewportSize(before)
}

/** The download of a click, in any tab. */
async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const [arrived] = await Promise.all([page.context().waitForEvent('download'), press()])
  return readFileSync(await arrived.path(), 'utf8')
}
