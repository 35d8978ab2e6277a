import type { CDPSession, Page } from '@playwright/test'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, olive, signIn, signOut } from './steps.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const pia = { ...olive, firstName: 'Pia', email: 'pia@keys.example' }

/** Virtual authenticators of the browser: `touch` simulates a person's touch. */
async function withAuthenticators(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const add = async (transport: 'internal' | 'usb') => {
    const has = transport === 'internal'
    const kind = { protocol: 'ctap2', transport, hasResidentKey: has, hasUserVerification: has, isUserVerified: has } as const
    return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, automaticPresenceSimulation: true } })).authenticatorId
  }
  const touch = (authenticatorId: string, enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  const remove = (authenticatorId: string) => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  return { add, touch, remove }
}

test('a passkey is added, named, signs in by the button and by the suggestions of the browser, goes before a second step, and is removed', async ({
  page,
}) => {
  const { add, touch, remove } = await withAuthenticators(page)
  const laptop = await add('internal')
  await enterAsCustomer(page, pia, '/account/security')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await expect(section.getByText('You have no passkeys yet.')).toBeVisible()
  await section.getByRole('button', { name: 'Add a passkey' }).focus()
  await page.keyboard.press('Enter')
  await expect(notice(page).getByText('Passkey added')).toBeVisible()
  await section.getByRole('button', { name: 'Rename Chrome on Linux' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Laptop')
  await page.keyboard.press('Enter')
  await expect(section.getByText('Laptop', { exact: true })).toBeVisible()
  await expect(section.getByText('not used yet')).toBeVisible()
  await expectSound(page)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(notice(page).getByText('This device already holds a passkey for your account.')).toBeVisible()

  await signOut(page)
  await touch(laptop, false)
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  const enter = page.getByRole('button', { name: 'Sign in with a passkey' })
  await expect(enter).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  await expectSound(page)
  await touch(laptop, true)
  await enter.press('Enter')
  await expect(page).toHaveURL('/account/security')
  await expect(section.getByText('last used')).toBeVisible()

  await signOut(page)
  // The browser suggests a passkey in the email field, and the authenticator accepts it.
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  await expect(page).toHaveURL('/account/security')

  const key = await add('usb')
  await page.getByRole('button', { name: 'Add a security key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a security key' })
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByRole('button', { name: 'Remove Security key' })).toBeVisible()

  await signOut(page)
  await touch(laptop, false)
  await signIn(page, pia)
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Use security key' }).press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await expect(notice(page).getByText('You have successfully signed in.')).toBeVisible()

  await page.goto('/account/security')
  for (const [what, told] of [
    ['Laptop', 'Passkey removed'],
    ['Security key', 'Security key removed'],
  ] as const) {
    await page.getByRole('button', { name: `Remove ${what}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(notice(page).getByText(told)).toBeVisible()
  }
  await expect(section.getByText('You have no passkeys yet.')).toBeVisible()
  await signOut(page)
  await remove(key)
  await page.goto('/login')
  await expect(enter).toBeVisible()
  await touch(laptop, true)
  await enter.click()
  await expect(notice(page).getByText('Sign In Failed').first()).toBeVisible()
  await touch(laptop, false)
  await signIn(page, pia)
  await expect(page).toHaveURL('/dashboard')
})
