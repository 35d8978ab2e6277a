import type { Page } from '@playwright/test'
import { colorRules, faultsOf } from './faults.ts'
import { expect } from './fixtures.ts'

/** Expects no accessibility fault on the current page, in light and in dark. */
export async function expectSound(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Elements in transition are paler, and soon gone.
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const violations = await faultsOf(page, colorScheme === 'dark' ? { rules: colorRules } : {})
    expect.soft(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])).toEqual([])
  }
}
