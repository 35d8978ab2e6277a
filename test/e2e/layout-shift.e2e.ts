import type { Page } from '@playwright/test'
import { atLength } from '#test/length.ts'
import { expect, test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })

type Shift = { value: number; what: string[] }
declare global {
  interface Window {
    shifts: Shift[]
  }
}

/** Notes each movement of what is already shown, with the elements that moved. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    window.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!('value' in entry) || !('sources' in entry) || !Array.isArray(entry.sources)) continue
        const what = entry.sources.map(({ node }: { node: unknown }) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : String(node),
        )
        window.shifts.push({ value: Number(entry.value), what })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The movements of a page from its first paint until its last part has loaded. */
async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.goto(path)
  await expect(page.locator('.animate-pulse, .animate-spin')).toHaveCount(0)
  await page.waitForTimeout(2000)
  return page.evaluate(() => window.shifts)
}

test('nothing moves while the dashboard and the local emails load, on a phone and on a desk', atLength, async ({ page }) => {
  await signInAsOwner(page)
  const text = 'Name,Email,Country,Problem\nAda,ada@analytical.example,France,Prices\nGrace,grace@navy.example,Italy,Ports'
  const data = { text, title: 'Test', known: 'add' }
  const reply = await page.request.post('/api/leads/import?dry=false', { data, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.status()).toBe(200)
  await watchShifts(page)
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    for (const path of ['/dashboard', '/leads', '/dev/mail']) {
      const shifts = await shiftsOf(page, path)
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      expect.soft(sum, `${path} at ${viewport.width}: ${JSON.stringify(shifts, null, 1)}`).toBeLessThan(0.01)
    }
  }
})
