import type { Page } from '@playwright/test'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'
import { byLength } from '#test/length.ts'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { startServer } from './server.ts'
import {
  codeInEmail,
  enterAsCustomer,
  enterAsOwner,
  olive,
  openEmail,
  signIn,
  signInAsOwner,
  wrongFor,
  stayBeforeSignIn,
  signOut,
} from './steps.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
ownTest.use({ owned: true })

const NEW = 'another horse battery'

async function typePassword(page: Page, { password = NEW, current = olive.password } = {}) {
  await page.getByRole('textbox', { name: 'Current password' }).fill(current)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
}

test.describe('where a new password wants proofs', () => {
  const settings = {
    SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
    SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true',
    SMTP_MAX_FREQUENCY: '6s',
  }
  ownTest.use({ settings })

  ownTest('the old one is asked for at its field, and a wrong one is told there', async ({ page }) => {
    await enterAsOwner(page, '/account/security')
    await typePassword(page, { current: '' })
    const current = page.getByRole('textbox', { name: 'Current password' })
    await expect(current).toBeFocused()
    await expect(current).toHaveAccessibleDescription(/Enter your current password$/)
    await current.fill('wrong horse')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(current).toHaveAccessibleDescription(/Current password is not right\.$/)
    await current.fill(olive.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(notice(page).getByText('Password changed')).toBeVisible()
    await expect(current).toHaveValue('')
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue('')
  })

  ownTest(
    'in a session of yesterday a code is emailed first; another one can be had, only the newest counts, and the old password comes after it',
    async ({ page, site }) => {
      await signInAsOwner(page)
      await site.stop()
      const engine = await openEmbedded(site.dataDir)
      await engine.query(`update sessions set created_at = created_at - interval '25 hours'`)
      await engine.close()
      const again = await startServer({ DATA_DIR: site.dataDir, ...settings, PORT: new URL(site.url).port })

      await page.goto('/account/security')
      await typePassword(page)
      const code = page.getByRole('textbox', { name: 'Code from the email' })
      await expect(code).toBeFocused()
      await expect(code).toHaveAccessibleDescription(/Enter the code we sent to your address/)
      const first = await codeInEmail(page, /code/i, 1)
      await code.fill(wrongFor(first))
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(code).toHaveAccessibleDescription(/This isn’t the code from the latest email, or it expired/)
      await expect(async () => {
        await page.getByRole('button', { name: 'Send another code', exact: true }).click({ timeout: 1000 })
        await expect(notice(page).getByText('Another code is on its way')).toBeVisible({ timeout: 1000 })
      }).toPass()
      const second = await codeInEmail(page, /code/i, 2)
      await code.fill(first === second ? wrongFor(first) : first)
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(code).toHaveAccessibleDescription(/This isn’t the code from the latest email/)
      await code.fill(` ${second} `)
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(notice(page).getByText('Password changed')).toBeVisible()
      await again.stop()
    },
  )
})

test.describe('when a session is renewed', () => {
  // The page renews its session 20 seconds after the sign-in. Signed out elsewhere before that, it is refused. The auth client keeps a session that was
  // renewed just before until its token expires.
  const aRenewal = { timeout: 60_000 }
  ownTest.describe.configure({ timeout: 240_000 })
  ownTest.use({ settings: { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0', JWT_EXP: '110' } })

  ownTest(
    'a person whose session has ended reads why in each tab and comes back; a person who has signed out lands on the home page',
    async ({ page, context }) => {
      await enterAsOwner(page, '/account/security')
      const second = await context.newPage()
      await second.goto('/account')
      await expect(second.getByLabel('New email')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
      const elsewhere = await context.newPage()
      await elsewhere.goto('/api/logout')
      await expect(second).toHaveURL('/login?notice=ended&next=%2Faccount', aRenewal)
      await expect(page).toHaveURL('/login?notice=ended&next=%2Faccount%2Fsecurity', aRenewal)
      await expect(page).toHaveTitle(/Your session has ended/)
      await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
      await page.getByLabel('Email').fill(olive.email)
      await page.getByLabel('Password', { exact: true }).fill(olive.password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/account/security')

      await page.goto('/account/security')
      await second.goto('/account')
      await second.getByRole('button', { name: 'Account of Olive' }).click()
      await second.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(second).toHaveURL('/')
      await expect(page).toHaveURL('/')
    },
  )
})

test.describe('in two tabs', () => {
  const acts: [what: string, act: (page: Page) => Promise<void>][] = [
    ['a new password', (page) => typePassword(page)],
    ['an authenticator', (page) => page.getByRole('button', { name: 'Set up two-factor authentication' }).click()],
  ]
  for (const [what, act] of byLength(acts.slice(0, 1), acts)) {
    test(`after a sign-out in one tab the other says so at ${what}, and a new sign-in returns to the same place`, async ({
      page,
      context,
    }) => {
      await enterAsOwner(page, '/account/security')
      await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
      const other = await context.newPage()
      await other.goto('/api/logout')
      const { told, leave } = await stayBeforeSignIn(page)
      await act(page)
      await told
      leave()
      await expect(page).toHaveURL('/login?next=%2Faccount%2Fsecurity&notice=ended')
      await page.getByLabel('Email').fill(olive.email)
      await page.getByLabel('Password', { exact: true }).fill(olive.password)
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await expect(page).toHaveURL('/account/security')
    })
  }

  test('of two new addresses the later one counts, and the links to the first say that they no longer work', async ({ page, context }) => {
    await enterAsCustomer(page, { ...olive, email: 'moving@security.example' }, '/account')
    const other = await context.newPage()
    await other.goto('/account')
    await page.getByLabel('New email').fill('first@security.example')
    await page.getByRole('button', { name: 'Change address' }).click()
    await expect(page.getByText('Not confirmed yet')).toBeVisible()
    await other.getByLabel('New email').fill('second@security.example')
    await other.getByRole('button', { name: 'Change address' }).click()
    await expect(other.getByText('second@security.example')).toBeVisible()

    const dead = await openEmail(page, { to: 'first@security.example', action: 'Confirm new address' })
    await expect(dead.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    await dead.getByRole('link', { name: 'Go to your account' }).click()
    await expect(dead).toHaveURL('/account')
    await expect(dead.getByText('second@security.example')).toBeVisible()
  })

  test('a double click asks once, and the way back after it shows what is', async ({ page }) => {
    const twice = { ...olive, email: 'twice@security.example' }
    await enterAsCustomer(page, twice, '/account')
    await page.goto('/account/security')
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') changes.push(request.url())
    })
    await page.getByRole('textbox', { name: 'Current password' }).fill(olive.password)
    await page.getByLabel('New password', { exact: true }).fill(NEW)
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(NEW)
    await page.getByRole('button', { name: 'Change password' }).dblclick()
    await expect(notice(page).getByText('Password changed')).toBeVisible()
    expect(changes).toHaveLength(1)
    await page.goBack()
    await page.getByLabel('New email').fill('late@security.example')
    await page.getByRole('button', { name: 'Change address' }).dblclick()
    await expect(page.getByText('Not confirmed yet')).toBeVisible()
    expect(changes).toHaveLength(2)
    await page.goForward()
    await page.goBack()
    await expect(page.getByText('late@security.example')).toBeVisible()
    await signOut(page)
    await signIn(page, { ...twice, password: NEW })
    await expect(page).toHaveURL('/dashboard')
  })

  test('the way back while an authenticator is being set up changes nothing, and it can be begun again', async ({ page }) => {
    await enterAsOwner(page, '/account')
    await page.getByRole('link', { name: 'Security' }).click()
    const begin = page.getByRole('button', { name: 'Set up two-factor authentication' })
    await begin.click()
    await expect(page.getByRole('dialog').getByRole('img', { name: 'The secret as a QR code' })).toBeVisible()
    await page.goBack()
    // The address is the first to change: until the page before is there, the way forward leads back to this one as it was, with its dialog.
    await expect(page.getByLabel('New email')).toBeVisible()
    await expect(page).toHaveURL('/account')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goForward()
    await begin.click()
    await expect(page.getByRole('dialog').getByRole('img', { name: 'The secret as a QR code' })).toBeVisible()
  })
})
