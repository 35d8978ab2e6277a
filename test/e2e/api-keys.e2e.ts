import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, signInAsOwner } from './steps.ts'

const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@keys.example', password: 'ship manifests of 12 ports' }
const dialog = (page: Page) => page.getByRole('dialog')
const usage = z.object({ data: z.array(z.unknown()) })

/** Reads the key, which is shown once, and closes its dialog by keyboard. */
async function keepKey(page: Page): Promise<string> {
  const text = await dialog(page).locator('[data-key]').innerText()
  await page.keyboard.press('Tab')
  await dialog(page).getByRole('button', { name: 'Done' }).press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  return text
}

test('a key is made and seen once, a program reads with it, its use is seen; rotated both work, revoked none does', async ({
  page,
  site,
}) => {
  const call = (bearer: string) => fetch(`${site.url}/api/v1/datasets`, { headers: { authorization: `Bearer ${bearer}` } })
  await enterAsCustomer(page, grace, '/account')
  await page.getByRole('link', { name: 'API keys' }).click()
  await expect(page.getByText('No keys yet')).toBeVisible()
  await expectSound(page)

  await page.getByRole('button', { name: 'Create API key' }).click()
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  await expect(dialog(page).getByLabel('Name')).toHaveAccessibleDescription(/Name is required/)
  await dialog(page).getByLabel('Name').fill('Nightly import')
  await dialog(page).getByLabel('Expires after').selectOption('90 days')
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  await expect(dialog(page).getByText('Copy this key now. You won’t be able to see it again.')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Copy the key' })).toBeFocused()
  await expectSound(page)
  // It is not lost by Escape or a click beside it.
  const question = page.getByRole('dialog', { name: 'Close without copying?' })
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await expectSound(page)
  await question.getByRole('button', { name: 'Back' }).click()
  await page.mouse.click(5, 5)
  await question.getByRole('button', { name: 'Back' }).click()
  await expect(question).toHaveCount(0)
  const first = await keepKey(page)
  expect(first).toMatch(/^wn_\w{43}$/)
  expect(await page.content()).not.toContain(first)

  const answer = await call(first)
  expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, '9999'])
  usage.parse(await answer.json())
  await page.getByRole('table', { name: 'API keys' }).getByRole('button', { name: 'Nightly import', exact: true }).click()
  await expect(page.getByText(/^1 request and 0 rows in 30 days/)).toBeVisible()
  await page.getByText('Daily table').click()
  await expect(page.getByRole('row').filter({ hasText: /^\w+ \d+100$/ })).toBeVisible()
  await page.getByText('Daily table').click()
  await expectSound(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Rotate Nightly import' }).click()
  await expect(dialog(page).getByLabel('The old key keeps working for')).toHaveValue('24')
  await dialog(page).getByRole('button', { name: 'Create new key' }).click()
  const second = await keepKey(page)
  expect([(await call(first)).status, (await call(second)).status]).toEqual([200, 200])
  await expect(page.getByText('Replaced', { exact: true })).toBeVisible()

  for (const bearer of [first, second]) {
    await page.getByRole('button', { name: `Revoke Nightly import ${bearer.slice(0, 11)}` }).click()
    await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
    await expect(dialog(page)).toHaveCount(0)
    const refused = await call(bearer)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Data API"'])
  }
  await expect(page.getByText('Keys that ended in the last 30 days (2)')).toBeVisible()
})

test('a reader of the API docs chooses a language once, and tries an endpoint with their key, which only memory holds', async ({
  page,
  browser,
  site,
}) => {
  await signInAsOwner(page)
  const made = await page.request.post('/api/keys', { data: { name: 'Docs' }, headers: { 'sec-fetch-site': 'same-origin' } })
  const { key: bearer } = z.object({ key: z.string() }).parse(await made.json())

  const reader = await browser.newPage({ baseURL: site.url, viewport: { width: 1440, height: 900 } })
  await reader.goto('/developers/endpoints')
  await reader.getByText('Read rows of a dataset').click()
  const form = reader.locator('details[open] form')
  await expect(form).toHaveCount(1)
  await expect(reader.getByRole('button', { name: 'Copy' }).first()).toBeVisible()
  await form.getByRole('button', { name: 'Send request' }).click()
  await expect(form.getByRole('status')).toHaveText('Enter an API key, or sign in.')
  await form.getByLabel('API key').fill('wn_wrong')
  await form.getByLabel('API key').press('Enter')
  await expect(form.getByRole('status')).toHaveText(/^401/)
  await form.getByLabel('API key').fill(bearer)
  await form.getByLabel('limit').fill('1')
  await form.getByRole('button', { name: 'Send request' }).click()
  await expect(form.getByRole('status')).toHaveText(/^200 .*\d+ ms · application\/json$/)
  await expect(form.getByLabel('Response')).toContainText('"nextCursor"')
  await expectSound(reader)
  expect(reader.url()).toBe(`${site.url}/developers/endpoints`)
  expect(await reader.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).not.toContain(bearer)

  // A file is not shown, and the key is in every form.
  await reader.getByText('Download a dataset as a file').click()
  await form.getByRole('button', { name: 'Send request' }).click()
  await expect(form.getByLabel('Response')).toContainText('The body is a file')

  // Python here is Python on every page, and on the next visit.
  const python = reader.locator('details[open] fieldset').getByText('Python')
  await python.click()
  await expect(reader.locator('details[open]').getByText('requests.get').first()).toBeVisible()
  await reader.goto('/developers')
  await expect(reader.getByRole('radio', { name: 'Python' })).toBeChecked()
  await expect(reader.getByText('import os, requests')).toBeVisible()
  await reader.getByRole('link', { name: 'GET /api/v1/datasets/{slug}/changes' }).click()
  await expect(reader.locator('details[open]').getByText('Read changes since a version')).toBeVisible()
  await expect(form.getByLabel('API key')).toHaveValue('')

  for (const path of ['/developers', '/developers/endpoints', '/developers/guide', '/developers/errors', '/developers/changelog']) {
    await reader.goto(path)
    expect([path, await reader.evaluate(() => document.documentElement.scrollHeight <= 4300)]).toEqual([path, true])
  }
  await reader.context().close()

  // Someone who is signed in needs no key.
  await page.goto('/developers/endpoints')
  await page.locator('details[open] form').getByRole('button', { name: 'Send request' }).click()
  await expect(page.locator('details[open] form').getByRole('status')).toHaveText(/^200/)
})
