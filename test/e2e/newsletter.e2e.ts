import type { Email } from 'postal-mime'
import { type MailServer, openMailServer } from '#test/mail-server.ts'
import { atLength } from '#test/length.ts'
import { faultsOf } from './faults.ts'
import { expect, test as base } from './fixtures.ts'
import { startServer } from './server.ts'
import { enterAsOwner, signInAsOwner } from './steps.ts'

const test = base.extend<{ mail: MailServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  mail: async ({}, use) => {
    const mail = await openMailServer()
    await use(mail)
    await mail.close()
  },
  settings: async ({ mail }, use) => use({ RATE_LIMITS: 'off', SMTP_URL: mail.url, MAIL_FROM: 'Winnow <hello@winnow.example>' }),
})

test.use({ owned: true })

const grace = 'grace@example.org'
/** Newsletter emails that one process sends at the same time. */
const AT_ONCE = 5

test('a reader subscribes below a post, confirms by email, gets the next one that staff send, and leaves with one click', async ({
  page,
  browser,
  site,
  mail,
}) => {
  await page.goto('/blog/files-or-an-api')
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  const panel = page.getByRole('region', { name: 'New posts by email' })
  await panel.getByLabel('Email').fill('grace')
  await panel.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(grace)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])

  const asked = await emailTo(mail, grace, 'Confirm your subscription to Winnow')
  await page.goto(linkIn(asked, '/newsletter/confirm'))
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm subscription' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible()

  const desk = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enterAsOwner(desk, '/admin/newsletter')
  await expect(desk.getByRole('row').filter({ hasText: grace })).toContainText(/Subscribed.*Post/)
  await desk.getByRole('tab', { name: 'Posts' }).click()
  await desk.getByRole('button', { name: `Send to subscribers: ${title}` }).press('Enter')
  const question = desk.getByRole('dialog', { name: 'Send to 1 subscriber?' })
  expect(await faultsOf(desk)).toEqual([])
  await question.getByRole('button', { name: 'Send to 1 subscriber' }).click()
  await expect(desk.getByRole('row').filter({ hasText: title })).toContainText('1 sent')
  // A post that was sent has no button to send it again.
  await expect(desk.getByRole('button', { name: `Send to subscribers: ${title}` })).toBeHidden()

  const sent = await emailTo(mail, grace, title)
  const [, address = ''] = /<(.+)>/.exec(headerOf(sent, 'list-unsubscribe')) ?? []
  expect(headerOf(sent, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  // As a mail program does: without cookies, without a page.
  const left = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  })
  expect(left.status).toBe(200)
  await desk.goto('/admin/newsletter')
  await expect(desk.getByRole('row').filter({ hasText: grace })).toContainText('Unsubscribed')
  await page.goto(linkIn(sent, '/newsletter/unsubscribe'))
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
})

test('a post reaches each subscriber once, also when the process is killed while it sends', atLength, async ({ page, site, mail }) => {
  const readers = Array.from({ length: 24 }, (_, index) => `reader-${index}@example.org`)
  for (const email of readers) await subscribe(site.url, mail, email)
  await signInAsOwner(page)
  const { posts }: { posts: { id: string; title: string }[] } = await (await page.request.get('/api/newsletter/posts')).json()
  const [sending] = posts
  // So slow that most are on their way or waiting when the process dies.
  mail.delays.data = () => 150
  const before = mail.received.length
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await page.request.post(`/api/newsletter/posts/${sending?.id}/send`, { data: {}, headers })).status()).toBe(202)
  await expect.poll(() => mail.received.length - before).toBeGreaterThan(2)
  await site.stop('SIGKILL')
  const reached = mail.received.length - before
  expect(reached).toBeLessThan(readers.length)

  mail.delays.data = () => 0
  const again = await startServer({
    DATA_DIR: site.dataDir,
    PORT: new URL(site.url).port,
    RATE_LIMITS: 'off',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Winnow <hello@winnow.example>',
  })
  try {
    const issue = async () => {
      const list: { posts: { id: string; issue: { sent: number; waiting: number } | null }[] } = await (
        await page.request.get('/api/newsletter/posts')
      ).json()
      return list.posts.find(({ id }) => id === sending?.id)?.issue
    }
    await expect.poll(issue, { timeout: 60_000 }).toMatchObject({ sent: readers.length, waiting: 0 })
  } finally {
    await again.stop()
  }
  const emails = mail.received.slice(before).filter(({ subject }) => subject === sending?.title)
  const ids = readers.map((email) => new Set(emails.filter(({ to }) => to?.[0]?.address === email).map(({ messageId }) => messageId)))
  expect(ids.map(({ size }) => size)).toEqual(readers.map(() => 1))
  // Only an email that the mail server took in the moment of the kill can come twice, and mail programs know it by its Message-ID.
  expect(emails.length - readers.length).toBeLessThanOrEqual(AT_ONCE)
})

/** Subscribes and confirms, as the forms of the pages do. */
async function subscribe(origin: string, mail: MailServer, email: string) {
  const sent = { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-origin' }, redirect: 'manual' } as const
  const asked = await fetch(`${origin}/newsletter`, { ...sent, body: new URLSearchParams({ email, source: 'page' }) })
  expect(asked.status).toBe(303)
  const link = linkIn(await emailTo(mail, email, 'Confirm your subscription to Winnow'), '/newsletter/confirm')
  const confirmed = await fetch(`${origin}${link}`, { ...sent, body: new URLSearchParams() })
  expect(confirmed.status).toBe(200)
}

async function emailTo(mail: MailServer, address: string, subject: string): Promise<Email> {
  const find = () => mail.received.find((email) => email.to?.[0]?.address === address && email.subject === subject)
  await expect.poll(find, { message: `“${subject}” to ${address}` }).toBeDefined()
  const found = find()
  if (!found) throw new Error('The email was taken away.')
  return found
}

/** The path of an email's link, which the browser opens on this machine. */
function linkIn({ text = '' }: Email, path: string): string {
  const [address = ''] = new RegExp(String.raw`https?://\S+${path}\?token=[\w.-]+`).exec(text) ?? []
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

function headerOf({ headers }: Email, name: string): string {
  return headers.find(({ key }) => key === name)?.value ?? ''
}
