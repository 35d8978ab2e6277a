import { readFile } from 'node:fs/promises'
import { expect, test, workingTest } from './fixtures.ts'
import { ada, becomeOwner, olive, sendEnquiry, signIn, signOut } from './steps.ts'

test('a visitor asks; the owner signs up, signs in, finds the lead in the dashboard and takes it away as CSV', async ({
  page,
  browser,
  site,
}) => {
  await sendEnquiry(page)
  const notice = page.getByRole('region', { name: 'Notifications' })
  await expect(notice.getByText('Message Sent Successfully!')).toBeVisible()
  await expect(notice.getByText('Thank you for your inquiry. We will get back to you within 24 hours.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('')

  const desk = await browser.newPage({ baseURL: site.url })
  await becomeOwner(desk)
  await signOut(desk)
  await signIn(desk, olive)
  const greeting = desk.getByRole('region', { name: 'Notifications' })
  await expect(greeting.getByText('Success!', { exact: true })).toBeVisible()
  await expect(greeting.getByText('You have successfully signed in.')).toBeVisible()
  await expect(desk.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
  const lead = desk.getByRole('row').filter({ hasText: ada.email }).first()
  await expect(lead).toContainText('Ada Lovelace')

  const downloading = desk.waitForEvent('download')
  await desk
    .getByRole('link', { name: 'Export CSV' })
    .or(desk.getByRole('button', { name: 'Export CSV' }))
    .click()
  const file = await downloading
  expect(file.suggestedFilename()).toBe(`contacts-${new Date().toISOString().slice(0, 10)}.csv`)
  const [head, line] = (await readFile(await file.path(), 'utf8')).replace(/^\uFEFF/, '').split(/\r?\n/)
  expect(head).toBe('"Name","Email","Company","Service Type","Message","Created At"')
  expect(line).toMatch(/^"Ada Lovelace","ada@analytical\.example",/)
  expect(line).toContain(',"We would like to follow prices each day, ""in pounds"", please.","20')
})

workingTest('both sides get their email', async ({ page }) => {
  const both = { ...ada, name: 'Ada of Both Sides', email: 'ada@both.example' }
  await sendEnquiry(page, both)
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Message Sent Successfully!')).toBeVisible()
  await page.goto('/dev/mail')
  const emails = page.getByRole('navigation', { name: 'Emails' })
  await expect(emails.getByRole('link').filter({ hasText: both.email })).toHaveCount(1)
  await expect(emails.getByRole('link').filter({ hasText: olive.email }).first()).toContainText(both.name)
})
