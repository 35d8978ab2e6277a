import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'

const contact = (page: Page) => page.locator('#contact')
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport })

    test('a page is shown in its own fonts', async ({ page }) => {
      await page.goto('/')
      await expect
        .poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)))
        .toEqual(expect.arrayContaining(['Bricolage Grotesque', 'Inter', 'JetBrains Mono']))
    })

    test('a reload, or a return to the page, restores the position', async ({ page }) => {
      await page.goto('/')
      for (const again of [() => page.reload(), () => goAndComeBack(page)]) {
        await contact(page).evaluate((section) => section.scrollIntoView())
        const before = await scrolled(page)
        expect(before).toBeGreaterThan(5000)
        await again()
        await expectNear(page, before)
        await expect(contact(page)).toBeInViewport()
      }
    })

    test('an immediate long scroll, then leaving and returning, restores the position', async ({ page }) => {
      await page.goto('/')
      await page.mouse.move(viewport.width / 2, 400)
      for (let turn = 0; turn < 9; turn += 1) await page.mouse.wheel(0, 800)
      await expect.poll(() => scrolled(page)).toBeGreaterThan(5000)
      // A browser stores a position about a second after it has changed.
      await page.waitForTimeout(1500)
      const before = await scrolled(page)
      for (const again of [() => page.reload(), () => goAndComeBack(page), () => page.reload()]) {
        await again()
        await expectNear(page, before)
      }
    })

    test('a text fragment leads to its position', async ({ page }) => {
      await page.goto('/#:~:text=One%20engineer%20is%20responsible')
      await expect.poll(() => scrolled(page)).toBeGreaterThan(5000)
    })

    test('a link to a place, or a key to the end, that is pressed at once leads there', async ({ page }) => {
      await page.goto('/')
      await page.locator('main a[href="#contact"]').first().click()
      await expect.poll(async () => Math.round((await contact(page).boundingBox())?.y ?? 0)).toBe(96)

      await page.goto('about:blank')
      await page.goto('/')
      // On a busy processor, Chromium drops the scroll of a key in about one of fifty loads, and a person presses again.
      await expect(async () => {
        await page.keyboard.press('End')
        await expect(page.getByRole('contentinfo')).toBeInViewport({ timeout: 5000 })
      }).toPass()
    })
  })
}

/** Except for a line or two, which wrap differently until the font loads. */
async function expectNear(page: Page, before: number) {
  await expect.poll(async () => Math.abs((await scrolled(page)) - before)).toBeLessThan(60)
}

async function goAndComeBack(page: Page) {
  await page.goto('/terms-of-service')
  await page.goBack()
}
