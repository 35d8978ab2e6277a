import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, readingTest as test } from './fixtures.ts'

const hero = (page: Page) => page.locator('[data-motion]')
/** The events of a main thread that makes a frame. */
const WORK = new Set(['BeginMainThreadFrame', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize'])
const timeline = z.object({ traceEvents: z.array(z.object({ name: z.string() })) })

/** The animations of the hero that run. */
const running = (page: Page) =>
  hero(page).evaluate((element) => element.getAnimations({ subtree: true }).filter(({ playState }) => playState === 'running').length)

for (const viewport of [
  { width: 412, height: 823 },
  { width: 1440, height: 900 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport })

    test('while the hero moves, the main thread makes no frame and calculates neither styles nor layout', async ({ page, browser }) => {
      // On a busy machine, the page may settle only when the animation is over.
      await expect(async () => {
        await page.goto('/')
        await untilFontsChanged(page)
        await page.waitForTimeout(500)
        await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame'] })
        await page.waitForTimeout(2000)
        const trace = timeline.parse(JSON.parse((await browser.stopTracing()).toString()))
        // To ask for them costs styles, so it comes last.
        expect(await running(page)).toBeGreaterThan(8)
        const names = trace.traceEvents.map(({ name }) => name)
        expect(names.filter((name) => name === 'DrawFrame').length).toBeGreaterThan(10)
        expect(names.filter((name) => WORK.has(name))).toEqual([])
      }).toPass({ timeout: 40_000 })
    })

    test('the hero is paused out of view, and continues when it is seen again', async ({ page }) => {
      await page.goto('/')
      await expect.poll(() => running(page)).toBeGreaterThan(8)
      await hero(page).evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().bottom + 50))
      await expect.poll(() => running(page)).toBe(0)
      const time = () => hero(page).evaluate((element) => element.getAnimations({ subtree: true }).map(({ currentTime }) => currentTime))
      const stopped = await time()
      expect(stopped.length).toBeGreaterThan(8)
      await page.waitForTimeout(300)
      expect(await time()).toEqual(stopped)
      await page.evaluate(() => window.scrollTo(0, 0))
      await expect.poll(() => running(page)).toBeGreaterThan(8)
    })
  })
}

test('for a person who prefers less motion, the hero is complete from the beginning', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await untilFontsChanged(page)
  expect(await hero(page).evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0)
  for (const row of await hero(page).locator('.extraction-row').all()) await expect(row).toHaveCSS('transform', 'none')
})

async function untilFontsChanged(page: Page) {
  await page.evaluate(async () => void (await document.fonts.ready))
}
