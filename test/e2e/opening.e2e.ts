import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'

const contact = (page: Page) => page.locator('#contact')
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))
/** The number of parts that are not laid out yet. */
const waiting = (page: Page) => page.evaluate(partsWaiting)

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport })

    test('parts far below wait until the reader scrolls, and then all are laid out', async ({ page }) => {
      await page.goto('/')
      await expectFinalFonts(page)
      expect(await waiting(page)).toBeGreaterThan(5)
      await page.mouse.wheel(0, 10)
      await expect.poll(() => waiting(page)).toBe(0)
      const shown = await page
        .locator('main > *, footer')
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).contentVisibility))
      expect(shown).toEqual(Array.from({ length: 12 }, () => 'visible'))
    })

    test('a reload, or a return to the page, restores the position', async ({ page }) => {
      await page.goto('/')
      for (const again of [() => page.reload(), () => goAndComeBack(page)]) {
        await page.evaluate(() => window.scrollTo(0, 10))
        await expect.poll(() => waiting(page)).toBe(0)
        await contact(page).evaluate((section) => section.scrollIntoView())
        const before = await scrolled(page)
        expect(before).toBeGreaterThan(5000)
        await again()
        await expectNear(page, before)
        await expect(contact(page)).toBeInViewport()
        expect(await waiting(page)).toBe(0)
      }
    })

    test('an immediate long scroll, then leaving and returning, restores the position', async ({ page }) => {
      await page.goto('/')
      await page.mouse.move(viewport.width / 2, 400)
      for (let turn = 0; turn < 9; turn += 1) await page.mouse.wheel(0, 800)
      await expect.poll(() => scrolled(page)).toBeGreaterThan(5000)
      await expect.poll(() => waiting(page)).toBe(0)
      // A browser stores a position about a second after it has changed.
      await page.waitForTimeout(1500)
      const before = await scrolled(page)
      for (const again of [() => page.reload(), () => goAndComeBack(page), () => page.reload()]) {
        await again()
        await expectNear(page, before)
      }
    })

    test('a fragment or text fragment leads to its position', async ({ page }) => {
      for (const place of ['#contact', '#:~:text=One%20engineer%20is%20responsible']) {
        await page.goto('about:blank')
        await page.goto(`/${place}`)
        await expect.poll(() => scrolled(page)).toBeGreaterThan(5000)
        expect(await waiting(page)).toBe(0)
      }
    })

    test('all is laid out before a link to a place, or a key to the end, that is pressed at once', async ({ page }) => {
      await page.goto('/')
      expect(await waiting(page)).toBeGreaterThan(5)
      await page.locator('main a[href="#contact"]').first().click()
      expect(await waiting(page)).toBe(0)
      await expect.poll(async () => Math.round((await contact(page).boundingBox())?.y ?? 0)).toBe(96)

      await page.goto('about:blank')
      await page.goto('/')
      expect(await waiting(page)).toBeGreaterThan(5)
      await page.keyboard.press('End')
      expect(await waiting(page)).toBe(0)
      await expect(page.getByRole('contentinfo')).toBeInViewport()
    })
  })
}

/** Runs in the browser. */
function partsWaiting(): number {
  return document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'later').length
}

/** A paused animation holds the fallback fonts of each part. */
async function expectFinalFonts(page: Page) {
  const changing = () =>
    page.evaluate(() => document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'words-first').length)
  await expect.poll(changing).toBe(0)
  expect(
    await page.evaluate(() => [...document.fonts].filter(({ family }) => !family.includes('fallback')).map((font) => font.status)),
  ).toEqual(['loaded', 'loaded', 'loaded'])
  for (const [part, font] of [
    ['h1', 'Bricolage Grotesque'],
    ['header a', 'Inter'],
    ['.extraction', 'JetBrains Mono'],
  ] as const) {
    expect(
      await page
        .locator(part)
        .first()
        .evaluate((element) => getComputedStyle(element).fontFamily),
    ).toMatch(new RegExp(`^"?${font}`))
  }
}

/** Except for a line or two, which wrap differently until the font loads. */
async function expectNear(page: Page, before: number) {
  await expect.poll(async () => Math.abs((await scrolled(page)) - before)).toBeLessThan(60)
}

async function goAndComeBack(page: Page) {
  await page.goto('/terms-of-service')
  await page.goBack()
}
