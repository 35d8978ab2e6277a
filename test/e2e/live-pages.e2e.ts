import type { Page } from '@playwright/test'
import { htmlFaults } from '#test/html-rules.ts'
import { workspacePages } from '#test/workspace-pages.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { firstReference, publishDataset, sendEnquiry, signInAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

// Far from the zone of the server: a time that both wrote in their own would not be the same text.
const timezoneId = 'Asia/Kathmandu'
test.use({ viewport: { width: 1280, height: 844 }, timezoneId })
test.setTimeout(240_000)

const csv = ['shop,price', ...Array.from({ length: 300 }, (_, at) => `Shop ${at % 3},${(at + 1) / 2}`)].join('\n')
const paths = [...workspacePages, '/data-marketplace/live-prices', '/data-marketplace/live-prices/query']

/** An export of one post, as WordPress writes it. */
const wxr = `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:wp="w"><channel><item><title>From before</title><link>https://old.example/from-before/</link>
<content:encoded><![CDATA[<p>Read <img src="https://old.example/wp-content/uploads/a.png" alt="A"></p>]]></content:encoded>
<wp:post_id>1</wp:post_id><wp:post_date_gmt>2024-05-01 08:30:00</wp:post_date_gmt><wp:post_name>from-before</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`

/** The code editor replaces a text field: its element is not native, its label still names it, and it contains an empty image as a spacer. */
const OF_EDITOR = /^(?:prefer-native-element: .*<textarea>|valid-for: |element-required-attributes: <img>.*#field-content)/

async function faultsOf(page: Page): Promise<string[]> {
  return (await htmlFaults(await page.content())).filter((fault) => !OF_EDITOR.test(fault))
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading', { exact: false })).toHaveCount(0)
  // The bar at the top is no element of the page at rest.
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0)
}

test('live pages are valid HTML in the browser, hydrate without an error, and no style or script of theirs is refused by their policy', async ({
  page,
}) => {
  const violations = await watchPolicy(page)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await sendEnquiry(page)
  await expect(page.getByText(/Your reference number is W-/)).toBeVisible()
  await signInAsOwner(page)
  await publishDataset(page, csv, 'live-prices')
  for (const path of [...paths, `/leads/${await firstReference(page)}`]) {
    await open(page, path)
    expect.soft(await faultsOf(page), path).toEqual([])
  }
  await open(page, '/admin/blog')
  await page.getByRole('button', { name: 'Account of Olive' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New Post' }).click()
  await expect(page.locator('.cm-content')).toBeVisible()
  await expect(page.locator('.cm-content')).toHaveCSS('white-space', 'break-spaces')
  expect.soft(await faultsOf(page)).toEqual([])
  expect(violations()).toEqual([])
  expect(errors).toEqual([])
})

test('the Home menu can be hit at every width at which it is shown, and no header is wider than the window', async ({ page }) => {
  await signInAsOwner(page)
  const places = ['/dashboard', '/services', '/dev/mail'].flatMap((path) => [768, 1024, 1280, 1440].map((width) => ({ path, width })))
  for (const { path, width } of places) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(path)
    const box = await page.getByRole('button', { name: 'Home menu' }).boundingBox()
    expect.soft([path, width, Math.min(box?.width ?? 0, box?.height ?? 0) >= 24]).toEqual([path, width, true])
    expect.soft([path, width, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([path, width, true])
  }
})

test('posts of WordPress are looked at, then imported, and their old addresses lead to them', async ({ page }) => {
  await signInAsOwner(page)
  await open(page, '/admin/blog')
  await page.getByRole('button', { name: /^Import/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Import posts' })
  await dialog.getByLabel('File').setInputFiles({ name: 'old.xml', mimeType: 'text/xml', buffer: Buffer.from(wxr) })
  await expect(dialog.getByText('1 file: 1 new')).toBeVisible()
  await expect(dialog.getByText('301 from /from-before/')).toBeVisible()
  await expect(dialog.getByText('This image is not in the archive; its URL stays.')).toBeVisible()
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText('1 file: 1 imported')).toBeVisible()
  await page.goto('/from-before/')
  await expect(page).toHaveURL('/blog/from-before')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('From before')
})
