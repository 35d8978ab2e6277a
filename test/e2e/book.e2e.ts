import type { Browser, Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { expectSoundAt } from './sound.ts'
import { tabTo } from './tab-to.ts'
import { watchPolicy } from './violations.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const LINK = 'Book a free 30-minute call'
const guest = { Name: 'Ada Lovelace', Email: 'ada@analytical.example', 'What is the call about?': 'Prices of 40 shops, every morning.' }
const firstTime = (page: Page) => page.getByRole('list', { name: 'Choose a time' }).getByRole('button').first()
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm the call' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** In milliseconds for each key: at full length, 40 words a minute. */
const PACE = byLength(15, 150)

async function fill(page: Page, delay?: number) {
  for (const [label, text] of Object.entries(guest)) {
    const field = page.getByLabel(label, { exact: true })
    await (delay === undefined ? field.fill(text) : field.pressSequentially(text, { delay }))
  }
}

/** Another visitor, with a browser of their own. */
async function another(browser: Browser, baseURL: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ baseURL, ...options })
  return context.newPage()
}

test('from the landing page to a confirmed call in at most 60 seconds and 12 actions, also where no script runs', async ({
  page,
  browser,
  site,
}) => {
  const silent = await another(browser, site.url, { javaScriptEnabled: false })
  for (const visitor of [page, silent]) {
    let actions = 0
    const act = async (deed: Promise<unknown>) => {
      actions += 1
      await deed
    }
    await visitor.goto('/')
    const began = Date.now()
    await act(visitor.getByRole('main').getByRole('link', { name: LINK }).first().click())
    await act(firstTime(visitor).click())
    await expect(visitor.getByText(/^UTC\. Held for you until \d\d:\d\d\.$/)).toBeVisible()
    for (const [label, text] of Object.entries(guest))
      await act(visitor.getByLabel(label, { exact: true }).pressSequentially(text, { delay: PACE }))
    await act(confirm(visitor).click())
    await expect(title(visitor)).toHaveText('Your Strategy Call is Confirmed!')
    expect(Date.now() - began).toBeLessThanOrEqual(60_000)
    expect(actions).toBeLessThanOrEqual(12)
  }
})

