import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { enterAsCustomer, enterAsOwner, olive, openEmail, signIn, signInAs, signInAsOwner, signOut } from './steps.ts'

const menu = (page: Page, name: string) => page.getByRole('button', { name: `Account of ${name}` })
const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })

ownTest.use({ owned: true, settings: { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0' } })

/** Presses the menu's button while these scripts have not arrived yet. */
async function pressMenuEarly(page: Page, scripts: string, open: () => Promise<unknown>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(scripts, (route) => released.then(() => route.continue()))
  await open()
  await expect(page).toHaveURL('/dashboard')
  await menu(page, 'Olive').click()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  release()
}

test('a name and a picture are changed from the menu’s Account page, and the menu shows both', async ({ page }) => {
  const named = { ...olive, email: 'named@harbor.example' }
  await enterAsCustomer(page, named, 'about:blank')
  await signOut(page)
  await pressMenuEarly(page, '**/user-menu-list-*.js', () => signIn(page, named))
  await page.getByRole('menuitem', { name: 'Dashboard' }).click()
  await pressMenuEarly(page, '**/*.js', () => page.goto('/dashboard', { waitUntil: 'commit' }))
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveURL('/account')

  await page.getByLabel('First Name').fill(' ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByLabel('First Name')).toBeFocused()
  await expect(page.getByLabel('First Name')).toHaveAccessibleDescription('First name is required')
  await page.getByLabel('First Name').fill('Olivia')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(menu(page, 'Olivia')).toBeVisible()

  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#1f6f54' } })
    .png()
    .toBuffer()
  await page.getByLabel('Picture of you').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await expect(menu(page, 'Olivia').locator('img')).toHaveAttribute('src', /^\/avatars\/.+\.webp$/)
  await page.getByLabel('Picture of you').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(notice(page).getByText('This file is not a picture that we can read. Send PNG, JPEG, WebP or AVIF.')).toBeVisible()
  await page
    .getByLabel('Picture of you')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
  await expect(notice(page).getByText('This picture is too large: it can have at most 5 MB.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expect(menu(page, 'Olivia').locator('img')).toHaveCount(0)
})

test('a new address is pending until both emails are confirmed, then it signs in', async ({ page }) => {
  const moving = { ...olive, email: 'moving@harbor.example' }
  await enterAsCustomer(page, moving, '/account')
  await page.getByLabel('New email').fill('moved@harbor.example')
  await page.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByText('Not confirmed yet')).toBeVisible()

  const first = await openEmail(page, { to: 'moved@harbor.example', action: 'Confirm new address' })
  await first.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(first.getByRole('heading', { name: 'One more step' })).toBeVisible()
  const second = await openEmail(first, { to: moving.email, action: 'Approve change' })
  await second.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(second.getByRole('heading', { name: 'Your address has changed' })).toBeVisible()

  await signOut(second)
  await signIn(second, { ...moving, email: 'moved@harbor.example' })
  await expect(second).toHaveURL('/dashboard')
})

ownTest('the password is changed where one is signed in, and all other devices are signed out', async ({ page, browser, site }) => {
  await signInAsOwner(page)
  const phone = await (await browser.newContext({ baseURL: site.url })).newPage()
  await signIn(phone, olive)
  await expect(phone).toHaveURL('/dashboard')

  await page.goto('/account/security')
  const change = async (password: string, again = password) => {
    await page.getByRole('textbox', { name: 'Current password' }).fill(olive.password)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(again)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('another horse battery', 'another horse')
  await expect(page.getByText("Passwords don't match")).toBeVisible()
  await change('too short')
  await expect(page.getByText('Password should be at least 12 characters.')).toBeVisible()
  await change(olive.password)
  await expect(page.getByText('New password should be different from the old password.')).toBeVisible()
  await change('another horse battery')
  await expect(notice(page).getByText('Password changed')).toBeVisible()

  await phone.goto('/dashboard')
  await expect(phone).toHaveURL(/\/login/)
  await signIn(phone, { ...olive, password: 'another horse battery' })
  await expect(phone).toHaveURL('/dashboard')
})

test('one sees where one is signed in, and ends it: one device, all others, all', async ({ page, browser, site }) => {
  const busy = { ...olive, email: 'busy@harbor.example' }
  await enterAsCustomer(page, busy, '/account/devices')
  const signInElsewhere = async () => {
    const there = await (await browser.newContext({ baseURL: site.url })).newPage()
    await signInAs(there, busy)
    return there
  }
  const [phone, tablet] = [await signInElsewhere(), await signInElsewhere()]
  await page.goto('/account/devices')
  const devices = page.getByRole('main').getByRole('listitem')
  await expect(devices).toHaveCount(3)
  await expect(devices.first()).toContainText('This device')
  await devices.nth(1).getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await expect(devices).toHaveCount(2)
  await tablet.goto('/dashboard')
  await expect(tablet).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  await expect(devices).toHaveCount(1)
  await phone.goto('/dashboard')
  await expect(phone).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login?next=%2Fdashboard')
})

test('one takes one’s data away as a file', async ({ page }) => {
  await enterAsOwner(page, '/account/data')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^account-\d{4}-\d\d-\d\d\.json$/)
})

test('an account is given up by typing its address, kept by one press, and the last owner stays', async ({ page, browser, site }) => {
  await enterAsOwner(page, '/account/data')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const first = page.getByRole('dialog', { name: 'Something comes first' })
  await expect(first.getByText('You are the only owner of this installation. Make someone else an owner first.')).toBeVisible()

  const grace = { ...olive, firstName: 'Grace', email: 'leaving@harbor.example' }
  const customer = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enterAsCustomer(customer, grace, '/account/data')
  await customer.getByRole('button', { name: 'Delete my account' }).click()
  const asked = customer.getByRole('dialog', { name: 'Delete your account?' })
  await asked.getByLabel('Your email').fill('someone@example.com')
  await asked.getByRole('button', { name: 'Delete my account' }).click()
  await expect(asked.getByText('This is not the address of your account.')).toBeVisible()
  await asked.getByLabel('Your email').fill(grace.email)
  await asked.getByRole('button', { name: 'Delete my account' }).click()
  await expect(asked).toBeHidden()

  await signOut(customer)
  await signIn(customer, grace)
  const banner = customer.getByRole('region', { name: 'Deletion of your account' })
  await banner.getByRole('button', { name: 'Keep my account' }).click()
  await expect(banner).toBeHidden()
  const email = await openEmail(customer, { to: grace.email, action: 'Keep my account' })
  await expect(email).toHaveURL('/account/data')
  await expect(email.getByRole('button', { name: 'Delete my account' })).toBeVisible()
})
