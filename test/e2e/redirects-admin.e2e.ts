import type { Page } from '@playwright/test'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsOwner, lift, removeRedirects, signInAsOwner } from './steps.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const rows = (page: Page) => page.getByRole('table', { name: 'Redirects' }).locator('tbody').getByRole('row')
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

/** The page of an installation without redirects. */
async function enterWithout(page: Page) {
  await signInAsOwner(page)
  await removeRedirects(page)
  await page.goto('/admin/redirects')
}

test('staff create, reorder, test and delete redirects, and visitors follow them', async ({ page, request }) => {
  await enterWithout(page)
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

  await page.getByRole('button', { name: 'Move /third with the arrow keys' }).press('ArrowUp')
  await expect(page.getByText('/third is now number 2 of 3.')).toBeAttached()
  expect(await order(page)).toEqual(['/old', '/third', '/second'])
  await page.getByRole('button', { name: 'Move /third with the arrow keys' }).press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Move /third with the arrow keys' })).toBeFocused()
  await expect.poll(() => order(page)).toEqual(['/old', '/second', '/third'])
  // Lifted with Space; Escape leaves everything as it was.
  const third = page.getByRole('button', { name: 'Move /third with the arrow keys' })
  await lift(third)
  await expect(page.getByText('/third is at its own place.')).toBeAttached()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('/third is at /second.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('/third has not moved.')).toBeAttached()
  expect(await order(page)).toEqual(['/old', '/second', '/third'])
  await lift(third)
  await expect(page.getByText('/third is at its own place.')).toBeAttached()
  for (const over of ['/second', '/old']) {
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText(`/third is at ${over}.`)).toBeAttached()
  }
  await expectSound(page)
  await page.keyboard.press('Space')
  await expect.poll(() => order(page)).toEqual(['/third', '/old', '/second'])
  await expect(third).toBeFocused()
  await third.press('ArrowDown')
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])
  await third.press('ArrowDown')
  await expect.poll(() => order(page)).toEqual(['/old', '/second', '/third'])

  await page.getByRole('button', { name: 'More actions for /third' }).press('Enter')
  await expectSound(page)
  await page.getByRole('menuitem', { name: 'Move up' }).press('Enter')
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])
  await page.getByRole('button', { name: 'More actions for /old' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter')
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
  const saved = page.waitForResponse(/\/api\/redirects\/order$/)
  await page.mouse.up()
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])
  await saved
  await page.reload()
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])

  await rows(page).first().getByRole('button', { name: 'Delete /old' }).click()
  const ask = page.getByRole('dialog', { name: 'Are you sure you want to delete this redirect?' })
  await expectSound(page)
  await ask.getByRole('button', { name: 'Delete' }).click()
  await expect(notice(page).getByText('Redirect deleted successfully')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  expect((await request.get('/old', { maxRedirects: 0 })).status()).toBe(404)
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => order(page)).toEqual(['/old', '/third', '/second'])
  await expect(notice(page).getByText('Undone')).toBeVisible()
  expect((await request.get('/old', { maxRedirects: 0 })).status()).toBe(301)
})

