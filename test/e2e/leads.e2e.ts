import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { enterAsOwner } from './steps.ts'

const enquiry = {
  form: 'home',
  name: 'Grace Hopper',
  email: 'grace@gmail.com',
  country: 'United States',
  problem: 'Price Monitoring',
  message: 'We want to follow what 12 ports charge for a container, once a week, in dollars.',
}

test.use({ owned: true })

async function send(page: Page, given: Partial<typeof enquiry> = {}) {
  const reply = await page.request.post('/api/contact', { data: { ...enquiry, ...given } })
  expect(reply.status()).toBe(201)
}

async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

test('leads are triaged by keyboard: next, stage, owner, note, and an undo', async ({ page }) => {
  await enterAsOwner(page)
  await send(page)
  await send(page, { name: 'Ada Lovelace', email: 'ada@analytical.example' })
  await page.goto('/leads')
  await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeFocused()
  await page.keyboard.press('e')
  await page.getByLabel('Stage').selectOption('Qualified')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Change stage' }).click()
  await expect(page.getByText('1 lead moved to Qualified').first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText('Qualified')
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone for 1 lead').first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Ada Lovelace/ })).not.toContainText('Qualified')

  await page.getByRole('link', { name: 'Ada Lovelace' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ada Lovelace')
  await expectAccessible(page)
})

test('a lead is filtered, opened, edited in place, noted and given a task', async ({ page }) => {
  await enterAsOwner(page)
  await send(page)
  await page.goto('/leads')
  await page.getByRole('searchbox', { name: 'Search' }).fill('containers of nobody')
  await expect(page.getByText('No leads match this search and these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'Grace Hopper' }).click()

  await page.getByRole('button', { name: /Edit value/ }).click()
  await page.getByLabel('Value').fill('2500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit value: $2,500' })).toBeVisible()

  await page.getByLabel('Note').fill('Called **twice**.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.locator('strong', { hasText: 'twice' })).toBeVisible()

  await page.getByRole('button', { name: 'Add task' }).click()
  await page.getByLabel('Task', { exact: true }).fill('Call again')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Call again' }).click()
  await expect(page.getByText('Task done: Call again')).toBeVisible()
  await expectAccessible(page)
})
