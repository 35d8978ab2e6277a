import type { Page } from '@playwright/test'
import { faultsOf } from './faults.ts'
import { expect } from './fixtures.ts'

/** No fault of accessibility on what is shown now, in light and in dark. */
export async function expectSound(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // What is on its way is shown paler, and soon no longer there.
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const violations = await faultsOf(page)
    expect.soft(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])).toEqual([])
  }
}
