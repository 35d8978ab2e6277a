import type { Locator } from '@playwright/test'
import { atLength } from '#test/length.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { cutPlaceholders } from './legible.ts'
import { enterAsOwner, signInAsOwner } from './steps.ts'

test('the tools of the post editor are one row at 360 px, each within reach of the arrow keys and as large as a finger', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signInAsOwner(page)
  await page.goto('/admin/blog?new=post')
  const tools = page.getByRole('toolbar', { name: 'Formatting' })
  await expect(tools.getByRole('button', { name: 'Image' })).toBeVisible()
  const all = await tools.getByRole('button').all()
  expect(all.length).toBeGreaterThan(8)
  const tops = await Promise.all(all.map(async (tool) => (await tool.boundingBox())?.y))
  expect(new Set(tops).size).toBe(1)
  for (const tool of [...all, page.getByRole('button', { name: 'Write', exact: true }), page.getByRole('button', { name: 'Preview' })])
    expect((await tool.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await expect(inSight(tools, all.at(-1))).resolves.toBe(false)
  await all[0]?.focus()
  for (const tool of all) {
    await expect(tool).toBeFocused()
    await expect.poll(async () => inSight(tools, tool)).toBe(true)
    await page.keyboard.press('ArrowRight')
  }
  await expect(all[0] ?? tools).toBeFocused()
  await context.close()
})

test('no search field of the workspace cuts the words that say what it finds', atLength, async ({ page }) => {
  await signInAsOwner(page)
  for (const path of [
    '/dashboard?q=shop',
    '/dashboard?tab=consultations&q=shop',
    '/leads',
    '/data-marketplace',
    '/admin/blog',
    '/admin/newsletter?state=active',
    '/admin/redirects?show=active',
    '/admin/products?show=hidden',
    '/admin/users',
    '/admin/users?tab=audit',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('searchbox').first()).toBeVisible()
    for (const width of [360, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect.soft([path, width, ...(await page.evaluate(cutPlaceholders))]).toEqual([path, width])
    }
  }
})

test('on a phone the row of account pages shows the one that is open', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await signInAsOwner(page)
  await page.goto('/account/data')
  const places = page.getByRole('navigation', { name: 'Account' })
  const open = places.getByRole('link', { name: 'Your data' })
  await expect(open).toHaveAttribute('aria-current', 'page')
  await expect.poll(async () => inSight(places, open)).toBe(true)
})

test('on a phone the row of tabs shows the one that is open, by its address and by keys', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await enterAsOwner(page, '/admin/billing?tab=tasks')
  const tabs = page.getByRole('tablist')
  const expectShown = async (name: string) => {
    const tab = tabs.getByRole('tab', { name, selected: true })
    await expect(tab).toBeEnabled()
    await expect.poll(async () => inSight(tabs, tab)).toBe(true)
  }
  await expectShown('To decide')
  await tabs.getByRole('tab', { name: 'To decide' }).press('End')
  await expectShown('Months')
  await tabs.getByRole('tab', { name: 'Months' }).press('Home')
  await expectShown('Orders')
})

/** Whether an element lies within the seen part of its frame. */
async function inSight(frame: Locator, element: Locator | undefined): Promise<boolean> {
  const [around, box] = [await frame.boundingBox(), await element?.boundingBox()]
  return around !== null && box !== null && box !== undefined && box.x >= around.x - 1 && box.x + box.width <= around.x + around.width + 1
}
