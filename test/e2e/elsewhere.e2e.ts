import { CLIENT, SECRET, startProvider } from '#test/provider-server.ts'
import { expect, workingTest } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, enterAsOwner } from './steps.ts'

let provider: Awaited<ReturnType<typeof startProvider>> | undefined

/** Their installation, which they share, has a provider of OpenID Connect. */
const test = workingTest.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its first argument
  settings: async ({}, use) => {
    provider ??= await startProvider()
    await use({
      SECURITY_MANUAL_LINKING_ENABLED: 'true',
      EXTERNAL_KEYCLOAK_ENABLED: 'true',
      EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT,
      EXTERNAL_KEYCLOAK_SECRET: SECRET,
      EXTERNAL_KEYCLOAK_URL: `${provider.base}/realm`,
    })
  },
})
// One worker runs them all.
test.describe.configure({ mode: 'default' })
test.afterAll(async () => {
  await provider?.close()
  provider = undefined
})

/** The person that the provider signs in from now on. */
function atProvider(firstName: string, email = `${firstName.toLowerCase()}@elsewhere.example`) {
  const person = { sub: firstName, email, email_verified: true, name: `${firstName} Elsewhere` }
  if (provider) provider.state.person = person
}

test('one signs in with an account elsewhere, and comes back to where one wanted to go', async ({ page }) => {
  atProvider('Ada')
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveText(['Continue with Keycloak'])
  await page.getByRole('button', { name: 'Continue with Keycloak' }).click()
  await expect(page).toHaveURL('/account/security')
  const ways = page.getByRole('region', { name: 'Sign-in methods' })
  await expect(ways.getByRole('listitem')).toContainText(['Keycloak'])
  await expect(page.getByRole('button', { name: 'Set a password' })).toBeVisible()
})

test('an account elsewhere is connected to the one here, and removed again', async ({ page }) => {
  atProvider('Olive')
  await enterAsOwner(page, '/account/security')
  const ways = page.getByRole('region', { name: 'Sign-in methods' })
  await ways.getByRole('button', { name: 'Connect Keycloak' }).click()
  await expect(page).toHaveURL(/\/account\/security/)
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await ways.getByRole('button', { name: 'Remove Keycloak' }).click()
  await page.getByRole('dialog', { name: 'Remove Keycloak?' }).getByRole('button', { name: 'Remove' }).click()
  await expect(ways.getByRole('listitem')).toHaveCount(1)
  await expect(ways.getByRole('button', { name: 'Connect Keycloak' })).toBeVisible()
})

test('a member who signed in in another way than the organization asks for reads which one is needed, and is in after it', async ({
  page,
  browser,
  site,
}) => {
  atProvider('Grace')
  const mia = { firstName: 'Mia', lastName: 'Member', email: 'mia@acme.example', password: 'correct horse battery' }
  await page.goto('/login?next=%2Faccount%2Forganization')
  await page.getByRole('button', { name: 'Continue with Keycloak' }).click()
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('Acme Retail')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  await page.getByLabel('Email').fill(mia.email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('list', { name: 'Open invitations' }).getByText(mia.email)).toBeVisible()

  const phone = await browser.newPage({ baseURL: site.url, viewport: { width: 390, height: 844 } })
  await enterAsCustomer(phone, mia, '/account/organization')
  await phone.getByRole('button', { name: 'Join Acme Retail' }).click()
  await expect(phone.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()
  await page.getByLabel('Members must sign in with').selectOption({ label: 'Keycloak' })
  await expect(page.getByText('Members now have to sign in with Keycloak').first()).toBeVisible()

  await phone.goto('/data-marketplace/promotion-history/buy')
  await expect(phone.getByText('Acme Retail asks its members to sign in with Keycloak.', { exact: false })).toBeVisible()
  // The same within the browser, where the error comes as data.
  await phone.goto('/data-marketplace/promotion-history')
  await phone.getByRole('link', { name: 'Buy', exact: true }).click()
  await expect(phone.getByRole('main').getByRole('link', { name: 'Sign in with Keycloak' })).toBeVisible()
  await phone.goto('/account/billing')
  await phone.getByRole('link', { name: 'Sign in with Keycloak' }).first().click()
  await expect(phone.getByText('Needs Keycloak')).toBeVisible()
  await expect(phone.getByText(`Use the Keycloak account with the address ${mia.email}.`, { exact: false })).toBeVisible()
  await expectSound(phone)
  // Elsewhere it is not the one they work for, and cannot become it.
  await phone.getByRole('button', { name: 'Switch to Personal' }).click()
  await expect(phone.getByRole('button', { name: 'Sign in with Keycloak for Acme Retail' })).toBeVisible()
  await expect(phone.getByRole('button', { name: /^Switch to/ })).toHaveCount(0)
  await phone.getByRole('button', { name: 'Sign in with Keycloak for Acme Retail' }).press('Enter')
  atProvider('Mia', mia.email)
  await phone.getByRole('button', { name: 'Continue with Keycloak' }).click()
  await phone.getByRole('button', { name: 'Switch to Acme Retail' }).click()
  await expect(phone.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()
  await expect(phone.getByText('Needs Keycloak')).toHaveCount(0)
})

test('a return without a code shows the reason in our words, never in those of the address', async ({ page }) => {
  const sent = (code: string) => `/login/return?error=access_denied&error_code=${code}&error_description=Call+555+now`
  await page.goto(sent('identity_already_exists'))
  await expect(page.getByText('That external account is already connected to another account here.')).toBeVisible()
  await page.goto(sent('something_new'))
  await expect(page.getByText('The provider didn’t sign you in. Please try again.')).toBeVisible()
  await expect(page.getByText('Call 555 now')).toHaveCount(0)
  await page.goto('/login/return?code=0199a6a0-0000-4000-8000-000000000001')
  await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  await expect(page.getByRole('alert').getByText('Sign in failed', { exact: true })).toBeVisible()
})
