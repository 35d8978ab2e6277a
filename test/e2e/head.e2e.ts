import type { Page } from '@playwright/test'
import { expect, readingTest as test, untilLive, workingTest } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

const hirePage = '/hire-web-scraping-developer'

/** The metadata in the head of the open page. */
function readHead(page: Page) {
  return page.evaluate(() => {
    const said = (selector: string, name: string) =>
      [...document.head.querySelectorAll(selector)].map((element) => element.getAttribute(name))
    return {
      title: document.title,
      description: said('meta[name="description"]', 'content'),
      keywords: said('meta[name="keywords"]', 'content'),
      canonical: said('link[rel="canonical"]', 'href').map((href) => new URL(href ?? '').pathname),
      pictures: said('meta[property="og:image"]', 'content').length,
      data: [...document.querySelectorAll('script[type="application/ld+json"]')].map(
        ({ textContent }): string => JSON.parse(textContent ?? '')['@type'],
      ),
    }
  })
}

test('the hire page has a head of its own when a link leads there, and its words leave with the visitor', async ({ page }) => {
  await page.goto('/dev/gallery')
  await untilLive(page)
  await page.evaluate(() => Object.assign(window, { kept: true }))

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Hire a Developer' }).click()
  await expect(page).toHaveURL(hirePage)
  await expect(page).toHaveTitle('Hire a web scraping developer | Winnow')
  const hire = await readHead(page)
  expect(hire.description).toEqual([expect.stringContaining('Hire a senior web scraping developer')])
  expect(hire.keywords).toEqual([expect.stringContaining('hire web scraping developer')])
  expect(hire).toMatchObject({ canonical: [hirePage], pictures: 1, data: ['Service', 'FAQPage', 'BreadcrumbList'] })

  await page.getByRole('banner').getByRole('link', { name: 'Winnow' }).click()
  await expect(page).toHaveURL('/')
  await expect(page).toHaveTitle('Web scraping and data extraction services | Winnow')
  const home = await readHead(page)
  expect(home.description).toEqual([expect.stringContaining('Competitor prices, leads and market data')])
  expect(home).toMatchObject({ keywords: [], canonical: ['/'], pictures: 1 })
  expect(home.data.slice(0, 2)).toEqual(['Organization', 'WebSite'])
  expect(await page.evaluate(() => 'kept' in window)).toBe(true)
})

test('in a live page every change of place begins at the top, with the focus in it: by a link, back and forward', async ({ page }) => {
  await page.goto('/dev/gallery')
  await untilLive(page)
  await page.evaluate(() => Object.assign(window, { kept: true }))
  const main = page.getByRole('main')
  const leave = async (go: () => Promise<unknown>, to: string) => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
    await go()
    await expect(page).toHaveURL(to)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(main).toBeFocused()
  }

  await leave(() => page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click(), '/about')
  await leave(() => page.getByRole('contentinfo').getByRole('link', { name: 'Case Studies' }).click(), '/case-studies')
  await leave(() => page.goBack(), '/about')
  await leave(() => page.goForward(), '/case-studies')
  expect(await page.evaluate(() => 'kept' in window)).toBe(true)
})

test('a link to a place in another page leads to that place', async ({ page }) => {
  await page.goto('/dev/gallery')
  await untilLive(page)
  await page.getByRole('banner').getByRole('link', { name: 'Winnow' }).click()
  await expect(page).toHaveURL('/')
  const story = page.getByRole('main').locator('a[href^="/case-studies#"]').first()
  const target = (await story.getAttribute('href'))?.split('#')[1] ?? ''
  await story.click()
  await expect(page.locator(`#${target}`)).toBeInViewport()
  await expect
    .poll(() => page.evaluate((id) => Math.round(document.getElementById(id)?.getBoundingClientRect().top ?? -1), target))
    .toBeLessThan(200)
})

test('every file that a head names is there, of the kind that it should be, and opens without a fault', async ({ page, request }) => {
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  for (const path of ['/', hirePage]) await page.goto(path, { waitUntil: 'networkidle' })
  expect(faults).toEqual([])

  const kinds = {
    '/favicon.ico': 'image/x-icon',
    '/apple-touch-icon.png': 'image/png',
    '/icon-32.ico': 'image/x-icon',
    '/icon-180.png': 'image/png',
    '/icon-192.png': 'image/png',
    '/icon-512.png': 'image/png',
    '/site.webmanifest': 'application/manifest+json',
    '/sitemap.xml': 'application/xml; charset=utf-8',
    '/robots.txt': 'text/plain; charset=utf-8',
    '/llms.txt': 'text/plain; charset=utf-8',
  }
  for (const [path, kind] of Object.entries(kinds)) {
    const answer = await request.get(path)
    expect([path, answer.status(), answer.headers()['content-type']]).toEqual([path, 200, kind])
  }
  for (const link of await page.locator('head link[rel~="icon"], head link[rel="apple-touch-icon"], head link[rel="manifest"]').all()) {
    expect((await request.get((await link.getAttribute('href')) ?? '')).status()).toBe(200)
  }
})

workingTest('a signed-in person gets the same head, and the page becomes live without an error', async ({ page }) => {
  await signInAsOwner(page)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', ({ message }) => faults.push(message))
  for (const path of ['/services', hirePage]) {
    await page.goto(path)
    await untilLive(page)
    const { canonical, pictures, data } = await readHead(page)
    expect([canonical, pictures, data.at(-1)]).toEqual([[path], 1, 'BreadcrumbList'])
  }
  expect(faults).toEqual([])
})

test('the picture of a page is drawn, and is a picture to a browser', async ({ page }) => {
  await page.goto('/services')
  const address = new URL((await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '').pathname
  await page.goto(address)
  expect(await page.locator('img').evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([1200, 630])
})

test('one page passes into the next by a transition, but for those who want less motion', async ({ page }) => {
  await page.goto('/')
  const rules = await page.evaluate(() => [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join(''))
  expect(rules).toMatch(/@media \(prefers-reduced-motion:\s*no-preference\)\s*\{\s*@view-transition\s*\{\s*navigation:\s*auto/)
})
