import type { Page } from '@playwright/test'
import { colorRules, faultsOf } from './faults.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { firstReference, sendEnquiry, signInAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

const account = ['/login?mode=sign-up', '/login/forgot-password', '/login/confirm', '/login/new-password', '/login/code', '/dev/mail']
const signedIn = [
  '/',
  '/dashboard',
  '/dashboard?tab=consultations',
  '/dashboard/letters',
  '/data-marketplace',
  '/account',
  '/account/security',
  '/account/devices',
  '/account/data',
  '/account/keys',
  '/account/notifications',
  '/notifications',
  '/leads',
  '/leads/inbox',
  '/leads/import',
  '/leads/stages',
  '/admin/calendar',
  '/admin/newsletter',
  '/admin/settings',
  '/admin/webhooks',
  '/admin/blog',
  '/admin/blog?new=post',
  '/admin/users',
  '/admin/users?tab=requests',
  '/admin/users?tab=audit',
  '/admin/redirects',
  '/admin/redirects?tab=missing',
  '/admin/products',
  '/admin/products?new=product',
  '/contact',
  '/login/sign-out',
]

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(300_000)

const halves = { 'pages for everyone': signedIn.filter((path) => !isForStaff(path)), 'pages for staff': signedIn.filter(isForStaff) }

test('the way into the workspace has no accessibility fault and keeps its content policy, on a phone and on a desk', async ({ page }) => {
  const violations = await watchPolicy(page)
  for (const path of account) await expectSound(page, path)
  expect(violations()).toEqual([])
})

for (const [half, paths] of Object.entries(halves)) {
  test(`the ${half} have no accessibility fault and keep their content policy, on a phone and on a desk`, async ({ page }) => {
    const violations = await watchPolicy(page)
    await sendEnquiry(page)
    await expect(page.getByText(/Your reference number is W-/)).toBeVisible()
    await signInAsOwner(page)
    const lead = half === 'pages for staff' ? [`/leads/${await firstReference(page)}`] : []
    for (const path of [...paths, ...lead]) await expectSound(page, path)
    expect(violations()).toEqual([])
  })
}

function isForStaff(path: string): boolean {
  return path.startsWith('/admin') || path.startsWith('/leads')
}

/** Only the style differs by width and color scheme, so a page is loaded once. */
async function expectSound(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading', { exact: false })).toHaveCount(0)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${path}, ${width} px, ${colorScheme}`
      await page.emulateMedia({ colorScheme })
      const violations = await faultsOf(page, { iframes: false, ...(colorScheme === 'dark' && { rules: colorRules }) })
      const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
      expect.soft(faults, `faults of ${where}`).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect.soft(overflow, `${where}, is wider than the window`).toBeLessThanOrEqual(0)
    }
  }
}
