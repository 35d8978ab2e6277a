import type { Page } from '@playwright/test'
import { htmlFaults } from '#test/html-rules.ts'
import { workspacePages } from '#test/workspace-pages.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { cutPlaceholders } from './legible.ts'
import { expectSoundAt, expectStill } from './sound.ts'
import { firstReference, publishDataset, postEnquiry, signInAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

const account = ['/login?mode=sign-up', '/login/forgot-password', '/login/confirm', '/login/new-password', '/login/code', '/dev/mail']
const signedIn = [
  ...workspacePages,
  '/data-marketplace/live-prices',
  '/data-marketplace/live-prices/query',
  '/dashboard?tab=consultations',
  '/admin/blog?new=post',
  '/admin/users?tab=requests',
  '/admin/users?tab=audit',
  '/admin/redirects?tab=missing',
  '/admin/products?new=product',
  '/login/sign-out',
]
const csv = ['shop,price', ...Array.from({ length: 300 }, (_, at) => `Shop ${at % 3},${(at + 1) / 2}`)].join('\n')

// Far from the zone of the server: a time that both wrote in their own would not be the same text.
test.use({ contextOptions: { reducedMotion: 'reduce' }, timezoneId: 'Asia/Kathmandu' })
test.setTimeout(300_000)

test('the way into the workspace has no accessibility fault and keeps its content policy, on a phone and on a desk', async ({ page }) => {
  const violations = await watchPolicy(page)
  for (const path of account) {
    await open(page, path)
    await expectSoundAt(page, path, [390, 1440], { iframes: false })
  }
  expect(violations()).toEqual([])
})

/** A page by itself, not one of its tabs or dialogs. */
const isPage = (path: string) => !path.includes('?')
const isOfLeads = (path: string) => path.startsWith('/leads')
const isOfAdmin = (path: string) => path.startsWith('/admin')

for (const [part, paths] of Object.entries({
  'pages for everyone': signedIn.filter((path) => !isOfLeads(path) && !isOfAdmin(path)),
  'pages of leads': signedIn.filter(isOfLeads),
  'pages of administration': signedIn.filter(isOfAdmin),
})) {
  test(`the ${part} are still while they load, hydrate without an error into valid HTML, keep their content policy, and have no accessibility fault on a phone and on a desk`, async ({
    page,
  }) => {
    const violations = await watchPolicy(page)
    await postEnquiry(page)
    await signInAsOwner(page)
    if (paths.some((path) => path.includes('/live-prices'))) await publishDataset(page, csv, 'live-prices')
    const lead = part === 'pages of leads' ? [`/leads/${await firstReference(page)}`] : []
    for (const path of [...paths, ...lead]) {
      await page.setViewportSize({ width: 390, height: 844 })
      await open(page, path)
      await expectStill(page, path, 0.02)
      if (isPage(path)) expect.soft(await faultsOf(page), path).toEqual([])
      expect.soft([path, ...(await page.evaluate(cutPlaceholders))]).toEqual([path])
      await expectSoundAt(page, path, [390, 1440], { iframes: false })
      expect.soft([path, ...(await page.evaluate(cutPlaceholders))]).toEqual([path])
    }
    expect(violations()).toEqual([])
  })
}

test('the editor of a new post is valid HTML and keeps its content policy', async ({ page }) => {
  const violations = await watchPolicy(page)
  await signInAsOwner(page)
  await open(page, '/admin/blog')
  await page.getByRole('button', { name: 'Account of Olive' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New Post' }).click()
  await expect(page.locator('.cm-content')).toBeVisible()
  await expect(page.locator('.cm-content')).toHaveCSS('white-space', 'break-spaces')
  expect(await faultsOf(page)).toEqual([])
  expect(violations()).toEqual([])
})

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading', { exact: false })).toHaveCount(0)
  // The bar at the top is no element of the page at rest.
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0)
}

/** The code editor replaces a text field: its element is not native, its label still names it, and it contains an empty image as a spacer. */
const OF_EDITOR = /^(?:prefer-native-element: .*<textarea>|valid-for: |element-required-attributes: <img>.*#field-content)/

async function faultsOf(page: Page): Promise<string[]> {
  return (await htmlFaults(await page.content())).filter((fault) => !OF_EDITOR.test(fault))
}
