import type { Locator, Page } from '@playwright/test'
import { firstDatasets, pricedSample } from '#app/content/first-datasets.ts'
import { CHUNK_TYPE, UPLOADS } from '#app/datasets/import/upload.ts'
import { tus, tusMetadata } from '#test/tus.ts'
import { expect } from './fixtures.ts'

/** The headers of a request from our own page. */
const ours = { 'sec-fetch-site': 'same-origin' }

export type Person = { firstName: string; lastName: string; email: string; password: string }

export const olive: Person = { firstName: 'Olive', lastName: 'Owner', email: 'olive@example.com', password: 'correct horse battery' }

/** Creates an account on the sign-in page. */
export async function signUp(page: Page, person: Person) {
  await page.goto('/login?mode=sign-up')
  await page.getByLabel('First Name').fill(person.firstName)
  await page.getByLabel('Last Name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible()
}

/** Opens the newest email to an address in the development inbox, and follows its button. */
export async function openEmail(page: Page, { to, action }: { to: string; action: string }): Promise<Page> {
  await page.goto('/dev/mail')
  await page.getByRole('navigation', { name: 'Emails' }).getByRole('link').filter({ hasText: to }).first().click()
  // The inbox opens on its newest email. A button clicked before the page changes would vanish with that email's frame.
  await page.waitForURL(/\/dev\/mail\?letter=/)
  const button = page.frameLocator('iframe').getByRole('link', { name: action })
  // A click while the frame loads its email has no effect, so it is repeated, as a person would.
  for (;;) {
    const opening = page.waitForEvent('popup', { timeout: 10_000 }).catch(() => undefined)
    await button.click()
    const tab = await opening
    if (tab) return tab
  }
}

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.goto('/login?mode=sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Signs up the owner of an empty installation, up to the dashboard. The link signs in the browser that signed up. */
export async function becomeOwner(page: Page, person = olive) {
  await signUp(page, person)
  await expect(page.getByText(`We sent a link to ${person.email}.`)).toBeVisible()
  const tab = await openEmail(page, { to: person.email, action: 'Confirm this address' })
  await tab.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(tab).toHaveURL('/dashboard')
  await tab.close()
  await page.goto('/dashboard')
}

/** Confirms the hours that are offered, so that visitors can book calls. */
export async function confirmHours(page: Page) {
  await page.goto('/admin/calendar?tab=hours')
  await page.getByRole('button', { name: 'Confirm hours' }).click()
  await expect(page.getByText('Hours created successfully')).toBeVisible()
}

/** Signs up a customer of an owned installation, up to a page. Sends the forms as a browser without script does. */
export async function enterAsCustomer(page: Page, { firstName, lastName, email, password }: Person, path = '/dashboard') {
  const headers = await sentBy(page)
  const fields = { form: 'sign-up', firstName, lastName, email, password, confirmPassword: password }
  await page.request.post('/login', { form: fields, headers })
  let token: string | undefined
  const findToken = async () => {
    const emails: { to: string; html: string }[] = await (await page.request.get('/dev/mail.json')).json()
    token = /[?&]token_hash=([\w-]+)/.exec(emails.find(({ to }) => to === email)?.html ?? '')?.[1]
    return token
  }
  await expect.poll(findToken).toBeTruthy()
  const form = { token_hash: token ?? '' }
  const reply = await page.request.post('/login/confirm', { form, headers, maxRedirects: 0 })
  expect(reply.headers().location).toBe('/dashboard')
  await page.goto(path)
}

/** Signs in as the owner of an owned installation. */
export const signInAsOwner = (page: Page) => signInAs(page, olive)

/** Signs in where that is not what the test is about. Sends the form as a browser without script does, so that no page has to be opened. */
export async function signInAs(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  const reply = await page.request.post('/login', { form: { email, password }, headers: await sentBy(page), maxRedirects: 0 })
  expect(reply.headers().location).toBe('/dashboard')
}

/**
 * Signs out where that is not what the test is about. The page is left first: a live one that hears of its sign-out goes elsewhere by itself, which
 * would cut the way to the next page short.
 */
export async function signOut(page: Page) {
  await page.goto('about:blank')
  const reply = await page.request.post('/api/logout', { headers: ours, maxRedirects: 0 })
  expect(reply.status()).toBe(303)
}

/** Signs in as the owner and opens a page; without a path, the dashboard, until it is live. */
export async function enterAsOwner(page: Page, path?: string) {
  await signInAsOwner(page)
  if (path) {
    await page.goto(path)
    return
  }
  // The page is live when it listens for events.
  const listening = page.waitForRequest(/\/api\/events\?/)
  await page.goto('/dashboard')
  await listening
}

/** The headers of a form that this page would send. The session is listed under its browser. */
async function sentBy(page: Page) {
  return { 'user-agent': await page.evaluate(() => navigator.userAgent), ...ours }
}

/**
 * Holds the way to the sign-in page until `leave` is called. `told` resolves when the page says why it goes there. The page itself looks for that
 * text, because Playwright's own waiting rests while a navigation is held.
 */
export async function stayBeforeSignIn(page: Page): Promise<{ told: Promise<unknown>; leave: () => void }> {
  const { promise: seen, resolve: leave } = Promise.withResolvers<void>()
  await page.route(/\/api\/login\?next=/, (route) => seen.then(() => route.continue()))
  const told = page.waitForFunction(() => document.body.innerText.includes('You are logged out. Logging in again...'))
  // A step that fails before it is awaited has its own error.
  told.catch(() => undefined)
  return { told, leave }
}

export const ada = {
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  country: 'United Kingdom',
  problem: 'Prices of 40 competitors',
  message: 'We would like to follow prices each day, "in pounds", please.',
}

/** Sends an enquiry without opening a page. */
export async function postEnquiry({ request }: Page, enquiry = ada) {
  const reply = await request.post('/api/contact', { data: { ...enquiry, form: 'contact', idempotencyKey: crypto.randomUUID() } })
  expect(reply.status()).toBe(201)
}

/** Fills and sends the form of the contact page. */
export async function sendEnquiry(page: Page, enquiry = ada) {
  await page.goto('/contact')
  const form = page.getByRole('main')
  await form.getByLabel('Name').fill(enquiry.name)
  await form.getByLabel('Email').fill(enquiry.email)
  await form.getByLabel('Country').fill(enquiry.country)
  await form.getByLabel('Problem').fill(enquiry.problem)
  await form.getByLabel('Message').fill(enquiry.message)
  await form.getByRole('button', { name: 'Send Message' }).click()
}

/** The reference of the newest lead, once there is one. */
export async function firstReference({ request }: Page): Promise<string> {
  let reference: string | undefined
  await expect
    .poll(async () => {
      const { leads }: { leads: { reference: string }[] } = await (await request.get('/api/leads')).json()
      reference = leads[0]?.reference
      return reference
    })
    .toBeTruthy()
  return reference ?? ''
}

/** The code of the newest email with this subject, once there are so many; of those to one address, where it is given. */
export async function codeInEmail({ request }: Page, subject: RegExp, count: number, address?: string): Promise<string> {
  let found: { to: string; subject: string; html: string }[] = []
  const countEmails = async () => {
    found = await (await request.get('/dev/mail.json')).json()
    found = found.filter((email) => subject.test(email.subject) && (address === undefined || email.to === address))
    return found.length
  }
  await expect.poll(countEmails).toBe(count)
  return />\s*(\d{6})\s*</.exec(found[0]?.html ?? '')?.[1] ?? ''
}

/** A code other than this one. */
export const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

/** The posts of a new installation are written after its start, in the background. */
export async function waitForPosts(origin: string) {
  await expect.poll(async () => (await fetch(`${origin}/sitemap.xml`)).text(), { timeout: 60_000 }).toContain('/blog/files-or-an-api')
}

/** The datasets of a new installation are imported one after the other, after its start. */
export async function waitForShelf(origin: string) {
  const filled = async () => {
    const products: { slug: string; rows: number }[] = await (await fetch(`${origin}/api/data-products`)).json()
    return products.filter(({ rows }) => rows > 0).map(({ slug }) => slug)
  }
  await expect.poll(filled, { timeout: 240_000 }).toEqual(expect.arrayContaining([...Object.keys(firstDatasets), pricedSample.slug]))
}

/** A free dataset with these rows, at `/data-marketplace/<slug>`, published by the signed-in owner. Returns the ids of product and version. */
export async function publishDataset({ request }: Page, csv: string, slug = 'shop-prices') {
  const product = { slug, name: 'Shop prices', description: 'Every morning.', category: 'Prices', price: 0, hidden: false }
  const { id }: { id: string } = await (await request.post('/api/data-products', { data: product, headers: ours })).json()
  const metadata = tusMetadata({ productId: id, filename: 'prices.csv', changes: 'The first ones' })
  const given = { ...ours, ...tus, 'upload-length': String(Buffer.byteLength(csv)), 'upload-metadata': metadata }
  const { location = '' } = (await request.post(UPLOADS, { headers: given })).headers()
  await request.patch(location, { headers: { ...ours, ...tus, 'content-type': CHUNK_TYPE, 'upload-offset': '0' }, data: Buffer.from(csv) })
  const version = async () => (await (await request.get(`/api/data-products/${id}/versions`)).json())[0]
  await expect.poll(async () => (await version())?.state, { timeout: 40_000 }).toBe('ready')
  await request.post(`/api/data-products/${id}/versions/1/publish`, { data: {}, headers: ours })
  return { id, versionId: String((await version()).id) }
}

/** Removes the redirects of other tests, as the owner, for a test that looks at the whole list. */
export async function removeRedirects({ request }: Page) {
  const all: { id: string }[] = await (await request.get('/api/redirects')).json()
  const data = { ids: all.map(({ id }) => id), change: 'delete' }
  if (all.length > 0) expect((await request.post('/api/redirects/bulk', { data, headers: ours })).status()).toBe(200)
}

/** Lifts what a handle moves. The arrow keys are heard from a turn of the timers on, which a busy machine takes after a key that is sent at once. */
export async function lift(handle: Locator) {
  await handle.press('Space')
  await handle.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}
