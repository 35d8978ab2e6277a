import type { Locator, Page, Response } from '@playwright/test'
import { expect, readingTest as test, workingTest } from './fixtures.ts'
import { enterAsOwner } from './steps.ts'

const ada = {
  Name: 'Ada Lovelace',
  Email: 'ada@analytical.example',
  Country: 'United Kingdom',
  Problem: 'Prices of 40 shops',
  Message: 'We compare prices by hand and would like a table instead.',
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' })

async function fill(page: Page, values: Record<string, string> = ada) {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
  await awake(page)
}

/** The form becomes live on first touch; before, it is native HTML. */
async function awake(page: Page) {
  await expect(page.locator('[data-island][data-awake="yes"]')).toHaveCount(1)
}

test('while it is being sent its button says Sending... and cannot be pressed; two presses make one enquiry', async ({ page }) => {
  const keys: (string | undefined)[] = []
  await page.route('**/api/contact', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.goto('/contact')
  await fill(page)
  await send(page).dblclick()

  const sending = page.getByRole('button', { name: 'Sending...' })
  await expect(sending).toBeDisabled()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  expect(keys).toHaveLength(1)
  expect(keys[0]).toMatch(/^[\da-f]{32}$/)
})

test('missing fields are named immediately: at the top, at each field, and the first one has the focus', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await page.goto('/contact')
  await fill(page, { Name: 'Ada', Message: 'short' })
  await send(page).click()

  const email = field(page, 'Email')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription('Invalid email address')
  const summary = page.getByRole('region', { name: 'Errors to correct' })
  await expect(summary.getByRole('link')).toHaveText([
    'Invalid email address',
    'Please select your country',
    'Please describe your problem',
    'Message must be at least 10 characters',
  ])
  await expect(field(page, 'Name')).toHaveValue('Ada')
  expect(calls).toEqual([])

  await summary.getByRole('link', { name: 'Please select your country' }).click()
  await expect(field(page, 'Country')).toBeFocused()
  await email.fill('ada@analytical.example')
  await expect(email).not.toHaveAttribute('aria-invalid')
})

test('a pasted message that is too long stays whole: its length is told, and nothing is sent until it is shortened', async ({ page }) => {
  const bodies: unknown[] = []
  page.on('request', (request) => request.method() === 'POST' && bodies.push(request.postDataJSON()))
  await page.goto('/contact')
  await fill(page)
  const message = field(page, 'Message')
  await message.fill('')
  await message.focus()
  const pasted = `${'Prices of 40 shops.\n'.repeat(260)}The end.`
  await page.keyboard.insertText(pasted)
  await expect(message).toHaveValue(pasted)
  await expect(message).toHaveAccessibleDescription(/ 5,208 of 5,000 characters: 208 too many$/)
  await send(page).click()
  await expect(message).toHaveAccessibleDescription(/ Message must be at most 5,000 characters /)
  expect(bodies).toEqual([])

  await message.fill(pasted.slice(208))
  await expect(message).toHaveAccessibleDescription(/ 5,000 of 5,000 characters$/)
  await send(page).click()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  expect(bodies).toEqual([expect.objectContaining({ message: pasted.slice(208) })])
})

test('a failure says so and keeps every word; tried again it is the same attempt', async ({ page }) => {
  const keys: (string | undefined)[] = []
  let fails = true
  await page.route('**/api/contact', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await (fails ? route.fulfill({ status: 500, contentType: 'text/html', body: 'Bad gateway' }) : route.continue())
  })
  await page.goto('/contact')
  await fill(page)
  await send(page).click()

  const toast = page.getByRole('alert').filter({ hasText: 'Failed to send message. Please try again.' })
  await expect(toast).toContainText('Error')
  for (const [label, value] of Object.entries(ada)) await expect(field(page, label)).toHaveValue(value)

  fails = false
  await send(page).click()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('without a connection the form keeps every word and says why', async ({ page, context }) => {
  await page.goto('/contact')
  await fill(page)
  await context.setOffline(true)
  await send(page).click()

  await expect(page.getByText('You’re offline. Your text is still here. Send it when you’re back online.')).toBeVisible()
  await expect(field(page, 'Message')).toHaveValue(ada.Message)
  await context.setOffline(false)
  await send(page).click()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
})

test.describe('the conversion function of the operator', () => {
  test('is called once, before the enquiry is sent', async ({ page }) => {
    await page.addInitScript(() => {
      const calls: string[] = []
      Object.assign(window, { calls, gtag_report_conversion: () => calls.push('conversion') })
    })
    await page.route('**/api/contact', async (route) => {
      await page.evaluate('calls.push("sent")')
      await route.continue()
    })
    await page.goto('/contact')
    await fill(page)
    await send(page).click()

    await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
    expect(await page.evaluate('calls')).toEqual(['conversion', 'sent'])
  })

  test('cannot keep it from being sent, whatever is wrong with it', async ({ browser, site }) => {
    for (const broken of ['() => { throw new Error("blocked") }', '() => Promise.reject(new Error("blocked"))', '"no function"']) {
      const page = await browser.newPage({ baseURL: site.url })
      await page.addInitScript(`window.gtag_report_conversion = ${broken}`)
      await page.goto('/contact')
      await fill(page)
      await send(page).click()
      await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
      await page.close()
    }
  })
})

test('a doubtful message is worked for in the background and arrives', async ({ page }) => {
  const answers: number[] = []
  page.on('response', (response) => response.url().endsWith('/api/contact') && answers.push(response.status()))
  await page.goto('/contact')
  await fill(page, { ...ada, Message: 'Have a look at <a href="https://shop.example">our shop</a> please.' })
  await send(page).click()

  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible({ timeout: 30_000 })
  expect(answers).toEqual([422, 201])
})

test('a stranger who only looks gets the small runtime and nothing more', async ({ page }) => {
  const scripts: Response[] = []
  page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response))
  await page.goto('/contact', { waitUntil: 'networkidle' })

  expect(scripts.map((response) => new URL(response.url()).pathname)).toEqual([expect.stringMatching(/^\/assets\/islands-[\w-]+\.js$/)])
  expect((await scripts[0]?.body())?.length).toBeLessThan(5_000)
  await expect(page.locator('script:not([src]):not([type="application/ld+json"])')).toHaveCount(0)
})

workingTest('staff who send an enquiry themselves find it in the lists when they come back, in the same document', async ({ page }) => {
  await enterAsOwner(page)
  const contacts = page.getByRole('tab', { name: /^Contact Inquiries/ })
  const before = await countIn(contacts)
  await page.evaluate(() => Object.assign(window, { kept: true }))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact', exact: true }).click()
  await expect(page).toHaveURL('/contact')
  for (const [label, value] of Object.entries(ada)) await field(page, label).fill(value)
  await send(page).click()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  await page.goBack()
  await expect.poll(() => countIn(contacts)).toBe(before + 1)
  expect(await page.evaluate(() => 'kept' in window)).toBe(true)
})

/** The number that a tab shows. */
async function countIn(tab: Locator): Promise<number> {
  await expect(tab).toContainText(/\d/)
  return Number(/[\d,]+/.exec((await tab.textContent()) ?? '')?.[0].replaceAll(',', ''))
}