test('a call is booked, moved and cancelled by keyboard alone', async ({ page }) => {
  const violations = await watchPolicy(page)
  await page.goto('/')
  await tabTo(page, page.getByRole('main').getByRole('link', { name: LINK }).first())
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText(LINK)
  await tabTo(page, firstTime(page))
  await page.keyboard.press('Enter')
  await expect(confirm(page)).toBeVisible()
  for (const [label, text] of Object.entries(guest)) {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await tabTo(page, confirm(page))
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Your Strategy Call is Confirmed!')
  await tabTo(page, page.getByRole('link', { name: 'Change or cancel' }))
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Your call')
  await tabTo(page, page.getByRole('link', { name: 'Choose another time' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('list', { name: 'Choose a time' }).getByRole('link').last())
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Move the call' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'The call is moved.' })).toBeVisible()
  await tabTo(page, page.locator('summary').filter({ hasText: 'Cancel the call' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Yes, cancel the call' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('This call is cancelled')).toBeVisible()
  expect(violations()).toEqual([])
})

test('a held time is seen as held in a second tab and after the back button, and as taken by others', async ({ page, browser, site }) => {
  await page.goto('/book')
  const time = (await firstTime(page).textContent()) ?? ''
  await firstTime(page).click()
  await expect(confirm(page)).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/book')
  await expect(tab.getByText(/Held for you until/)).toBeVisible()
  await page.goBack()
  await page.reload()
  await expect(page.getByText(/Held for you until/)).toBeVisible()

  const other = await another(browser, site.url)
  await other.goto('/book')
  await expect.poll(async () => (await other.reload(), firstTime(other).textContent())).not.toBe(time)
  // Two tabs confirm the same hold: one call.
  await Promise.all([fill(page), fill(tab)])
  await Promise.all([confirm(page).click(), confirm(tab).click()])
  for (const each of [page, tab]) await expect(title(each)).toHaveText('Your Strategy Call is Confirmed!')
  expect(new URL(page.url()).search).toBe(new URL(tab.url()).search)
})

test('the zone is guessed by script, and chosen from a list without it', async ({ browser, site }) => {
  const guessed = await another(browser, site.url, { timezoneId: 'America/New_York' })
  await guessed.goto('/book')
  await guessed.waitForURL(/zone=America%2FNew_York/)
  await expect(guessed.getByText('We are in UTC.')).toBeVisible()
  const silent = await another(browser, site.url, { javaScriptEnabled: false })
  await silent.goto('/book')
  await silent.getByLabel('Your time zone').selectOption('Australia/Eucla')
  await silent.getByRole('button', { name: 'Show times' }).click()
  await expect(firstTime(silent)).toHaveText(/:(15|45)$/)
})

test('a browser that names a zone unknown to us gets the page in our zone, after at most two navigations', async ({ page }) => {
  await page.addInitScript(() => {
    const known = new Intl.DateTimeFormat().resolvedOptions()
    Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ ...known, timeZone: 'Etc/Unknown' })
  })
  let navigations = 0
  page.on('request', (request) => (navigations += Number(request.isNavigationRequest())))
  await page.goto('/book')
  await page.waitForURL(/zone=Etc%2FUnknown/)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1000)
  expect(navigations).toBe(2)
  await expect(firstTime(page)).toBeVisible()
  await expect(page.getByLabel('Your time zone')).toHaveValue('UTC')
})

ownTest.describe('from a network that books often', () => {
  ownTest.use({ owned: true })

  ownTest('the browser does some work by itself, and the call is booked', async ({ page }) => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const week = { from: new Date().toISOString(), to: new Date(Date.now() + 9 * 24 * 3_600_000).toISOString() }
    const { slots } = await (await page.request.get(`/api/booking/slots?${new URLSearchParams(week)}`)).json()
    // Every other one: a call needs some minutes after it.
    const apart: { startsAt: string }[] = slots.filter((_: unknown, at: number) => at % 2 === 0)
    for (const [at, { startsAt }] of apart.slice(-5).entries()) {
      const data = { name: 'Bob', email: `bob-${at}@example.com`, projectDescription: 'Prices of ten shops.', startsAt, timeZone: 'UTC' }
      expect((await page.request.post('/api/bookings', { headers, data })).status()).toBe(201)
    }
    await page.goto('/book')
    await firstTime(page).click()
    await fill(page)
    await confirm(page).click()
    await expect(title(page)).toHaveText('Your Strategy Call is Confirmed!')
  })
})

test('the page sends at most 5 kB of script, before and after a touch, and nothing moves', async ({ page }) => {
  const files: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') files.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto('/book', { waitUntil: 'networkidle' })
  await expect(firstTime(page)).toBeVisible()
  await page.mouse.click(5, 5)
  await page.keyboard.press('Tab')
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(files)).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThanOrEqual(5000)
})

test('every step is accessible in light and dark at every width, and never wider than the window', async ({ page }) => {
  test.setTimeout(300_000)
  const look = (where: string) => expectSoundAt(page, where, [320, 390, 768, 1440])
  await page.goto('/book')
  await page.setViewportSize({ width: 360, height: 844 })
  // No line of the title ends inside '30-minute'.
  expect(
    await title(page)
      .getByText('30-minute')
      .evaluate((part) => part.getClientRects().length),
  ).toBe(1)
  await look('times')
  await firstTime(page).click()
  await look('details')
  await confirm(page).click()
  await expect(page.getByRole('region', { name: 'Errors to correct' })).toBeVisible()
  await look('errors')
  await fill(page)
  await confirm(page).click()
  await look('confirmed')
  await page.getByRole('link', { name: 'Change or cancel' }).click()
  await look('manage')
  await page.getByRole('link', { name: 'Choose another time' }).click()
  await look('move')
})
