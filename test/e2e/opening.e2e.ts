import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'

const contact = (page: Page) => page.locator('#contact')
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))
/** The number of deferred parts in this document, and of those laid out. */
const turns = (page: Page) => page.evaluate(() => window.turns)

declare global {
  interface Window {
    turns: { begun: number; ended: number }
  }
}

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    window.turns = { begun: 0, ended: 0 }
    const count = (name: 'begun' | 'ended') => (event: AnimationEvent) => {
      if (event.animationName === 'later') window.turns[name] += 1
    }
    addEventListener('animationstart', count('begun'))
    for (const end of ['animationend', 'animationcancel'] as const) addEventListener(end, count('ended'))
  }),
)

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport })

    test('parts far below are laid out within seconds, and then have their heights', async ({ page }) => {
      await page.goto('/')
      await allLaidOut(page)
      const shown = await page
        .locator('main > *, footer')
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).contentVisibility))
      expect(shown).toEqual(Array.from({ length: 12 }, () => 'visible'))
    })

    test('a reload, or a return to the page, restores the position', async ({ page }) => {
      await page.goto('/')
      await allLaidOut(page)
      for (const again of [() => page.reload(), () => goAndComeBack(page)]) {
        await contact(page).evaluate((section) => section.scrollIntoView())
        const before = await scrolled(page)
        expect(before).toBeGreaterThan(5000)
        await again()
        await expectNear(page, before)
        await expect(contact(page)).toBeInViewport()
        expect(await turns(page)).toEqual({ begun: 0, ended: 0 })
      }
    })

    test('an immediate long scroll, then leaving and returning, restores the position', async ({ page }) => {
      await page.goto('/')
      await page.mouse.move(viewport.width / 2, 400)
      for (let turn = 0; turn < 9; turn += 1) await page.mouse.wheel(0, 800)
      await expect.poll(() => scrolled(page)).toBeGreaterThan(5000)
      await allLaidOut(page)
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
        expect(await turns(page)).toEqual({ begun: 0, ended: 0 })
      }
    })

    test('all is laid out before a link to a place, or a key to the end, that is pressed at once', async ({ page }) => {
      // So slow that no part is laid out automatically.
      const inspector = await page.context().newCDPSession(page)
      await inspector.send('Animation.enable')
      await inspector.send('Animation.setPlaybackRate', { playbackRate: 0.01 })
      await page.goto('/')
      expect(await page.evaluate(partsWaiting)).toBeGreaterThan(5)
      await page.locator('main a[href="#contact"]').first().click()
      expect(await page.evaluate(partsWaiting)).toBe(0)
      await expect.poll(async () => Math.round((await contact(page).boundingBox())?.y ?? 0)).toBe(96)

      await page.goto('about:blank')
      await page.goto('/')
      expect(await page.evaluate(partsWaiting)).toBeGreaterThan(5)
      await page.keyboard.press('End')
      expect(await page.evaluate(partsWaiting)).toBe(0)
      await expect(page.getByRole('contentinfo')).toBeInViewport()
    })
  })
}

/** Runs in the browser. */
function partsWaiting(): number {
  return document.getAnimations().filter((one) => 'animationName' in one && one.animationName === 'later').length
}

async function allLaidOut(page: Page) {
  await expect.poll(async () => (await turns(page)).ended).toBeGreaterThan(5)
  await expect.poll(async () => (await turns(page)).begun - (await turns(page)).ended).toBe(0)
}

/** Except for a line or two, which wrap differently until the font loads. */
async function expectNear(page: Page, before: number) {
  await expect.poll(async () => Math.abs((await scrolled(page)) - before)).toBeLessThan(60)
}

async function goAndComeBack(page: Page) {
  await page.goto('/terms-of-service')
  await page.goBack()
}
