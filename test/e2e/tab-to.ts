import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Presses Tab until something has the focus; each stop on the way must show the focus, and not be under the header. */
export async function tabTo(page: Page, goal: Locator) {
  for (let stops = 0; stops < 60; stops += 1) {
    if (await goal.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    // A drawer that slides in, or a page that scrolls, needs a moment.
    await expect.poll(() => focusSeen(page)).toEqual({ outlined: true, inView: true })
  }
  throw new Error('Tab does not lead there.')
}

function focusSeen(page: Page) {
  return page.locator(':focus').evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { x, y, width, height } = element.getBoundingClientRect()
    const [middle, centre] = [x + width / 2, y + Math.min(height / 2, innerHeight / 2)]
    const top = document.elementFromPoint(middle, centre)
    return {
      outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
      inView: top !== null && (element.contains(top) || top.contains(element) || top.closest('label, li, details') !== null),
    }
  })
}
