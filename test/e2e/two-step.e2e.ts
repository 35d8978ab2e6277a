import type { Page, Route } from '@playwright/test'
import { codeOf, lastCodeOf } from '#test/totp.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { codeInEmail, enterAsCustomer, enterAsOwner, olive, signIn, signOut } from './steps.ts'

const SIGN_IN = /Your sign-in code and link/
const coded = { ...olive, email: 'coded@harbor.example' }
const plain = { ...olive, email: 'plain@harbor.example' }
const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })

test('the owner is invited to a second step, sets it up with an authenticator, needs it to sign in, and takes it off again', async ({
  page,
}) => {
  await enterAsOwner(page)
  await page.getByRole('link', { name: 'Enable 2FA' }).click()
  await expect(page).toHaveURL('/account/security#two-step')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await expect(dialog.getByRole('img', { name: 'The secret as a QR code' })).toBeVisible()
  const secret = await dialog.getByRole('code').innerText()
  await expectSound(page)
  await dialog.getByLabel('2. Enter the code it shows').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Invalid TOTP code entered')).toBeVisible()
  // A code works once, so the first one is that of the previous step.
  await dialog.getByLabel('2. Enter the code it shows').fill(await lastCodeOf(secret))
  // Once the factor is active, closing the dialog does not undo it.
  const cancel = async (route: Route) => {
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await route.continue()
  }
  await page.route('**/api/account/recovery-codes', cancel, { times: 1 })
  await dialog.getByRole('button', { name: 'Turn on' }).click()

  const kept = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(kept.getByRole('listitem')).toHaveCount(10)
  const codes = await kept.getByRole('listitem').allInnerTexts()
  await expectSound(page)
  const downloading = page.waitForEvent('download')
  await kept.getByRole('button', { name: 'Download codes' }).click()
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt')
  await kept.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 codes are left')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Enable 2FA' })).toBeHidden()

  await signOut(page)
  await signIn(page, olive)
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await expect(notice(page).getByText('Success!')).toBeHidden()
  await expectSound(page)
  await page.goto('/admin/users')
  await expect(page).toHaveURL('/login/second-step?next=%2Fadmin%2Fusers')
  await page.getByRole('textbox', { name: 'Code' }).fill('123')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription('Invalid TOTP code entered')
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/admin/users')
  await expect(notice(page).getByText('You have successfully signed in.')).toBeVisible()

  await signOut(page)
  await signIn(page, olive)
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0]?.toUpperCase() ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/account/security')
  await expect(page.getByText('9 codes are left')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Authenticator' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
})

test('people sign in by a code from an email, and a wrong code shows an error at its field', async ({ page }) => {
  await enterAsCustomer(page, coded, 'about:blank')
  await signOut(page)
  await page.goto('/login?next=%2Faccount')
  await page.getByRole('link', { name: 'Email me a code' }).click()
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Email').fill(coded.email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await expectSound(page)
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Token has expired or is invalid')).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeInEmail(page, SIGN_IN, 1, coded.email))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/account')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the code signs in as well', async ({ page, browser, site }) => {
    const live = await (await browser.newContext({ baseURL: site.url, javaScriptEnabled: true })).newPage()
    await enterAsCustomer(live, plain, 'about:blank')
    await page.goto('/login')
    await page.getByRole('link', { name: 'Email me a code' }).click()
    await page.getByLabel('Email').fill(plain.email)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeInEmail(live, SIGN_IN, 1, plain.email))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})
