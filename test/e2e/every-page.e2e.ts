import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'
import { forms } from './forms.ts'
import { cutWords, overlaps } from './legible.ts'
import { expectSoundAt, expectStill } from './sound.ts'

const withForm = Object.values(forms).map(({ path }) => path)
const others = [
  '/services',
  '/case-studies',
  '/about',
  '/datasets',
  '/blog',
  '/blog/files-or-an-api',
  '/developers',
  '/developers/endpoints',
  '/developers/guide',
  '/developers/errors',
  '/developers/changelog',
  '/book',
  '/booking-success',
  '/privacy-policy',
  '/terms-of-service',
  '/cookie-policy',
  '/login',
  '/login/code',
  '/nowhere',
]
const widths = [320, 390, 768, 1440]

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(300_000)

const GALLERY = '/dev/gallery'
/** They are React from the beginning, with the styles of the workspace. */
const live = new Set([GALLERY, '/login', '/login/code'])
/** They have nothing to be filled in, and so no script. */
const without = new Set(['/services', '/case-studies', '/about', '/booking-success', '/terms-of-service', '/datasets', '/nowhere'])

for (const [half, paths] of Object.entries({
  'pages with a form': withForm,
  'shorter pages': others.slice(0, 6),
  'documents for programmers': others.slice(6, 12),
  'legal texts and the rest': [...others.slice(12), GALLERY],
})) {
  test(`${half} are light, shown at once, still while they load, accessible at every width in light and dark, and legible in text of twice the size`, async ({
    page,
  }) => {
    const browser = await page.context().newCDPSession(page)
    let fonts = 0
    let asked: string[] = []
    page.on('request', (request) => asked.push(request.resourceType()))
    page.on('response', (response) => {
      if (response.url().endsWith('.woff2')) fonts += Number(response.headers()['content-length'])
    })
    // Each page is opened once, because to open it takes longer than most looks at it.
    for (const path of paths) {
      await page.setViewportSize({ width: 320, height: 640 })
      fonts = 0
      asked = []
      await page.goto(path, { waitUntil: 'networkidle' })
      if (!live.has(path)) await expectImmediate(page, path, asked)
      if (without.has(path)) expect.soft([path, ...asked]).not.toContain('script')
      await expectStill(page, path, 0.01)
      expect.soft(fonts, path).toBeGreaterThan(0)
      expect.soft(fonts, path).toBeLessThanOrEqual(60_000)
      await expectSoundAt(page, path, widths)
      if (path === GALLERY) continue
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
      await expectLegible(page, path)
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    }
  })
}

test('on paper a legal text and the case studies are text and charts alone, dark on white', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const path of ['/terms-of-service', '/case-studies']) {
    await page.goto(path)
    for (const part of ['body > header', 'body > footer', 'main nav']) await expect(page.locator(part).first()).toBeHidden()
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
  }
})

/** Nothing stands between the first answer and the first picture: styles come inside, and no script blocks. */
async function expectImmediate(page: Page, path: string, asked: string[]) {
  expect.soft([path, ...asked]).not.toContain('stylesheet')
  expect.soft([path, await page.locator('link[rel=stylesheet], script[src]:not([type=module])').count()]).toEqual([path, 0])
  await expect.soft(page.locator('body')).toHaveCSS('display', 'flex')
}

/** Nothing is cut, lies over another word, or makes the page wider. */
async function expectLegible(page: Page, path: string) {
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  // A key lets the parts further down be laid out (opening.e2e.ts).
  await page.keyboard.press('Shift')
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft([path, width, await page.evaluate(cutWords)]).toEqual([path, width, []])
    expect.soft([path, width, await page.evaluate(overlaps)]).toEqual([path, width, []])
    expect.soft([path, width, await pageWidth(page)]).toEqual([path, width, width])
  }
}

function pageWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}
