import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { type Person, signIn, signUp } from './steps.ts'

const OWNER = 'olive@example.com'
const owner: Person = { firstName: 'Olive', lastName: 'Owner', email: OWNER, password: 'correct horse battery' }
const stranger: Person = { firstName: 'Mallory', lastName: 'Stranger', email: OWNER, password: 'mallory stole this one' }
const CHOSEN = 'chosen when the page asked'

/** A browser in a network of its own. */
async function newVisitor(browser: Browser, baseURL: string | undefined, network: string) {
  const context = await browser.newContext({ ...(baseURL && { baseURL }), extraHTTPHeaders: { 'x-forwarded-for': network } })
  return context.newPage()
}

/** The link in the newest or oldest of the owner's two emails. The inbox opens on this machine only, so it needs a browser without a network. */
async function linkOf(inbox: Page, which: 'newest' | 'oldest') {
  await inbox.goto('/dev/mail')
  const emails = inbox.getByRole('navigation', { name: 'Emails' }).getByRole('link').filter({ hasText: OWNER })
  await expect(emails).toHaveCount(2)
  await (which === 'newest' ? emails.first() : emails.last()).click()
  await inbox.waitForURL(/\/dev\/mail\?letter=/)
  return (await inbox.frameLocator('iframe').getByRole('link', { name: 'Confirm this address' }).getAttribute('href')) ?? ''
}

test.describe('where the owner’s address is set', () => {
  test.use({ settings: { OWNER_EMAIL: OWNER, TRUST_PROXY: '127.0.0.1' } })

  test('a stranger signs up with the owner’s address; the owner, seconds later, gets an email, is asked for a password, and owns the installation', async ({
    page,
    browser,
    baseURL,
  }) => {
    const theirs = await newVisitor(browser, baseURL, '203.0.113.7')
    await signUp(theirs, stranger)
    const mine = await newVisitor(browser, baseURL, '198.51.100.9')
    await signUp(mine, owner)

    // The older of the two emails is the stranger's.
    await mine.goto(await linkOf(page, 'oldest'))
    await mine.getByLabel('New Password', { exact: true }).fill(CHOSEN)
    await mine.getByRole('textbox', { name: 'Confirm New Password' }).fill(CHOSEN)
    await mine.getByRole('button', { name: 'Confirm this address' }).click()
    await expect(mine.getByText('Your password has been saved. Please sign in with it.')).toBeVisible()
    await mine.getByLabel('Password', { exact: true }).fill(CHOSEN)
    await mine.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(mine.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

    await signIn(theirs, stranger)
    await expect(theirs.getByText('Invalid login credentials')).toBeVisible()
  })

  test('the owner’s own email continues in the browser of its sign-up, whatever a stranger did before', async ({
    page,
    browser,
    baseURL,
  }) => {
    await signUp(await newVisitor(browser, baseURL, '203.0.113.7'), stranger)
    const mine = await newVisitor(browser, baseURL, '198.51.100.9')
    await signUp(mine, owner)
    await mine.goto(await linkOf(page, 'newest'))
    await mine.getByRole('button', { name: 'Confirm this address' }).click()
    await expect(mine.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
  })
})

test('who signs in before confirming is told to confirm the address first, and can send the email again', async ({ page }) => {
  await signUp(page, owner)
  await signIn(page, owner)
  const status = page.getByRole('status').filter({ hasText: 'Confirm your email address first.' })
  await expect(status).toBeVisible()
  await expect(status.getByRole('button', { name: 'Resend the email' })).toBeVisible()
})
