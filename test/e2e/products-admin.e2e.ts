import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, enterAsOwner, type Person } from './steps.ts'

test.setTimeout(300_000)

const grace: Person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@products.example', password: 'ship manifests of 12 ports' }

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const version = (page: Page, number: number) =>
  page
    .getByRole('list', { name: 'Versions' })
    .locator('> li')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`^Version ${number}\\b`) }) })

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => `${at + 1},Shop ${at % 8},${at}.50,2026-11-${String((at % 28) + 1).padStart(2, '0')}\n`)
const table = (lines: string[]) => Buffer.from(`id,shop,price,day\n${lines.join('')}`)
/** Two of its rows have more cells than there are columns. */
const first = table([...rows(60), '61,Shop 1,9.50,2026-11-01,too,many\n', '62,Shop 2,9.50,2026-11-01,too,many,cells\n'])
/** More than one chunk of an upload. */
const MANY = 300_000

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-dataset-'))
const second = path.join(folder, 'retail_prices.csv')
test.beforeAll(() => writeFileSync(second, table(rows(MANY))))
test.afterAll(() => rmSync(folder, { recursive: true }))

const panel = (page: Page) => page.getByRole('dialog', { name: /^Import a version of|^Version \d+ of/ })
const published = (page: Page, number: number) => notice(page).getByText(`Version ${number} is published`)

async function send(page: Page, name: string, buffer: Buffer) {
  await page.getByLabel('Data file').setInputFiles({ name, mimeType: 'text/csv', buffer })
}

/** The connection drops after the first chunk and the page reloads. The same file resumes where it stopped, and another one does not. */
async function cutOffAndGoOn(page: Page) {
  const offsets: string[] = []
  let isBroken = true
  await page.route('**/api/dataset-uploads/*', (route, request) => {
    if (request.method() !== 'PATCH') return route.continue()
    const offset = request.headers()['upload-offset'] ?? ''
    if (isBroken && offset !== '0') return route.abort()
    offsets.push(offset)
    return route.continue()
  })
  await page.getByRole('button', { name: 'Import a version' }).press('Enter')
  await panel(page).getByLabel('What changed').fill('Many rows')
  await page.getByLabel('Data file').setInputFiles(second)
  await expect(page.getByText('Connection lost. The upload resumes automatically.')).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  isBroken = false
  await expect(panel(page)).toContainText('retail_prices.csv (10.3 MB) was interrupted')
  await send(page, 'other.csv', first)
  await expect(page.getByRole('alert').filter({ hasText: 'This is other.csv' })).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Data file').setInputFiles(second)
  await expect(page.getByText('Upload verified: both checksums match.')).toBeVisible()
  expect(offsets).toEqual(['0', '8000000'])
}

/** A customer requests a paid product: access is granted, revoked, and declined. */
async function answerCustomer(page: Page, customer: Page) {
  await enterAsCustomer(customer, grace, 'about:blank')
  const product = '/api/data-products/prices-of-eight-shops'
  const headers = { 'sec-fetch-site': 'same-origin' }
  const ask = () => customer.request.post(`${product}/request-access`, { data: { message: 'For our 40 shops.' }, headers })
  const access = async () => (await (await customer.request.get(product)).json()).access
  const grants = page.getByRole('table', { name: 'Grants' })
  expect((await ask()).status()).toBe(201)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Open requests' })).toContainText('For our 40 shops.')
  await expectSound(page)
  await page.getByRole('button', { name: `Grant access to ${grace.email}` }).click()
  const grant = page.getByRole('dialog', { name: 'Grant Prices of eight shops' })
  await grant.getByLabel('Reference of the bank transfer').fill('RF18 5390')
  await grant.getByLabel('Until').fill('2001-01-01')
  await grant.getByRole('button', { name: 'Grant' }).click()
  await expect(grant.getByText('The end must be in the future')).toBeVisible()
  await grant.getByLabel('Until').fill('2099-12-31')
  await expectSound(page)
  await grant.getByRole('button', { name: 'Grant' }).click()
  await expect(grants).toContainText('RF18 5390')
  await expect(page.getByText('No open requests.')).toBeVisible()
  expect(await access()).toBe('granted')

  await page.getByRole('button', { name: `Revoke access from ${grace.email}` }).click()
  await page
    .getByRole('dialog', { name: /^Revoke access to / })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(grants).toContainText('Revoked')
  expect(await access()).toBe('pay')
  expect((await ask()).status()).toBe(201)
  await page.reload()
  await page.getByRole('button', { name: `Decline ${grace.email}` }).click()
  await page.getByRole('dialog', { name: 'Decline this request' }).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('No open requests.')).toBeVisible()

  await page.getByRole('button', { name: 'Grant by email address' }).press('Enter')
  await grant.getByLabel('Organization or account').fill('nobody@example.com')
  await grant.getByRole('button', { name: 'Grant' }).click()
  await expect(grant.getByText('No account has this email address', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('button', { name: 'Grant by email address' })).toBeFocused()
}

