import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, enterAsOwner, olive, openEmail, signIn, signInAsOwner } from './steps.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const sam = { ...olive, firstName: 'Sam', email: 'sam@example.com' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0' } })

test('a colleague is invited as staff, signs in, is suspended at once, signs in again after the suspension, and is deleted', async ({
  page,
  browser,
  site,
}) => {
  await enterAsOwner(page)
  await page.getByRole('button', { name: 'Account of Olive' }).click()
  await page.getByRole('menuitem', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite someone' })
  await invite.getByRole('button', { name: 'Send invitation' }).click()
  await expect(invite.getByText('Please enter a valid email address')).toBeVisible()
  await expectSound(page)
  await invite.getByLabel('Email').fill(sam.email)
  await expect(invite.getByLabel('Role')).toHaveValue('customer')
  await invite.getByLabel('Role').selectOption('staff')
  await invite.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('row', { name: /sam@example\.com/ })).toContainText('Staff, invited')

  const guest = await (await browser.newContext({ baseURL: site.url })).newPage()
  const tab = await openEmail(guest, { to: sam.email, action: 'Choose a password' })
  await tab.getByLabel('New Password', { exact: true }).fill(sam.password)
  await tab.getByRole('textbox', { name: 'Confirm New Password' }).fill(sam.password)
  await tab.getByRole('button', { name: 'Save new password' }).click()
  await signIn(tab, sam)
  await expect(tab.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

  await page.reload()
  await expect(page.getByRole('row', { name: /sam@example\.com/ })).toBeVisible()
  await page.getByLabel('Role').selectOption('Owner')
  await expect(page).toHaveURL('/admin/users?role=owner')
  await expect(page.getByRole('row', { name: /sam@example\.com/ })).toHaveCount(0)
  await page.getByLabel('Role').selectOption('Staff')
  await page.getByRole('link', { name: 'sam@example.com' }).click()
  const detail = page.getByRole('dialog', { name: sam.email })
  await expect(detail.getByText('Chrome on Linux')).toBeVisible()
  await expectSound(page)
  await detail.getByRole('button', { name: 'Suspend' }).click()
  const ban = page.getByRole('dialog', { name: `Suspend ${sam.email}?` })
  await ban.getByRole('button', { name: 'Suspend' }).click()
  await expect(ban.getByText('Enter a reason of at least 3 characters')).toBeVisible()
  await ban.getByLabel('Reason').fill('Shares the password')
  await ban.getByRole('button', { name: 'Suspend' }).click()
  await expect(detail.getByText('Not signed in anywhere.')).toBeVisible()
  await tab.goto('/dashboard')
  await expect(tab).toHaveURL(/\/login/)
  await signIn(tab, sam)
  await expect(notice(tab).getByText('User is banned')).toBeVisible()

  await detail.getByRole('button', { name: 'End suspension' }).click()
  await expect(detail.getByText('Active')).toBeVisible()
  await signIn(tab, sam)
  await expect(tab).toHaveURL('/dashboard')
  await detail.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog', { name: 'Delete this account?' }).getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('row', { name: /sam@example\.com/ })).toHaveCount(0)
  // The open page receives the signal too, and may already be navigating.
  await expect(async () => {
    await tab.goto('/dashboard')
    await expect(tab).toHaveURL(/\/login/, { timeout: 5000 })
  }).toPass()

  await page.getByRole('tab', { name: 'Audit log' }).click()
  await page.getByLabel('Action').selectOption({ label: 'Banned' })
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('cell', { name: /reason: Shares the password$/ }).last()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
})

test('a customer asks for access, the owner grants it with one click, and an email says so', async ({ page, browser, site }) => {
  await signInAsOwner(page)
  const customer = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enterAsCustomer(customer, sam, '/admin/users')
  await expect(customer.getByText('Only owners can use this page.')).toBeVisible()
  await customer.goto('/admin/blog')
  await customer.getByRole('button', { name: 'Request access' }).click()
  await expect(customer.getByText(/^Requested on/)).toBeVisible()

  await page.goto('/admin/users')
  await page.getByRole('tab', { name: 'Requests 1' }).click()
  await page.getByRole('button', { name: `Make ${sam.email} staff` }).click()
  await expect(page.getByText('No pending requests')).toBeVisible()
  const email = await openEmail(customer, { to: sam.email, action: 'Open the dashboard' })
  await expect(email.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
})

test('the last owner keeps their role, whatever is pressed', async ({ page }) => {
  await enterAsOwner(page, '/admin/users')
  await page.getByRole('link', { name: 'Olive Owner' }).click()
  const detail = page.getByRole('dialog', { name: 'Olive Owner' })
  await detail.getByLabel('Role').selectOption('Customer')
  await detail.getByRole('button', { name: 'Change role' }).click()
  await expect(notice(page).getByText('This is the last owner. Make someone else an owner first.')).toBeVisible()
  await expect(detail.getByRole('button', { name: 'Delete account' })).toHaveCount(0)
})

test('a color is typed or picked, and each shows the other; wrong text stays as it was typed', async ({ page }) => {
  await enterAsOwner(page, '/admin/settings?section=branding')
  const text = page.getByLabel('Accent as text, light')
  const picker = page.getByTitle('Accent as text, light')
  await expect(picker).toHaveValue(await text.inputValue())
  await text.fill('#7A4E00')
  await expect(picker).toHaveValue('#7a4e00')
  await text.fill('#7A4E0')
  await expect(picker).toHaveValue('#7a4e00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('A color has the form #e0a32e.').first()).toBeVisible()
  await expect(text).toHaveValue('#7A4E0')
  await expectSound(page)
  await picker.fill('#5a3a00')
  await expect(text).toHaveValue('#5a3a00')
})

test('the owner renames the business: a preview first, then every page, then back by the history', async ({ page, browser, site }) => {
  await enterAsOwner(page, '/admin/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please fill this in.').first()).toBeVisible()
  await expect(name).toBeFocused()
  await expectSound(page)

  await name.fill('Harrow')
  await page.getByRole('link', { name: 'Branding' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Continue editing' }).click()
  await expect(name).toHaveValue('Harrow')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = await opened
  await expect(preview.getByText('Preview of unsaved settings')).toBeVisible()
  await expect(preview.getByRole('contentinfo')).toContainText('Harrow')
  const visitor = await (await browser.newContext({ baseURL: site.url })).newPage()
  await visitor.goto('/about')
  await expect(visitor.getByRole('contentinfo')).toContainText('Winnow')

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 1, saved on')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('contentinfo')).toContainText('Harrow')

  await page.getByRole('link', { name: 'Branding' }).click()
  await page.getByLabel('Accent as text, light').fill('#ffe08a')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/The contrast with .* is 1\.\d:1/).first()).toBeVisible()
  await expectSound(page)
  await page.getByRole('link', { name: 'Business' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History of Business' })
  await history.getByRole('listitem').filter({ hasText: 'Defaults of this site' }).getByRole('button', { name: 'Restore' }).click()
  await expect(history.getByText('Version 2 (defaults)')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('contentinfo')).toContainText('Winnow')
})

test('the owner changes the business hours of a day, and they are kept', async ({ page }) => {
  await enterAsOwner(page, '/admin/settings?section=hours')
  const friday = page.getByLabel('Friday, span 1 until')
  await friday.fill('15:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 1, saved on')).toBeVisible()
  await page.reload()
  await expect(friday).toHaveValue('15:30')
  await expectSound(page)
})
