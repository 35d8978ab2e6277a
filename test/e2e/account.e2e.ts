import type { BrowserContext, Page } from '@playwright/test'
import { importJWK, SignJWT } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { expect, readingTest, test as ownTest, workingTest as test } from './fixtures.ts'
import { enterAsCustomer, enterAsOwner, olive, openEmail, signIn, signOut } from './steps.ts'

/** Signs for the server that the test starts. */
const jwk = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'browser-test',
  alg: 'ES256',
}

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const menu = (page: Page) => page.getByRole('button', { name: 'Account of Olive' })

readingTest('the card turns around, and each error is shown at its field', async ({ page }) => {
  // Nobody owns this installation, so it opens with the sign-up form.
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await page.getByLabel('Email').fill('olive')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()

  await page.getByRole('link', { name: 'Create one' }).click()
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill('correct house')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByText('Last name is required')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Confirm Password' })).toHaveAccessibleDescription("Passwords don't match")
})

readingTest('each of the three passwords can be shown by itself', async ({ page }) => {
  await page.goto('/login?mode=sign-in')
  const password = page.getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')

  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByRole('button', { name: 'Show confirm password' }).click()
  await expect(page.getByRole('textbox', { name: 'Confirm Password' })).toHaveAttribute('type', 'text')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
})

