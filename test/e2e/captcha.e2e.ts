import type { Page } from '@playwright/test'
import { codeOf, lastCodeOf } from '#test/totp.ts'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { becomeOwner, olive, signIn, signOut } from './steps.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })

test.use({
  settings: {
    RATE_LIMITS: 'off',
    SECURITY_CAPTCHA_ENABLED: 'true',
    SECURITY_CAPTCHA_PROVIDER: 'turnstile',
    SECURITY_CAPTCHA_SECRET: 'only we two know',
  },
})

test('with a captcha asked of programs, people sign up, sign in, by code as well, and take the second step on our pages', async ({
  page,
  site,
}) => {
  const program = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ email: olive.email, password: olive.password }),
  })
  expect([program.status, await program.json()]).toMatchObject([400, { code: 'captcha_failed' }])

  await becomeOwner(page)
  await signOut(page)
  await signIn(page, olive)
  await expect(notice(page).getByText('You have successfully signed in.')).toBeVisible()
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const secret = await dialog.getByRole('code').innerText()
  await dialog.getByLabel('2. Enter the code it shows').fill(await lastCodeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()

  await signOut(page)
  await signIn(page, { ...olive, password: 'wrong horse' })
  const refusal = page.getByRole('alert').filter({ hasText: 'Sign In Failed' })
  await expect(refusal).toContainText('Invalid login credentials')
  await expect(page.getByLabel('Email')).toHaveValue(olive.email)
  await expectSound(page)
  await page.getByLabel('Password', { exact: true }).fill(olive.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await expect(notice(page).getByText('Success!')).toBeHidden()
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page
    .getByRole('link', { name: 'Account' })
    .or(page.getByRole('button', { name: 'Account of Olive' }))
    .first()
    .click()
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Remove Authenticator' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
  await signOut(page)
  await page.goto('/login?next=%2Faccount')
  await page.getByRole('link', { name: 'Email me a code' }).click()
  // The previous page also has a field of this name.
  await expect(page.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible()
  await page.getByLabel('Email').fill(olive.email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Token has expired or is invalid')).toBeVisible()
  await page.getByRole('button', { name: 'Use another address or resend' }).click()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(page.getByText('If nobody@example.com can receive emails')).toBeVisible()
})
