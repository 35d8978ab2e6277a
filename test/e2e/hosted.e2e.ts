import type { Page } from '@playwright/test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { atLength } from '#test/length.ts'
import { expect, test as base } from './fixtures.ts'
import { type Server, startServer } from './server.ts'
import { olive, signIn, signUp } from './steps.ts'

/** The installation of the fixture plays the hosted service; the browser visits another one, without its own accounts. */
const test = base.extend<{ product: Server }>({
  product: async ({ site }, use, info) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-hosted-'))
    cpSync(process.env.E2E_TEMPLATE ?? '', dataDir, { recursive: true })
    const product = await startServer({
      DATA_DIR: dataDir,
      SUPABASE_URL: site.url,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_for-everyone',
    })
    await use(product)
    await product.stop()
    if (info.status !== info.expectedStatus) await info.attach('product output', { body: product.output(), contentType: 'text/plain' })
    rmSync(dataDir, { recursive: true, force: true })
  },
  baseURL: async ({ product }, use) => use(product.url),
})

test.use({ settings: { OWNER_EMAIL: 'somebody@example.com' } })

/** The token of the service's email, as its owner's template puts it into a link to our page. */
async function confirmByEmail(page: Page, service: string) {
  await page.goto(`${service}/dev/mail`)
  const link = page.frameLocator('iframe').getByRole('link', { name: 'Confirm this address' })
  const token = new URL((await link.getAttribute('href')) ?? '').searchParams.get('token_hash') ?? ''
  await page.goto(`/login/confirm?token_hash=${token}&type=signup`)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByText('Your address is confirmed. You can sign in now.')).toBeVisible()
}

test('accounts of a hosted service: sign up, confirm, sign in, the sales dashboard, come back, sign out', async ({
  page,
  site,
  product,
}) => {
  await signUp(page, olive)
  await confirmByEmail(page, site.url)
  await signIn(page, olive)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

  const cookies = await page.context().cookies()
  const access = cookies.find(({ name }) => name === 'winnow-access')?.value ?? ''
  expect(
    cookies
      .filter(({ httpOnly }) => httpOnly)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['winnow-access', 'winnow-refresh'])
  expect(await page.evaluate(() => document.cookie)).not.toContain('winnow-')

  // After the token has expired, the refresh cookie signs the person in again.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

  await page.getByRole('button', { name: 'Account of Olive' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect((await fetch(`${product.url}/api/contacts`, { headers: { authorization: `Bearer ${access}` } })).status).toBe(401)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?next=/)
  for (const { output } of [product, site])
    for (const secret of [olive.password, access, 'sb_publishable']) expect(output()).not.toContain(secret)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the forms of the sign-in pages work with a hosted service, too', atLength, async ({ page, site }) => {
    await page.goto('/login?mode=sign-up')
    await page.getByLabel('First Name').fill(olive.firstName)
    await page.getByLabel('Last Name').fill(olive.lastName)
    await page.getByLabel('Email').fill(olive.email)
    await page.getByLabel('Password', { exact: true }).fill(olive.password)
    await page.getByLabel('Confirm Password', { exact: true }).fill(olive.password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible()
    await confirmByEmail(page, site.url)
    await signIn(page, { ...olive, password: 'wrong horse' })
    await expect(page.getByText('Invalid login credentials')).toBeVisible()
    await signIn(page, olive)
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/login/sign-out')
    await page
      .getByRole('button')
      .filter({ hasText: /sign out/i })
      .click()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login\?next=/)
  })
})
