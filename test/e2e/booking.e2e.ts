import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { faultsOf } from './faults.ts'
import { expect, readingTest as test } from './fixtures.ts'

/** Plays the scheduling provider, on a separate origin. */
const calendar = createServer((request, reply) => {
  const say = `parent.postMessage({ type: 'calendar-booking-success' }, '*')`
  reply.setHeader('content-type', 'text/html').end(`<button onclick="${say}">Book ${request.url}</button>`)
})
await once(calendar.listen(0, '127.0.0.1'), 'listening')
calendar.unref()
const address = calendar.address()
const port = typeof address === 'object' && address ? address.port : 0

const origin = `http://127.0.0.1:${port}`

test.use({ settings: { BOOKING_URL: `${origin}/30min` } })
// One worker runs them all, so that they share one installation.
test.describe.configure({ mode: 'default' })

async function openCalendar(page: Page) {
  await page.goto('/')
  await page.getByRole('heading', { name: 'Or book a free 30-minute strategy call.' }).scrollIntoViewIfNeeded()
  const button = page.frameLocator('iframe').getByRole('button', { name: 'Book /30min' })
  await expect(button).toBeVisible()
  // The listener loads with the frame, as a separate module.
  await expect(page.locator('[data-name="followBooking"][data-awake="yes"]')).toHaveCount(1)
  return button
}

test('a call that is booked in the calendar leads to its confirmation a second later, no sooner and no later', async ({ page }) => {
  await page.clock.install()
  const button = await openCalendar(page)
  const heard = await listen(page)
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await button.click()
  await expect.poll(heard).toEqual([origin])
  await page.clock.runFor(999)
  await expect(page).toHaveURL('/')
  await page.clock.runFor(1)

  await page.waitForURL('/booking-success')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Strategy Call is Confirmed!')
})

test('the same words lead nowhere from our own page, and from another window of the calendar', async ({ page }) => {
  await page.clock.install()
  await openCalendar(page)
  const heard = await listen(page)
  await page.evaluate(() => window.postMessage('calendar-booking-success', '*'))
  await page.evaluate(
    (src) => document.body.append(Object.assign(document.createElement('iframe'), { src, id: 'other' })),
    `${origin}/other`,
  )
  await page.frameLocator('#other').getByRole('button').click()

  await expect.poll(heard).toEqual([new URL(page.url()).origin, origin])
  await page.clock.runFor(5000)
  await expect(page).toHaveURL('/')
})

test.describe('where the content policy is not kept', () => {
  test.use({ bypassCSP: true })

  test('the same words lead nowhere from our own frame when another site is in it', async ({ page }) => {
    await page.clock.install()
    await openCalendar(page)
    const heard = await listen(page)
    const stranger = `http://localhost:${port}`
    const frame = page.locator('[data-name="followBooking"] iframe')
    await frame.evaluate((element: HTMLIFrameElement, src) => (element.src = src), `${stranger}/stranger`)
    await page.frameLocator('iframe').getByRole('button', { name: 'Book /stranger' }).click()

    await expect.poll(heard).toEqual([stranger])
    await page.clock.runFor(5000)
    await expect(page).toHaveURL('/')
  })
})

test('the home page with a calendar has no accessibility fault of its own', async ({ page }) => {
  await openCalendar(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await faultsOf(page, { iframes: false })
    expect.soft(violations.map(({ id }) => id)).toEqual([])
  }
})

/** Records the origins of messages to the page from now on. */
async function listen(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    addEventListener('message', (message) => heard.push(message.origin))
  })
  return () => page.evaluate((): unknown => Reflect.get(window, 'heard'))
}