test('one redirect with a query is taken, told by its description, and changed by the requests that the API describes', async ({
  page,
  request,
}) => {
  const calls: string[] = []
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (/^\/api\/redirects(\/(?!check$)[^/]+)?$/.test(pathname) && sent.method() !== 'GET') calls.push(`${sent.method()} ${pathname}`)
  })
  await enterWithout(page)
  await page.getByRole('button', { name: 'New Redirect' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create New Redirect' })
  await form.getByLabel('From path').fill('/shop?id=7')
  await form.getByLabel('To path').fill('/about')
  await form.getByLabel('Description').fill('The shop of 2019')
  await expect(form.getByLabel('Query')).toHaveValue('contains')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Redirect created successfully')).toBeVisible()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(rows(page).getByText('The shop of 2019')).toBeVisible()
  }
  const moved = await request.get('/shop?utm_source=mail&id=7', { maxRedirects: 0 })
  expect([moved.status(), moved.headers()['location']]).toEqual([301, '/about?utm_source=mail'])

  await page.getByRole('button', { name: 'More actions for /shop?id=7' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(notice(page).getByText('Redirect updated successfully')).toBeVisible()
  const fail = { status: 503, contentType: 'application/problem+json', body: problemText }
  await page.route('**/api/redirects/*', (route) => (route.request().method() === 'DELETE' ? route.fulfill(fail) : route.continue()))
  const remove = async () => {
    await rows(page).first().getByRole('button', { name: 'Delete /shop?id=7' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  }
  await remove()
  await expect(notice(page).getByText('Error deleting redirect')).toBeVisible()
  await expect(notice(page).getByText('The database is restarting.')).toBeVisible()
  await page.unroute('**/api/redirects/*')
  await remove()
  await expect(notice(page).getByText('Redirect deleted successfully')).toBeVisible()
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(1)
  const id = await page.locator('[data-row]').getAttribute('data-row')
  const one = `/api/redirects/${id}`
  expect(calls).toEqual(['POST /api/redirects', `PUT ${one}`, `DELETE ${one}`, `DELETE ${one}`, 'POST /api/redirects/restore'])
})

const problemText = JSON.stringify({
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The database is restarting.',
  message: 'The database is restarting.',
})

test('several redirects are selected and changed at once, and Ctrl Z undoes it; a view and the columns are remembered', async ({
  page,
}) => {
  await enterWithout(page)
  for (const from of ['/a', '/b', '/c', '/d']) await create(page, from, '/about')
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('checkbox', { name: 'Select /b' }).click()
  await page.getByRole('checkbox', { name: 'Select /d' }).click({ modifiers: ['Shift'] })
  const selected = page.getByRole('region', { name: 'Selected rows' })
  await expect(selected.getByText('3 selected')).toBeVisible()
  await expectSound(page)
  await selected.getByRole('button', { name: 'Deactivate' }).click()
  await expect(notice(page).getByText('3 redirects updated')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Inactive' })).toHaveCount(3)
  await expect(selected).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(rows(page).filter({ hasText: 'Inactive' })).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await selected.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Are you sure you want to delete these redirects?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByText('No redirects configured yet.')).toBeVisible()
  await expect(page.getByText('No redirects', { exact: true })).toBeFocused()
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => order(page)).toEqual(['/a', '/b', '/c', '/d'])

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeHidden()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('/b')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill('Only b')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(rows(page)).toHaveCount(4)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Code' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeHidden()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Only b' }).click()
  await expect(page).toHaveURL(/q=%2Fb/)
  await expect(rows(page)).toHaveCount(1)
})

test('a loop is refused with its path, a chain collapses, and a file is previewed before its import', async ({ page, request }) => {
  await enterWithout(page)
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

  await page.getByRole('button', { name: 'Test a URL' }).click()
  const tester = page.getByRole('dialog', { name: 'Test a URL' })
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
  await expect(dialog.getByRole('list', { name: 'Refused' })).toContainText('Line 2')
  await expect(dialog.getByRole('list', { name: 'Refused' })).toContainText('Conditions are not supported')
  await expectSound(page)
  await expect(rows(page)).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Import 1 redirect' }).click()
  await expect(notice(page).getByText('1 redirect imported')).toBeVisible()
  await expect(rows(page)).toHaveCount(3)

  // Columns with other names get their fields by hand.
  await page.getByRole('button', { name: 'Import' }).click()
  await dialog.getByLabel('Or paste the text').fill('Alt;Neu\nthree.html;/about\n')
  await dialog.getByRole('button', { name: 'Preview import' }).click()
  await expect(dialog.getByText('Choose the columns with the old and the new addresses.')).toBeVisible()
  await dialog.getByLabel('Alt', { exact: true }).selectOption('From')
  await dialog.getByLabel('Neu', { exact: true }).selectOption('To')
  await expect(dialog.getByRole('list', { name: 'Corrected' })).toContainText('The leading slash was missing.')
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Import 1 redirect' }).click()
  await expect(rows(page)).toHaveCount(4)
  expect((await request.get('/one.html', { maxRedirects: 0 })).headers()['location']).toBe('/about')

  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export redirects' }).getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^redirects-\d{4}-\d\d-\d\d\.csv$/)
})

ownTest('paths that were not found are listed and become redirects in one click', async ({ page, request }) => {
  await enterAsOwner(page, '/admin/redirects?tab=missing')
  await expect(page.getByText('No missing pages')).toBeVisible()
  for (let requestContext = 0; requestContext < 2; requestContext += 1)
    expect((await request.get('/servces', { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150' } })).status()).toBe(404)
  await request.get('/wp-login', { headers: { 'user-agent': 'Googlebot/2.1' } })
  const paths = page.getByRole('table', { name: 'Paths not found' }).locator('tbody').getByRole('row')
  await expect(async () => {
    await page.reload()
    await expect(paths).toHaveCount(2, { timeout: 5000 })
  }).toPass()
  await expect(paths.first()).toContainText('2 visits')
  await expect(paths.nth(1)).toContainText('1 by a bot')
  await expectSound(page)

  await page.getByLabel('Requested by').selectOption('people')
  await expect(paths).toHaveCount(1)
  await page.getByLabel('Requested by').selectOption('')
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
