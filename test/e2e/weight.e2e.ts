import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'
import { forms } from './forms.ts'

test('a cold visit to the home page takes at most 9 requests and 100 kB, type included, and nothing moves', async ({ page }) => {
  const loaded = watch(page)
  await page.goto('/', { waitUntil: 'networkidle' })

  const all = await loaded()
  expect(all.length).toBeLessThanOrEqual(9)
  expect(total(all)).toBeLessThanOrEqual(100_000)
  expect(await page.evaluate(movedByItself)).toBe(0)
})

for (const { width, most } of [
  { width: 360, most: 12_000 },
  { width: 1440, most: 7600 },
]) {
  test(`the home page is at most ${most} px high on a screen of ${width} px, from the beginning, and not wider than the screen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/', { waitUntil: 'commit' })
    await page.locator('footer').waitFor({ state: 'attached' })
    const early = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.waitForLoadState('load')
    await page.evaluate(async () => void (await document.fonts.ready))
    const late = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(late).toBeLessThanOrEqual(most)
    expect(Math.abs(early - late) / late).toBeLessThan(0.03)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
}

test('the catalog of datasets takes at most 120 kB, type included, without script, and a dataset in it needs none, too', async ({
  page,
}) => {
  const loaded = watch(page)
  await page.goto('/datasets', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 2, name: 'Company Leads' })).toBeVisible()
  const all = await loaded()
  expect(all.filter(isScript)).toEqual([])
  expect(total(all)).toBeLessThanOrEqual(120_000)
  expect(await page.evaluate(movedByItself)).toBe(0)
  await page.goto('/data-marketplace/daily-shop-prices', { waitUntil: 'networkidle' })
  expect((await loaded()).filter(isScript)).toEqual([])
})

test('type that arrives late moves nothing', async ({ page }) => {
  await page.route('**/*.woff2', async (route) => {
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await route.continue()
  })
  for (const path of ['/', '/contact', '/services']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect([path, await page.evaluate(movedByItself)]).toEqual([path, 0])
  }
})

for (const { path } of Object.values(forms)) {
  test(`${path} sends at most 5 kB of script until someone touches its form, and at most 80 kB then`, async ({ page }) => {
    const loaded = watch(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    const asleep = total((await loaded()).filter(isScript))
    expect(asleep).toBeGreaterThan(100)
    expect(asleep).toBeLessThanOrEqual(5000)

    await page.getByLabel('Name', { exact: true }).focus()
    await expect(page.locator('[data-island][data-awake="yes"]')).toHaveCount(1)
    await page.waitForLoadState('networkidle')
    expect(total((await loaded()).filter(isScript))).toBeLessThanOrEqual(80_000)
  })
}

type Loaded = { type: string; body: number; head: number }

/** The bytes that a page has transferred so far. */
function watch(page: Page): () => Promise<Loaded[]> {
  const all: Promise<Loaded>[] = []
  page.on('requestfinished', (request) => {
    const type = request.resourceType()
    const weighed = request.sizes().then(({ responseBodySize: body, responseHeadersSize: head }) => ({ type, body, head }))
    // A response that ends while the page closes has no size, and is irrelevant.
    all.push(weighed.catch((error: unknown) => (page.isClosed() ? { type, body: 0, head: 0 } : Promise.reject(error))))
  })
  return () => Promise.all(all)
}

const isScript = ({ type }: Loaded) => type === 'script'

/** Scripts count by body, a whole visit with headers. */
function total(loaded: Loaded[]): number {
  const withHeads = !loaded.every(isScript)
  return loaded.reduce((sum, { body, head }) => sum + body + (withHeads ? head : 0), 0)
}

/** Runs in the browser: the layout shift of the page without interaction. */
function movedByItself(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += 'value' in entry && typeof entry.value === 'number' ? entry.value : 0
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 100)
  })
}
