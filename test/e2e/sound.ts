import type { Page } from '@playwright/test'
import { byLength, inTurn } from '#test/length.ts'
import { colorRules, faultsOf, type Look } from './faults.ts'
import { expect } from './fixtures.ts'

type ColorScheme = 'light' | 'dark'

const schemes: ColorScheme[] = ['light', 'dark']
/** Nothing behind it can be reached, and the page was looked at before. */
const MODAL = 'dialog:modal'
const turns = new WeakMap<Page, () => ColorScheme[]>()

/** Expects no accessibility fault on the current page: at full length in light and in dark, else in one of them, in turn. */
export async function expectSound(page: Page) {
  const next = turns.get(page) ?? inTurn(schemes, 1)
  turns.set(page, next)
  const chosen = next()
  for (const colorScheme of chosen) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await untilStill(page)
    const isModal = (await page.locator(MODAL).count()) > 0
    const violations = await faultsOf(page, { ...rulesFor(colorScheme, chosen), ...(isModal && { part: MODAL }) })
    expect.soft(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])).toEqual([])
  }
}

/**
 * Expects that the page is at no width wider than the window, and has no accessibility fault: at full length at each width in both color schemes,
 * else at the first width in light and at the last in dark. Only the style differs, so the page is loaded once. If only a part of the page has
 * changed, the first look is at all of it, because the part may overlap or clash with the rest.
 */
export async function expectSoundAt(page: Page, where: string, widths: number[], { part, ...look }: Look = {}) {
  const [narrowest, widest] = [widths[0], widths.at(-1)]
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    expect.soft([where, width, (await pageWidth(page)) - width]).toEqual([where, width, 0])
    const short = schemes.filter((scheme) => width === (scheme === 'light' ? narrowest : widest))
    const chosen = byLength(short, schemes)
    for (const colorScheme of chosen) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await untilStill(page)
      const isFirst = width === narrowest && colorScheme === 'light'
      const violations = await faultsOf(page, { ...look, ...rulesFor(colorScheme, chosen), ...(part && !isFirst && { part }) })
      const faults = violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => String(target)).join(', ')}`)
      expect.soft([where, width, colorScheme, ...faults]).toEqual([where, width, colorScheme])
    }
  }
}

/** Expects that nothing has moved on the current page since it began to load, but what a person's own input moves. */
export async function expectStill(page: Page, where: string, most: number) {
  expect.soft(await page.evaluate(layoutShift), `layout shift of ${where}`).toBeLessThanOrEqual(most)
}

/** Runs in the browser: the layout shift of the page so far. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    const watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += 'value' in entry && typeof entry.value === 'number' ? entry.value : 0
    })
    watch.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 50)
  })
}

/** Elements in transition are paler than they will be. */
function untilStill(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    return Promise.allSettled(transitions.map(async ({ finished }) => void (await finished)))
  })
}

/** After all rules in light, dark needs only those that read colors. */
function rulesFor(colorScheme: ColorScheme, chosen: ColorScheme[]): Look {
  return colorScheme === 'dark' && chosen.includes('light') ? { rules: colorRules } : {}
}

function pageWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}
