import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { expect, workingTest as test } from './fixtures.ts'
import { removeRedirects, signInAsOwner, waitForPosts } from './steps.ts'
import { readSheet } from '#test/sheet.ts'

const ours = { 'sec-fetch-site': 'same-origin' }
const LEADS = 60

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const tickAll = async (page: Page) => page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()

/** Returns the number of all leads. */
async function addLeads(page: Page): Promise<number> {
  const rows = Array.from({ length: LEADS }, (_, at) => `Lead ${at},lead.${at}@desk.example,France,Price Monitoring`)
  const text = ['Name,Email,Country,Problem', ...rows].join('\n')
  const reply = await page.request.post('/api/leads/import?dry=false', { data: { text, title: 'Test', known: 'add' }, headers: ours })
  expect(reply.status()).toBe(200)
  return countLeads(page)
}

async function countLeads(page: Page): Promise<number> {
  const { total }: { total: number } = await (await page.request.get('/api/leads/counts')).json()
  return total
}

async function deleteChosen(page: Page, question: string) {
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: question })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toBeHidden()
}

test('in the whole list of leads, the box at its head chooses the page that is shown, and only a button of its own chooses all; the menu of a row takes that row alone', async ({
  page,
}) => {
  await signInAsOwner(page)
  const all = await addLeads(page)
  await page.goto('/leads')
  await tickAll(page)
  await expect(bar(page)).toContainText('50 selected')
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export', exact: true }).click()
  let file = ''
  for await (const piece of await (await download).createReadStream()) file += String(piece)
  expect(file.trim().split('\r\n')).toHaveLength(1 + 50)
  const workbook = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export Excel' }).click()
  expect(readSheet(await readFile(await (await workbook).path()))).toHaveLength(1 + 50)

  // There and back again: what the bar says is what is chosen.
  await bar(page)
    .getByRole('button', { name: `Select all ${all} that match` })
    .click()
  await expect(bar(page)).toContainText(`All ${all} that match`)
  await bar(page).getByRole('button', { name: 'Only these 50' }).click()
  await expect(bar(page)).toContainText('50 selected')
  await bar(page)
    .getByRole('button', { name: `Select all ${all} that match` })
    .click()
  const first = page.getByRole('checkbox', { name: /^Select Lead/ }).first()
  await first.uncheck()
  await expect(bar(page)).toContainText('49 selected')
  await first.check()
  await expect(bar(page)).toContainText('50 selected')

  await deleteChosen(page, 'Delete 50 leads?')
  await expect(page.getByText('50 leads deleted').first()).toBeVisible()
  expect(await countLeads(page)).toBe(all - 50)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => countLeads(page)).toBe(all)

  // The row menu of one lead acts on that lead alone, whatever is chosen.
  await page.reload()
  await tickAll(page)
  await bar(page)
    .getByRole('button', { name: `Select all ${all} that match` })
    .click()
  await page
    .getByRole('button', { name: /^More actions for Lead/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog', { name: 'Delete 1 lead?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 lead deleted').first()).toBeVisible()
  const rest = all - 1
  expect(await countLeads(page)).toBe(rest)

  await page.reload()
  await tickAll(page)
  await bar(page)
    .getByRole('button', { name: `Select all ${rest} that match` })
    .click()
  await deleteChosen(page, `Delete all ${rest} leads?`)
  await expect(page.getByText(`${rest} leads deleted`).first()).toBeVisible()
  expect(await countLeads(page)).toBe(0)
})

test('of more posts and redirects than a page shows, the box at the head deletes those of the page', async ({ page, site }) => {
  await signInAsOwner(page)
  await waitForPosts(site.url)
  for (let at = 0; at < 55; at++) {
    const post = { title: `Bulk ${at}`, slug: `bulk-${at}`, excerpt: 'A post.', content: 'Text.', published: false }
    expect((await page.request.post('/api/blog', { data: post, headers: ours })).status()).toBe(201)
    const rule = { fromPath: `/old-${at}`, toPath: '/blog' }
    expect((await page.request.post('/api/redirects', { data: rule, headers: ours })).status()).toBe(201)
  }
  const lists = [
    { path: '/admin/blog', url: '/api/blog', question: 'Are you sure you want to delete these blog posts?' },
    { path: '/admin/redirects', url: '/api/redirects', question: 'Are you sure you want to delete these redirects?' },
  ]
  for (const { path, url, question } of lists) {
    const count = async () => {
      const list: unknown[] = await (await page.request.get(url)).json()
      return list.length
    }
    const before = await count()
    await page.goto(path)
    await tickAll(page)
    const shown = (await page.getByRole('table').first().getByRole('row').count()) - 1
    expect(shown).toBeLessThan(before)
    await expect(bar(page)).toContainText(`${shown} selected`)
    await deleteChosen(page, question)
    await expect.poll(count).toBe(before - shown)
  }
  await removeRedirects(page)
})

test('a list is worked by keys alone, and its bar takes all that match only when it says so', async ({ page }) => {
  await signInAsOwner(page)
  await removeRedirects(page)
  for (let at = 0; at < 55; at++) {
    const data = { fromPath: `/key-${at}`, toPath: '/blog' }
    expect((await page.request.post('/api/redirects', { data, headers: ours })).status()).toBe(201)
  }
  const countActive = async () => {
    const list: { isActive: boolean }[] = await (await page.request.get('/api/redirects')).json()
    return list.filter(({ isActive }) => isActive).length
  }
  await page.goto('/admin/redirects')
  await expect(page.getByRole('row', { name: /key-0/ })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('button', { name: '/key-1', exact: true })).toBeFocused()
  await page.keyboard.press('x')
  await expect(bar(page)).toContainText('1 selected')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Edit Redirect' })
  await expect(form.getByLabel('From path')).toHaveValue('/key-0')
  // Letters are text in a form.
  await form.getByLabel('Description').press('x')
  await expect(form.getByLabel('Description')).toHaveValue('x')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
  await expect(bar(page)).toContainText('1 selected')

  await tickAll(page)
  await expect(bar(page)).toContainText('50 selected')
  await bar(page).getByRole('button', { name: 'Select all 55 that match' }).click()
  await expect(bar(page)).toContainText('All 55 that match')
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('55 redirects updated').first()).toBeVisible()
  expect(await countActive()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(countActive).toBe(55)

  await page.locator('body').press('/')
  await page.keyboard.type('key-1')
  await expect(page).toHaveURL('/admin/redirects?q=key-1')
  await expect(page.getByText('11 of 55 redirects')).toBeVisible()
  await tickAll(page)
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect.poll(countActive).toBe(44)

  // The log of missing paths knows the number of its matches, too.
  for (let at = 0; at < 52; at++) await page.request.get(`/missed-${at}`)
  const countMissing = async () => {
    const { total }: { total: number } = await (await page.request.get('/api/missing-paths')).json()
    return total
  }
  await expect.poll(countMissing).toBeGreaterThanOrEqual(52)
  const missing = await countMissing()
  await page.goto('/admin/redirects?tab=missing')
  await tickAll(page)
  await bar(page)
    .getByRole('button', { name: `Select all ${missing} that match` })
    .click()
  await bar(page).getByRole('button', { name: 'Ignore' }).click()
  await expect(page.getByText(`${missing} paths ignored`).first()).toBeVisible()
  expect(await countMissing()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(countMissing).toBe(missing)
  await removeRedirects(page)
})

test('a view that an undo brings back is beside those that were saved since, in this tab and in another one', async ({ page, context }) => {
  await signInAsOwner(page)
  const views = async (tab: Page) => {
    await tab.getByRole('button', { name: /^Views/ }).press('Enter')
    const boxes = tab.getByRole('menuitemcheckbox')
    await expect(boxes.first()).toBeVisible()
    const names = await boxes.allTextContents()
    await tab.keyboard.press('Escape')
    return names.toSorted()
  }
  const save = async (tab: Page, query: string, name: string) => {
    await tab.goto(`/admin/redirects?q=${query}`)
    await saveHere(tab, name)
  }
  const saveHere = async (tab: Page, name: string) => {
    await tab.getByRole('button', { name: 'Views', exact: true }).press('Enter')
    await tab.getByRole('menuitem', { name: 'Save this view…' }).press('Enter')
    await tab.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill(name)
    await tab.keyboard.press('Enter')
    await expect(tab.getByRole('button', { name: `Views: ${name}` })).toBeVisible()
  }
  await removeRedirects(page)
  await page.request.post('/api/redirects', { data: { fromPath: '/one', toPath: '/blog' }, headers: ours })
  const other = await context.newPage()
  await other.goto('/admin/redirects?q=two')
  await expect(other.getByRole('button', { name: 'Views', exact: true })).toBeVisible()
  await save(page, 'one', 'First')
  // The other tab rendered before.
  await saveHere(other, 'Second')
  await page.goto('/admin/redirects?q=one')
  expect(await views(page)).toEqual(['First', 'Second'])

  await page.getByRole('button', { name: 'Views: First' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete “First”' }).press('Enter')
  await expect(page.getByText('View deleted').first()).toBeVisible()
  await other.goto('/admin/redirects?q=three')
  await saveHere(other, 'Third')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone').first()).toBeVisible()
  expect(await views(page)).toEqual(['First', 'Second', 'Third'])
  await removeRedirects(page)
})