readingTest('a refusal shows the message of the service, and our own where it has none', async ({ page }) => {
  await signIn(page, { email: 'nobody@example.com', password: 'correct horse' })
  await expect(notice(page).getByText('Sign In Failed', { exact: true })).toBeVisible()
  await expect(notice(page).getByText('Invalid login credentials')).toBeVisible()
  await expect(page.getByRole('status').getByRole('link', { name: 'Resend the confirmation email' })).toBeVisible()

  await page.route('**/auth/v1/token**', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(notice(page).getByText('Sign in failed', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Create one' }).click()
  for (const [label, value] of [
    ['First Name', 'Olive'],
    ['Last Name', 'Owner'],
    ['Email', olive.email],
  ] as const) {
    await page.getByLabel(label).fill(value)
  }
  await page.getByLabel('Password', { exact: true }).fill('123qweasdzxc')
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill('123qweasdzxc')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(notice(page).getByText('Sign Up Failed', { exact: true })).toBeVisible()
  const common = 'This is one of the most common passwords. Please choose another one.'
  await expect(notice(page).getByText(common)).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(new RegExp(common))
})

test.describe('where there is an account', () => {
  test('where the service gives no message, ours says what did not work', async ({ page }) => {
    const answers: { status: number; body: string }[] = [
      { status: 400, body: '{}' },
      { status: 400, body: '' },
      { status: 502, body: '<h1>Bad Gateway</h1>' },
    ]
    const tryWith = async (path: string, action: () => Promise<void>, text: string) => {
      for (const { status, body } of answers) {
        await page.route(path, (route) => route.fulfill({ status, body }))
        await action()
        await expect(notice(page).getByText(text, { exact: true }).first()).toBeVisible()
        await notice(page).getByRole('button', { name: 'Dismiss' }).click()
        await page.unroute(path)
      }
    }
    await enterAsOwner(page)
    const logout = async () => {
      await menu(page).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
    }
    await tryWith('**/auth/v1/logout**', logout, 'Sign out failed')
    await logout()
    await expect(page).toHaveURL('/')

    await page.goto('/login')
    await page.getByLabel('Email').fill(olive.email)
    await page.getByLabel('Password', { exact: true }).fill(olive.password)
    const enter = () => page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await tryWith('**/auth/v1/token**', enter, 'Sign in failed')
    answers.splice(0, answers.length, { status: 200, body: '{}' })
    await tryWith('**/auth/v1/token**', enter, 'Failed to get session')
  })

  test('the menu names who is signed in and leads to every part; leaving ends at the home page', async ({ page, context }) => {
    await enterAsOwner(page)
    await menu(page).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      'Dashboard',
      'Data Marketplace',
      'Manage Blog',
      'Manage Redirects',
      'Manage Products',
      'Users',
      'Account',
      'Logout',
    ])
    await page.getByRole('menuitem', { name: 'Manage Blog' }).click()
    await expect(page).toHaveURL('/admin/blog')
    expect((await context.storageState()).origins.flatMap(({ localStorage }) => localStorage.map(({ value }) => value)).join()).not.toMatch(
      /eyJ/,
    )

    await menu(page).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/login?next=%2Fdashboard')
  })

  test('in the menu, letters lead to an entry and are forgotten after a second', async ({ page }) => {
    await enterAsOwner(page)
    await menu(page).press('Enter')
    await page.keyboard.press('m')
    await expect(page.getByRole('menuitem', { name: 'Manage Blog' })).toBeFocused()
    await page.waitForTimeout(1100)
    await page.keyboard.press('l')
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused()
    await page.keyboard.press('d')
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toBeFocused()
  })

  test('on a small screen the drawer shows who is there and the way out', async ({ page }) => {
    await enterAsOwner(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByText('Olive')).toBeVisible()
    await drawer.getByRole('link', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(drawer.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/api/login')
  })

  test('leaving in one tab leaves the others, once they hear of it', async ({ page, context }) => {
    await enterAsOwner(page)
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
    await menu(page).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    // The tab may receive the signal before any click.
    await expect(async () => {
      if (other.url().endsWith('/dashboard')) await other.getByRole('link', { name: 'Data Marketplace' }).first().click({ timeout: 3000 })
      await expect(other).toHaveURL(/\/(login.*)?$/, { timeout: 3000 })
    }).toPass()
  })

  test('a forgotten password is replaced through the email', async ({ page }) => {
    const person = { ...olive, email: 'forgetful@harbor.example' }
    await enterAsCustomer(page, person, 'about:blank')
    await signOut(page)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByText('it’s on its way')).toBeVisible()

    const tab = await openEmail(page, { to: person.email, action: 'Choose a new password' })
    await tab.getByLabel('New Password', { exact: true }).fill('another horse battery')
    await tab.getByRole('textbox', { name: 'Confirm New Password' }).fill('another horse battery')
    await tab.getByRole('button', { name: 'Save new password' }).click()
    await expect(tab.getByText('Your password has been saved. Please sign in with it.')).toBeVisible()
    await signIn(tab, { ...person, password: 'another horse battery' })
    await expect(tab).toHaveURL('/dashboard')
  })
})

test.describe('where the keys of the tokens are set', () => {
  test.use({ settings: { JWT_KEYS: JSON.stringify([jwk]) } })

  test('a person who returns after the access token has expired is signed in again on each page', async ({ page, context, site }) => {
    await enterAsOwner(page, 'about:blank')
    await expireAccess(context, site)
    await page.goto('/dashboard?tab=consultations')
    await expect(page).toHaveURL('/dashboard?tab=consultations')
    await expect(page.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

    await page.goto('about:blank')
    await expireAccess(context, site)
    await page.goto('/about')
    await expect(menu(page)).toBeVisible()

    // At `/` they see the public page until they are signed in again, then their workspace.
    await page.goto('about:blank')
    await expireAccess(context, site)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/auth/v1/token**', (route) => released.then(() => route.continue()))
    const renewing = page.waitForRequest('**/auth/v1/token**')
    await page.goto('/')
    await renewing
    await expect(page.getByRole('heading', { name: 'Transform Web Data Into Your Competitive Advantage' })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { name: 'Hello, Olive' })).toBeVisible()
  })
})

test.describe('where addresses need no confirmation', () => {
  ownTest.use({ settings: { MAILER_AUTOCONFIRM: 'true' } })

  ownTest('signing up ends on the dashboard, not on a notice about an email', async ({ page }) => {
    await page.goto('/login?mode=sign-up')
    await page.getByLabel('First Name').fill(olive.firstName)
    await page.getByLabel('Last Name').fill(olive.lastName)
    await page.getByLabel('Email').fill(olive.email)
    await page.getByLabel('Password', { exact: true }).fill(olive.password)
    await page.getByRole('textbox', { name: 'Confirm Password' }).fill(olive.password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL('/dashboard')
    // The address is unconfirmed, so the account does not own the installation.
    await expect(page.getByRole('heading', { name: `Welcome, ${olive.firstName}` })).toBeVisible()
  })
})

/** Ages the session by 15 minutes. */
async function expireAccess(context: BrowserContext, site: { url: string }) {
  const cookie = (await context.cookies()).find(({ name }) => name === 'winnow-access')
  if (!cookie) throw new Error('nobody is signed in')
  const { sub, session_id } = JSON.parse(Buffer.from(cookie.value.split('.')[1] ?? '', 'base64url').toString())
  const value = await new SignJWT({ session_id })
    .setProtectedHeader({ kid: jwk.kid, alg: jwk.alg })
    .setSubject(sub)
    .setIssuer(`${site.url}/auth/v1`)
    .setAudience('authenticated')
    .setExpirationTime('-1 minute')
    .sign(await importJWK(jwk, jwk.alg))
  await context.addCookies([{ ...cookie, value }])
}