/** A new product is the last one; it moves up by one, by keyboard, and stays there. */
async function moveUp(page: Page, origin: string) {
  const data = { name: 'Later', slug: 'later', description: 'Comes later.', category: 'Other', price: 0 }
  expect((await page.request.post('/api/data-products', { data, headers: { origin } })).status()).toBe(201)
  const slugs = async () => {
    const list: { slug: string }[] = await (await page.request.get('/api/admin/data-products')).json()
    return list.map(({ slug }) => slug)
  }
  const before = await slugs()
  await page.reload()
  await page.getByRole('button', { name: 'More actions for Later' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move up' }).press('Enter')
  await expect(page.getByText(`Later is now number ${before.length - 1} of ${before.length}.`)).toBeAttached()
  await expect.poll(slugs).toEqual([...before.slice(0, -2), 'later', ...before.slice(-2, -1)])
  // A pointer would have to wait until the note of the move is gone.
  await page.getByRole('button', { name: 'More actions for Later' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: /delete this product/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(notice(page).getByText('Product deleted successfully')).toBeVisible()
  expect(await slugs()).not.toContain('later')
}

/** Two products are hidden at once and published again by the undo, by keyboard; the filter that shows hidden ones is saved. */
async function hideTwo(page: Page) {
  const names = ['Company Leads', 'World Clock Changes']
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('2 selected')
  await expectSound(page)
  await bar.getByRole('button', { name: 'Hide' }).press('Enter')
  await expect(notice(page).getByText('2 products hidden')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(page.locator('tr :focus')).toHaveCount(1)
  await expect.poll(() => onShelf(page, 'company-leads')).toBeUndefined()
  await page.keyboard.press('Control+z')
  await expect(notice(page).getByText('Undone')).toBeVisible()
  expect(await onShelf(page, 'company-leads')).toBeDefined()

  await page.getByLabel('Show').selectOption('Hidden')
  await expect(page.getByRole('row', { name: /Company Leads/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter')
  await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill('To publish')
  await page.keyboard.press('Enter')
  await page.goto('/admin/products')
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'To publish' }).press('Enter')
  await expect(page).toHaveURL('/admin/products?show=hidden')

  const hidden = { name: 'Never shown', slug: 'never-shown', description: 'Goes again.', category: 'Other', price: 0, hidden: true }
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await page.request.post('/api/data-products', { data: hidden, headers })).status()).toBe(201)
  await page.reload()
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).press('Space')
  await bar.getByRole('button', { name: 'Publish' }).press('Enter')
  await expect(page.getByText('No matches')).toBeFocused()
}

const onShelf = async (page: Page, slug: string) => {
  const products: { slug: string; rows: number; price: number }[] = await (await page.request.get('/api/data-products')).json()
  return products.find((product) => product.slug === slug)
}

test('a dataset is published, corrected by a second version, rolled back and hidden', async ({ page, browser, site }) => {
  await enterAsOwner(page, '/admin/products')
  await page.getByRole('button', { name: 'New Product' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('region', { name: 'Errors to correct' })).toContainText('Please correct 5 things')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()

  await send(page, 'retail_prices.csv', first)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Retail prices')
  await expect(page.getByLabel('Slug')).toHaveValue('retail-prices')
  await page.getByLabel('Name', { exact: true }).fill('Prices of eight shops')
  await expect(page.getByLabel('Slug')).toHaveValue('prices-of-eight-shops')
  await page.getByLabel('Description', { exact: true }).fill('What 8 shops ask each day.')
  await page.getByLabel('Category').fill('Prices')
  await page.getByLabel('Price', { exact: true }).fill('0')
  await expect(page.getByText('Free: everyone with a confirmed email address has access.')).toBeVisible()
  await page.getByLabel('Price', { exact: true }).fill('1,999.5')
  await expect(
    page.getByText('$1,999.50: customers buy it. Where nothing is paid online, they request access, and you grant it.'),
  ).toBeVisible()
  await page.getByLabel('Minimum rows').fill('70')
  await page.getByRole('switch', { name: 'Published' }).press('Space')
  await expectSound(page)
  // The upload gets its id late, as after the checksum of a large file: the dialog is open by then, and goes on with it.
  await page.route(
    '**/api/dataset-uploads',
    async (route) => {
      await pause(2000)
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Product created successfully')).toBeVisible()
  await expect(page).toHaveURL(/edit=.*tab=data/)

  await expect(panel(page).getByText('Upload verified: both checksums match.')).toBeVisible()
  await expect(panel(page).getByRole('list', { name: 'Failed checks' })).toContainText('At least 70 rows')
  await expectSound(page)
  await page.keyboard.press('Escape')
  await expect(version(page, 1).getByText('Held', { exact: true })).toBeVisible()
  await expect(version(page, 1).getByRole('region', { name: 'Why version 1 is held' })).toContainText('At least 70 rows')
  await expect(version(page, 1).getByRole('list', { name: 'Rejected rows' }).getByRole('listitem')).toHaveCount(2)
  await expect(version(page, 1).getByRole('table', { name: 'Columns of version 1' })).toContainText('price')
  await expect(version(page, 1).getByRole('list', { name: 'Quality checks' })).toContainText('At least 70 rows')
  await expectSound(page)
  expect(await onShelf(page, 'prices-of-eight-shops')).toMatchObject({ rows: 0, price: 199_950 })

  await page.getByRole('button', { name: 'Review and publish version 1' }).press('Enter')
  const publish = panel(page).getByRole('button', { name: 'Publish version 1 anyway' })
  await expect(publish).toHaveAccessibleDescription('Give a reason first.')
  await panel(page).getByLabel('Reason').fill('Ten shops have closed.')
  await publish.click()
  await expect(published(page, 1)).toBeVisible()
  await expect(version(page, 1).getByText('Current', { exact: true })).toBeVisible()
  await expect(version(page, 1)).toContainText('Ten shops have closed.')
  await expect.poll(async () => (await onShelf(page, 'prices-of-eight-shops'))?.rows).toBe(60)

  await cutOffAndGoOn(page)
  await panel(page).getByLabel('What changed').fill('Many rows more.')
  await panel(page).getByRole('button', { name: 'Publish version 2' }).press('Enter')
  await expect(published(page, 2)).toBeVisible()
  await expect(panel(page)).toHaveCount(0)
  await expect(version(page, 2).getByText('Many rows more.')).toBeVisible()
  await expect(version(page, 2).getByText('rows added')).toBeVisible()
  await expect(version(page, 2).getByText('Current', { exact: true })).toBeVisible()
  await expect.poll(async () => (await onShelf(page, 'prices-of-eight-shops'))?.rows).toBe(MANY)

  await page.getByRole('button', { name: 'Roll back to version 1' }).press('Enter')
  await page.getByRole('dialog', { name: 'Roll back to version 1?' }).getByRole('button', { name: 'Roll back' }).click()
  await expect(version(page, 1).getByText('Current', { exact: true })).toBeVisible()
  await expect.poll(async () => (await onShelf(page, 'prices-of-eight-shops'))?.rows).toBe(60)

  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByLabel('Description of price').fill('In dollars, with tax')
  await page.getByRole('tab', { name: 'Access' }).click()
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Continue editing' }).click()
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(notice(page).getByText('Product updated successfully')).toBeVisible()
  await expectSound(page)
  await page.getByRole('tab', { name: 'Access' }).click()
  await answerCustomer(page, await (await browser.newContext({ baseURL: site.url })).newPage())

  const beside = page.getByRole('navigation', { name: 'Other products' })
  await beside.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('heading', { name: 'Prices of eight shops' })).toHaveCount(0)
  await beside.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Prices of eight shops' })).toBeVisible()
  await page.getByRole('link', { name: 'All products' }).click()
  const row = page.getByRole('table', { name: 'Products' }).getByRole('row').filter({ hasText: 'Prices of eight shops' })
  await expect(row).toContainText('Version 1, 60 rows')
  // The place in the list, Edit, and a menu with all else.
  await expect(row.getByRole('button')).toHaveCount(3)
  await expectSound(page)
  await row.getByRole('button', { name: 'More actions for Prices of eight shops' }).click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect(row.getByText('Hidden', { exact: true }).filter({ visible: true })).toBeVisible()
  expect(await onShelf(page, 'prices-of-eight-shops')).toBeUndefined()
  await moveUp(page, site.url)
  await hideTwo(page)
})

test('a file with several faults in its first line is mended in the page and then imported', async ({ page, site }) => {
  await enterAsOwner(page, '/admin/products')
  const data = { name: 'Unnamed', slug: 'unnamed', description: 'A messy file.', category: 'Other', price: 0 }
  const made = await page.request.post('/api/data-products', { data, headers: { origin: site.url } })
  const { id }: { id: string } = await made.json()
  await page.setViewportSize({ width: 360, height: 760 })
  await page.goto(`/admin/products?edit=${id}&tab=data`)
  await page.getByRole('button', { name: 'Import a version' }).click()
  const dialog = panel(page)
  await send(page, 'photo.png', Buffer.from('no table'))
  await expect(dialog.getByText('photo.png is not a CSV, JSON, JSONL or Parquet file.')).toBeVisible()
  await send(page, 'messy.csv', Buffer.from(`shop,,Shop,${'x'.repeat(201)}\nNorth,1.50,A,2\n`))
  const faults = dialog.getByRole('table', { name: 'Columns that need another name' })
  await expect(faults.getByRole('row')).toHaveCount(4)
  await expect(faults).toContainText('Column 2 has no name.')
  await expect(faults.getByLabel('Name of column 3')).toHaveValue('Shop_2')
  await expectSound(page)
  const look = dialog.getByRole('button', { name: 'Preview import' })
  await faults.getByLabel('Name of column 2').fill('')
  await look.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Each column needs a name' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Correct version 1' }).press('Enter')
  await faults.getByLabel('Name of column 2').fill('price')
  await faults.getByLabel('Name of column 4').fill('stock')
  await look.click()
  await expect(dialog.getByRole('table', { name: 'Preview of the first rows' })).toContainText('Shop_2')
  await page.keyboard.press('Escape')
  await expect(version(page, 1).getByText('Ready to publish')).toBeVisible()

  // Columns in the forms of a country are proposed or asked about, and read as a person says.
  await page.getByRole('button', { name: 'Import a version' }).click()
  await send(page, 'preise.csv', Buffer.from('Laden;Preis;Tag\nNord;1.234,50;05/11/2026\nSüd;99,90;06/11/2026\n'))
  await expect(dialog.getByLabel('Preis', { exact: true })).toHaveValue('decimal_comma')
  await expect(dialog.getByText('Proposed: “1.234,50” is 1,234.50.')).toBeVisible()
  await expect(look).toHaveAccessibleDescription('Choose the number and date format first.')
  const day = dialog.getByLabel('“05/11/2026” in the column Tag means')
  await expect(day.getByRole('option')).toHaveText([
    'Choose',
    'November 5, 2026 (Date, day first)',
    'May 11, 2026 (Date, month first)',
    'Keep it as text',
  ])
  await expectSound(page)
  await day.selectOption('day_first')
  await look.click()
  await dialog.getByRole('button', { name: 'Publish version 2' }).click()
  await expect(published(page, 2)).toBeVisible()
  const columns = version(page, 2).getByRole('table', { name: 'Columns of version 2' })
  await expect(columns.getByRole('row', { name: 'Preis' })).toContainText('number')
  await expect(columns.getByRole('row', { name: 'Tag' })).toContainText('date')
})
