import type { Page } from '@playwright/test'
import { workspacePages } from '#test/workspace-pages.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSoundAt } from './sound.ts'
import { firstReference, sendEnquiry, signInAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

const account = ['/login?mode=sign-up', '/login/forgot-password', '/login/confirm', '/login/new-password', '/login/code', '/dev/mail']
const signedIn = [
  ...workspacePages,
  '/dashboard?tab=consultations',
  '/admin/blog?new=post',
  '/admin/users?tab=requests',
  '/admin/users?tab=audit',
  '/admin/redirects?tab=missing',
  '/admin/products?new=product',
  '/login/sign-out',
]

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(300_000)

const halves = { 'pages for everyone': signedIn.filter((path) => !isForStaff(path)), 'pages for staff': signedIn.filter(isForStaff) }

test('the way into the workspace has no accessibility fault and keeps its content policy, on a phone and on a desk', async ({ page }) => {
  const violations = await watchPolicy(page)
  for (const path of account) await openAndCheck(page, path)
  expect(violations()).toEqual([])
})

for (const [half, paths] of Object.entries(halves)) {
  test(`the ${half} have no accessibility fault and keep their content policy, on a phone and on a desk`, async ({ page }) => {
    const violations = await watchPolicy(page)
    await sendEnquiry(page)
    await expect(page.getByText(/Your reference number is W-/)).toBeVisible()
    await signInAsOwner(page)
    const lead = half === 'pages for staff' ? [`/leads/${await firstReference(page)}`] : []
    for (const path of [...paths, ...lead]) await openAndCheck(page, path)
    expect(violations()).toEqual([])
  })
}

function isForStaff(path: string): boolean {
  return path.startsWith('/admin') || path.startsWith('/leads')
}

async function openAndCheck(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading', { exact: false })).toHaveCount(0)
  await expectSoundAt(page, path, [390, 1440], { iframes: false })
}
