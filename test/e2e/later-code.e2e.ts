import type { Locator, Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { expect, untilLive, workingTest as test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

type Opening = { path: string; button: string; opens: (page: Page) => Locator }

const dialog = (name: string) => (page: Page) => page.getByRole('dialog', { name })

const openings: Opening[] = [
  { path: '/admin/blog', button: 'New Post', opens: (page) => page.getByRole('textbox', { name: 'Title', exact: true }) },
  { path: '/admin/products', button: 'New Product', opens: (page) => page.getByRole('textbox', { name: 'Name' }) },
  { path: '/admin/redirects', button: 'New Redirect', opens: dialog('Create New Redirect') },
  { path: '/leads', button: 'Columns', opens: dialog('Columns') },
]

/** An empty list has no columns to choose. */
async function addLead(page: Page) {
  const data = { text: 'Name,Email,Country,Problem\nAda,ada@later.example,France,Prices', title: 'Test', known: 'skip' }
  const reply = await page.request.post('/api/leads/import?dry=false', { data, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.status()).toBe(200)
}

/** A page just opened, whose button nobody has come near. */
async function openFresh(page: Page, { path, button }: Opening): Promise<Locator> {
  await page.mouse.move(0, 0)
  await page.goto(path)
  await untilLive(page)
  return page.getByRole('main').getByRole('button', { name: button, exact: true }).first()
}

async function pressAtOnce(page: Page, button: Locator) {
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not shown.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.up()
}

test('what loads later opens each time for a pointer that arrives and clicks at once, and for the focus and Enter', async ({ page }) => {
  await signInAsOwner(page)
  await addLead(page)
  for (const [at, opening] of openings.entries()) {
    for (let time = 0; time < byLength(1, 10); time++) {
      await pressAtOnce(page, await openFresh(page, opening))
      await expect(opening.opens(page)).toBeVisible()
    }
    for (let time = 0; time < byLength(at === 0 ? 1 : 0, 3); time++) {
      const button = await openFresh(page, opening)
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(opening.opens(page)).toBeVisible()
    }
  }
})

test('a form whose code does not arrive says so, and opens with the next try', async ({ page, context }) => {
  await signInAsOwner(page)
  const [opening] = openings
  if (!opening) throw new Error('There is nothing to open.')
  const button = await openFresh(page, opening)
  await context.setOffline(true)
  await button.click()
  const failed = page.getByRole('alert').filter({ hasText: 'The form did not load' })
  await expect(failed).toBeVisible()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeVisible()
  await context.setOffline(false)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(opening.opens(page)).toBeVisible()
})

test('a dialog whose code does not arrive says so, and opens with the next try', async ({ page, context }) => {
  await signInAsOwner(page)
  const button = await openFresh(page, { path: '/admin/redirects', button: 'New Redirect', opens: dialog('Create New Redirect') })
  await context.setOffline(true)
  await button.click()
  const failed = page.getByRole('dialog', { name: 'The form did not load' })
  await expect(failed).toBeVisible()
  await context.setOffline(false)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Create New Redirect' })).toBeVisible()
})
