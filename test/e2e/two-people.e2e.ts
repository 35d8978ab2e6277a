import type { Browser } from '@playwright/test'
import { type MailServer, openMailServer } from '#test/mail-server.ts'
import { expect, test, workingTest } from './fixtures.ts'
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

/** Behind a proxy, which tells the network of a visitor, with a mail server of its own. */
const proxied = test.extend<{ mail: MailServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  mail: async ({}, use) => {
    const mail = await openMailServer()
    await use(mail)
    await mail.close()
  },
  settings: async ({ mail }, use) => use({ OWNER_EMAIL: OWNER, TRUST_PROXY: '127.0.0.1', SMTP_URL: mail.url }),
})

/** The links in the emails to the owner, in the order of the sign-ups. */
async function linksIn(mail: MailServer): Promise<string[]> {
  await expect.poll(() => mail.received.length).toBe(2)
  return mail.received.map(({ html = '' }) => (/href="([^"]*\/login\/confirm[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&'))
}

proxied.describe('where the owner’s address is set', () => {
  proxied(
    'a stranger signs up with the owner’s address; the owner, seconds later, gets an email, is asked for a password, and owns the installation',
    async ({ mail, browser, baseURL }) => {
      const theirs = await newVisitor(browser, baseURL, '203.0.113.7')
      await signUp(theirs, stranger)
      const mine = await newVisitor(browser, baseURL, '198.51.100.9')
      await signUp(mine, owner)

      // The first email is the stranger's.
      const [theirLink = ''] = await linksIn(mail)
      await mine.goto(theirLink)
      await mine.getByLabel('New Password', { exact: true }).fill(CHOSEN)
      await mine.getByRole('textbox', { name: 'Confirm New Password' }).fill(CHOSEN)
      await mine.getByRole('button', { name: 'Confirm this address' }).click()
      await expect(mine.getByText('Your password has been saved. Please sign in with it.')).toBeVisible()
      await mine.getByLabel('Password', { exact: true }).fill(CHOSEN)
      await mine.getByRole('button', { name: 'Sign In', exact: true }).click()
      await expect(mine.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()

      await signIn(theirs, stranger)
      await expect(theirs.getByText('Invalid login credentials')).toBeVisible()
    },
  )

  proxied(
    'the owner’s own email continues in the browser of its sign-up, whatever a stranger did before',
    async ({ mail, browser, baseURL }) => {
      await signUp(await newVisitor(browser, baseURL, '203.0.113.7'), stranger)
      const mine = await newVisitor(browser, baseURL, '198.51.100.9')
      await signUp(mine, owner)
      const [, ownLink = ''] = await linksIn(mail)
      await mine.goto(ownLink)
      await mine.getByRole('button', { name: 'Confirm this address' }).click()
      await expect(mine.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
    },
  )
})

workingTest('who signs in before confirming is told to confirm the address first, and can send the email again', async ({ page }) => {
  const hasty = { ...owner, email: 'hasty@harbor.example' }
  await signUp(page, hasty)
  await signIn(page, hasty)
  const status = page.getByRole('status').filter({ hasText: 'Confirm your email address first.' })
  await expect(status).toBeVisible()
  await expect(status.getByRole('button', { name: 'Resend the email' })).toBeVisible()
})
