import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { isFullLength } from '#test/length.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { publishDataset, signInAsOwner } from './steps.ts'
import { readSheet } from '#test/sheet.ts'

test.setTimeout(120_000)

const shops = ['Northgate', 'Prisfall', 'Hallmarkt']
const csv = [
  'shop,price,day',
  ...Array.from({ length: 300 }, (_, at) => `${shops[at % 3]},${(at + 1) / 2},2026-01-${String((at % 28) + 1).padStart(2, '0')}`),
].join('\n')

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL query' })
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const answer = (page: Page) => page.getByRole('region', { name: 'Result' })
const rows = (page: Page) => answer(page).getByRole('row')

async function write(page: Page, sql: string) {
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(sql)
}

test('a dataset is asked in SQL: by example, by keyboard, with a fault, without an end, and by a link; a query is saved for each device', async ({
  page,
  browser,
  site,
}) => {
  await signInAsOwner(page)
  await publishDataset(page, csv, 'queried-prices')
  await page.addInitScript(() => localStorage.setItem('questions:someone:dataset', '["SELECT 1"]'))
  await page.goto('/data-marketplace/queried-prices/query')
  await editor(page).hover()
  await expect(page.locator('.cm-content')).toBeVisible()
  await expect(page.getByText('No results yet')).toBeVisible()
  // The history of before lay in each browser.
  expect(await page.evaluate(() => localStorage.getItem('questions:someone:dataset'))).toBeNull()
  await expectSound(page)

  await page.getByRole('button', { name: 'Average price by shop' }).click()
  await run(page).click()
  await expect(answer(page).getByRole('status')).toHaveText(/^3 rows in \d+ ms$/)
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('tab', { name: 'Chart' }).click()
  await expect(page.getByText('mean by shop, from 74.75 to 75.75.')).toBeVisible()
  await expectSound(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('"shop","mean","rows"\r\n')
  const workbook = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Excel' }).click()
  expect((await workbook).suggestedFilename()).toBe('query-result.xlsx')
  const [head, first] = readSheet(await readFile(await (await workbook).path()))
  expect(head?.map(({ text }) => text)).toEqual(['shop', 'mean', 'rows'])
  expect(first?.map(({ kind }) => kind)).toEqual(['text', 'number', 'number'])

  // Only by keyboard: run, turn the page, leave.
  await write(page, 'SELECT * FROM data ORDER BY price')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(answer(page).getByRole('status').first()).toHaveText(/^300 rows/)
  await expect(page.locator('.cm-tooltip-autocomplete')).toHaveCount(0)
  await answer(page).getByRole('button', { name: 'Next' }).press('Enter')
  await expect(answer(page).getByText('Page 2 of 3')).toBeVisible()
  await editor(page).focus()
  await page.keyboard.press('Escape')
  await expect(run(page)).toBeFocused()

  await write(page, 'SELECT nothing\nFROM data')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('heading', { name: 'Error at line 1, column 8' })).toBeVisible()
  await expect(page.locator('.cm-fault')).toHaveText('nothing')
  await expectSound(page)

  // An error that arrives while the query is being changed leaves the cursor where it is.
  const held = Promise.withResolvers<undefined>()
  await page.route('**/api/data-products/*/query', async (route) => held.promise.then(async () => route.continue()), { times: 1 })
  await write(page, 'SELECT nowhere FROM data')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.type(' LIMIT')
  held.resolve(undefined)
  const fault = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: 'Error at line 1, column 8' }) })
  await expect(fault).toContainText('nowhere')
  await expect(run(page)).toBeEnabled()
  await page.keyboard.type(' 5')
  await expect(editor(page)).toHaveText('SELECT nowhere FROM data LIMIT 5')

  await write(page, 'SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE a.range % 7 = b.range')
  await run(page).click()
  if (isFullLength) {
    await expect(page.getByText('This query took longer than 5 seconds and was stopped.')).toBeVisible({ timeout: 40_000 })
    await run(page).click()
  }
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(run(page)).toBeEnabled()

  await write(page, 'SELECT 42 AS found')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(rows(page).last()).toHaveText('42')
  await page.goto(page.url())
  await expect(editor(page)).toHaveValue('SELECT 42 AS found')
  await expect(page.getByText('No results yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SELECT nothing FROM data' })).toBeVisible()

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this query' })
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Give the query a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('Forty-two')
  await dialog.getByRole('checkbox', { name: 'Share with everyone who may query this dataset' }).check()
  await expectSound(page)
  await dialog.getByLabel('Name').press('Enter')
  await expect(notice(page).getByText('Query saved')).toBeVisible()

  const device = await (await browser.newContext({ baseURL: site.url, viewport: { width: 360, height: 740 } })).newPage()
  await signInAsOwner(device)
  await device.goto('/data-marketplace/queried-prices/query')
  await expect(device.getByRole('button', { name: 'SELECT nothing FROM data' })).toBeVisible()
  await device.getByRole('button', { name: 'Forty-two', exact: true }).click()
  await expect(editor(device)).toContainText('SELECT 42 AS found')
  const act = async (name: string) => {
    // A pointer would have to wait until the note of the action before is gone.
    await device.getByRole('button', { name: /^Actions for/ }).press('Enter')
    await device.getByRole('menuitem', { name }).click()
  }
  const rename = async (name: string) => {
    await act('Rename')
    await device.getByRole('dialog', { name: 'Rename this query' }).getByLabel('Name').fill(name)
    await device.keyboard.press('Enter')
    await expect(device.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await rename('Wrong')
  await notice(device).getByRole('button', { name: 'Undo' }).click()
  await expect(device.getByRole('button', { name: 'Forty-two', exact: true })).toBeVisible()
  await rename('The answer')
  await write(device, 'SELECT 43 AS found')
  await act('Replace with the query above')
  await expect(notice(device).getByText('Query replaced')).toBeVisible()
  await act('Delete')
  await expect(notice(device).getByText('Query deleted')).toBeVisible()
  await expect(device.getByText('Save a query to find it here')).toBeVisible()
  await notice(device).getByRole('button', { name: 'Undo' }).last().click()
  await expect(device.getByRole('button', { name: 'The answer', exact: true })).toHaveAttribute('title', 'SELECT 43 AS found')
  await device.getByRole('button', { name: 'Clear history' }).click()
  await device.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
  await expect(device.getByRole('button', { name: 'SELECT nothing FROM data' })).toHaveCount(0)
  expect(await device.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectSound(device)
})
