import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsOwner } from './steps.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const rows = (page: Page) => page.getByRole('list', { name: 'Redirects' }).getByRole('listitem')
const order = (page: Page) =>
  rows(page).evaluateAll((items) => items.map((item) => item.querySelector('[data-handle]')?.getAttribute('data-handle')))

async function create(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: 'New Redirect' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create New Redirect' })
  await form.getByLabel('From path').fill(from)
  await form.getByLabel('To path').fill(to)
  await form.getByRole('button', { name: 'Create' }).click()
  return form
}

test('redirects are created, lead visitors, change their order, are tested, and are deleted', async ({ page, request }) => {
  await enterAsOwner(page)
  await page.goto('/admin/redirects')
  await expect(page.getByText('No redirects configured yet. Create your first redirect to get started.')).toBeVisible()
  await expect(page.getByRole('heading', { name: '301 Redirects Guide' })).toBeVisible()
  await expectSound(page)

  const form = await create(page, 'old', '')
  await expect(notice(page).getByText('Invalid from path')).toBeVisible()
  await expect(form.getByText('From path must start with /').first()).toBeVisible()
  await expect(form.getByLabel('From path')).toBeFocused()
  await form.getByLabel('From path').fill('/old')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Invalid to path')).toBeVisible()
  await expectSound(page)
  await form.getByLabel('To path').fill('/about')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Redirect created successfully')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  const moved = await request.get('/old', { maxRedirects: 0 })
  expect([moved.status(), moved.headers()['location']]).toEqual([301, '/about'])

  await create(page, '/second', 'https://example.com/place')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).nth(1).getByRole('img', { name: 'Another site' })).toBeVisible()
  await create(page, '/third', '/contact')
  await expect(rows(page)).toHaveCount(3)
  await expectSound(page)

  await page.getByRole('button', { name: 'Move up /third' }).press('Enter')
  await expect(page.getByText('/third is now number 2 of 3.')).toBeAttached()
  expect(await order(page)).toEqual(['/old', '/third', '/second'])
  await page.getByRole('button', { name: 'Move to… /old' }).press('Enter')
  await page.getByRole('textbox', { name: 'Position' }).fill('3')
  await page.keyboard.press('Enter')
  await expect.poll(() => order(page)).toEqual(['/third', '/second', '/old'])

  await page.locator('[data-handle="/old"]').scrollIntoViewIfNeeded()
  const handle = await page.locator('[data-handle="/old"]').boundingBox()
  const first = await rows(page).first().boundingBox()
  if (!handle || !first) throw new Error('There is nothing to drag.')
  await page.mouse.move(handle.x + 10, handle.y + 10)
  await page.mouse.down()
  await page.mouse.move(first.x + 40, first.y + 6, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])
  await page.waitForLoadState('networkidle')
  await page.reload()
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])

  await rows(page).first().getByRole('button', { name: 'Delete /old' }).click()
  const ask = page.getByRole('dialog', { name: 'Are you sure you want to delete this redirect?' })
  await expectSound(page)
  await ask.getByRole('button', { name: 'Delete' }).click()
  await expect(notice(page).getByText('Redirect deleted successfully')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  expect((await request.get('/old', { maxRedirects: 0 })).status()).toBe(404)
})

test('a loop is refused with its path, a chain becomes one hop, and a file is looked at before it is imported', async ({
  page,
  request,
}) => {
  await enterAsOwner(page)
  await page.goto('/admin/redirects')
  await create(page, '/a', '/b')
  await expect(rows(page)).toHaveCount(1)

  const form = await create(page, '/b', '/a')
  await expect(form.getByRole('list', { name: 'Problems' })).toContainText('/b → /a → /b')
  await expect(notice(page).getByText('Error creating redirect')).toBeVisible()
  await expect(form.getByLabel('To path')).toHaveValue('/a')
  await form.getByLabel('To path').fill('/services')
  await expect(form.getByRole('list', { name: 'Problems' })).toContainText('Chain')
  await form.getByRole('button', { name: 'Create' }).click()
  await expectSound(page)
  await form.getByRole('button', { name: 'Create anyway' }).click()
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Test an address' }).click()
  const tester = page.getByRole('dialog', { name: 'Test an address' })
  await tester.getByLabel('Address').fill('/a?x=1')
  await tester.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(tester.getByText('Number 1 wins')).toBeVisible()
  await expect(tester.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(2)
  await expectSound(page)
  await tester.getByRole('button', { name: 'Collapse the chain' }).click()
  await expect(tester.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(1)
  await tester.getByRole('button', { name: 'Close' }).click()
  await expect(rows(page).first()).toContainText('/services')

  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import redirects' })
  const text = 'Redirect 301 /one.html /about\nRewriteCond %{HTTPS} off\nRedirect 301 /two.html /two.html\n'
  await dialog.getByLabel('File').setInputFiles({ name: '.htaccess', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await expect(dialog.getByLabel('Format')).toHaveValue('apache')
  await dialog.getByRole('button', { name: 'Look at it' }).click()
  await expect(dialog.getByRole('list', { name: 'Refused' })).toContainText('Line 2')
  await expect(dialog.getByRole('list', { name: 'Refused' })).toContainText('Conditions are not read')
  await expectSound(page)
  await expect(rows(page)).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Import 1 redirect' }).click()
  await expect(notice(page).getByText('1 redirect imported')).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
  expect((await request.get('/one.html', { maxRedirects: 0 })).headers()['location']).toBe('/about')

  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export redirects' }).getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^redirects-\d{4}-\d\d-\d\d\.csv$/)
})

test('what visitors do not find is listed, and becomes a redirect by one press', async ({ page, request }) => {
  await enterAsOwner(page)
  await page.goto('/admin/redirects?tab=missing')
  await expect(page.getByText('Nothing is missed')).toBeVisible()
  for (let visit = 0; visit < 2; visit += 1)
    expect((await request.get('/servces', { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150' } })).status()).toBe(404)
  await request.get('/wp-login', { headers: { 'user-agent': 'Googlebot/2.1' } })
  const paths = page.getByRole('list', { name: 'Paths not found' }).getByRole('listitem')
  await expect(async () => {
    await page.reload()
    await expect(paths).toHaveCount(2, { timeout: 1000 })
  }).toPass()
  await expect(paths.first()).toContainText('2 visits')
  await expect(paths.nth(1)).toContainText('1 by a bot')
  await expectSound(page)

  await page.getByLabel('Asked for by').selectOption('people')
  await expect(paths).toHaveCount(1)
  await page.getByLabel('Asked for by').selectOption('')
  await page.getByRole('button', { name: 'Ignore /wp-login' }).press('Enter')
  await expect(paths).toHaveCount(1)
  await page.getByRole('button', { name: 'Redirect /servces' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Create New Redirect' })
  await expect(form.getByLabel('From path')).toHaveValue('/servces')
  await expect(form.getByLabel('To path')).toHaveValue('/services')
  await form.getByRole('button', { name: 'Create' }).press('Enter')
  await expect(notice(page).getByText('Redirect created successfully')).toBeVisible()
  await expect(paths).toHaveCount(0)
  expect((await request.get('/servces', { maxRedirects: 0 })).headers()['location']).toBe('/services')
})
