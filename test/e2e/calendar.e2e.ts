import type { Page } from '@playwright/test'
import { dragByFinger } from './finger.ts'
import { faultsOf } from './faults.ts'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { becomeOwner, signInAsOwner } from './steps.ts'
import { tabTo } from './tab-to.ts'
import { watchPolicy } from './violations.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' }, contextOptions: { reducedMotion: 'reduce' } })

const ours = { 'sec-fetch-site': 'same-origin' }

/** Books the first free time of the next week that the site offers. Returns its start. */
async function bookNextWeek(page: Page): Promise<Date> {
  const monday = new Date()
  monday.setUTCHours(0, 0, 0, 0)
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7 || 7))
  const to = new Date(monday.getTime() + 5 * 24 * 3_600_000)
  const { slots } = await (await page.request.get(`/api/booking/slots?from=${monday.toISOString()}&to=${to.toISOString()}`)).json()
  const [{ startsAt }] = slots
  const guest = { name: 'Ada Lovelace', email: 'ada@analytical.example', projectDescription: 'Prices of 40 shops, every morning.' }
  const booked = await page.request.post('/api/bookings', { headers: ours, data: { ...guest, startsAt, timeZone: 'America/New_York' } })
  expect(booked.status()).toBe(201)
  return new Date(startsAt)
}

/** The links of the emails to someone, in order. */
async function linksTo(page: Page, address: string): Promise<string[]> {
  const emails: { to: string; html: string }[] = await (await page.request.get('/dev/mail.json')).json()
  const theirs = emails.filter(({ to }) => to === address).map(({ html }) => html)
  return theirs.flatMap((html) => [...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&')))
}

ownTest('the owner drags a call to another time, blocks time and cancels by keyboard, and sets hours', async ({ page }) => {
  const violations = await watchPolicy(page)
  await signInAsOwner(page)
  const startsAt = await bookNextWeek(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/admin/calendar?week=${startsAt.toISOString().slice(0, 10)}`)
  const call = page.getByRole('button', { name: /Ada Lovelace/ })
  await expect(call).toHaveAccessibleName(/^09:00/)

  // Dragged two hours down, it moves after a confirmation.
  const box = await call.boundingBox()
  if (!box) throw new Error('The call is not on the page.')
  await page.mouse.move(box.x + 20, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y + 5 + 120, { steps: 8 })
  await page.mouse.up()
  const move = page.getByRole('dialog', { name: 'Move the call with Ada Lovelace' })
  await expect(move.getByLabel('Time')).toHaveValue('11:00')
  expect(await faultsOf(page)).toEqual([])
  await move.getByRole('button', { name: 'Move call' }).click()
  await expect(call).toHaveAccessibleName(/^11:00/)

  // The arrow keys propose another time; Escape forgets it, Enter asks.
  await call.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/^\w+day, 10:45\. Enter moves the call\.$/)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Enter moves the call.')).toHaveCount(0)
  await call.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(move.getByLabel('Time')).toHaveValue('11:15')
  await page.keyboard.press('Escape')
  await expect(move).toBeHidden()

  // A finger that rests on the call drags it.
  const place = await call.boundingBox()
  if (!place) throw new Error('The call is not on the page.')
  await dragByFinger(page, { x: place.x + 20, y: place.y + 5 }, { x: place.x + 20, y: place.y + 5 - 60 })
  await expect(move.getByLabel('Time')).toHaveValue('10:00')
  await page.keyboard.press('Escape')
  await expect(move).toBeHidden()

  // The keyboard does the same, without the grid.
  await page.getByRole('button', { name: 'Block time' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('Dentist')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Time blocked')).toBeVisible()
  await call.press('Enter')
  await page.getByRole('button', { name: 'Cancel call' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Cancel this call?' })
  await question.getByRole('button', { name: 'Keep call' }).press('Enter')
  await expect(question).toBeHidden()
  await call.press('Enter')
  await page.getByRole('button', { name: 'Cancel call' }).press('Enter')
  await question.getByRole('button', { name: 'Cancel call' }).press('Enter')
  await expect(page.getByText('Call cancelled')).toBeVisible()
  await expect(call).toHaveCount(0)
  expect(await faultsOf(page)).toEqual([])

  // The preview follows the hours before they are saved.
  await page.getByRole('tab', { name: 'Hours' }).click()
  const preview = page.getByRole('region', { name: 'Next 14 days' })
  await expect(preview.getByText('09:00').first()).toBeVisible()
  // The dash has the same room on both sides.
  const day = page.getByRole('group', { name: 'Monday', exact: true })
  const parts = [day.getByLabel('Monday, span 1 from'), day.getByText('–'), day.getByLabel('Monday, span 1 until')]
  const [from, dash, until] = await Promise.all(parts.map((part) => part.boundingBox()))
  const rightOf = (box: typeof from) => (box ? box.x + box.width : Number.NaN)
  const room = [(dash?.x ?? 0) - rightOf(from), (until?.x ?? 0) - rightOf(dash)].map(Math.round)
  expect(room).toEqual([6, 6])
  await page.getByLabel('Monday, span 1 from').fill('18:00')
  await expect(preview.getByText('Correct the hours to see the times.')).toBeVisible()
  // Each error of a refused save names its day, and leads there.
  await page.getByLabel('Thursday, span 1 from').fill('20:00')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect(page.getByLabel('Monday, span 1 from')).toBeFocused()
  await page
    .getByRole('region', { name: 'Errors to correct' })
    .getByRole('link', { name: /^Thursday: / })
    .click()
  await expect(page.getByLabel('Thursday, span 1 from')).toBeFocused()
  await page.getByLabel('Thursday, span 1 from').fill('09:00')
  await page.getByLabel('Monday, span 1 until').fill('19:00')
  await expect(preview.getByText('18:30').first()).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect(page.getByText('Hours updated successfully')).toBeVisible()

  // A date that has hours of its own is not overwritten by adding it again.
  const oneDate = page.getByRole('dialog', { name: 'Hours of one date' })
  await page.getByRole('button', { name: 'Add a date' }).click()
  await oneDate.getByRole('button', { name: 'Add a span to The date' }).click()
  await oneDate.getByRole('button', { name: 'Save' }).click()
  await expect(oneDate).toBeHidden()
  await page.getByRole('button', { name: 'Add a date' }).click()
  await oneDate.getByRole('button', { name: 'Save' }).click()
  await expect(oneDate.getByLabel('Date', { exact: true })).toHaveAccessibleDescription(/has hours of its own/)
  expect(violations()).toEqual([])
})

test('the owner adds a call type, a visitor books it and answers its question, and its deletion asks about the call', async ({
  page,
  browser,
  site,
}) => {
  const violations = await watchPolicy(page)
  await signInAsOwner(page)
  await page.goto('/admin/calendar?tab=settings')
  await page.getByRole('button', { name: 'New call type' }).click()
  await page.getByLabel('Length, in minutes').fill('0')
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByRole('button', { name: 'Save call type' }).click()
  // In the order of the form.
  await expect(page.getByRole('region', { name: 'Errors to correct' }).getByRole('link')).toHaveText([
    'A title has 1 to 100 characters',
    /^An address has/,
    'A call takes 5 to 480 minutes',
    'Question 1: Write the question',
  ])
  await page.getByLabel('Title').fill('Workshop')
  await expect(page.getByLabel('Address')).toHaveValue('workshop')
  await page.getByLabel('Length, in minutes').fill('90')
  await page.getByRole('textbox', { name: 'Question 1' }).fill('How many shops?')
  await page.getByRole('switch', { name: 'Hours of its own' }).press('Space')
  await expect(page.getByLabel('Monday, span 1 from')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save call type' }).click()
  await expect(page.getByText('Call type created successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: '/book/workshop' })).toBeVisible()
  await page.getByRole('button', { name: 'Move Workshop up' }).click()
  await expect(page.getByText('Moved to number 1')).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: '/book/workshop' }).getByRole('button', { name: 'Move Workshop up' }),
  ).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Move Workshop down' })).toHaveAttribute('aria-disabled', 'true')
  expect(await faultsOf(page)).toEqual([])

  const visitor = await browser.newPage({ baseURL: site.url })
  await visitor.setViewportSize({ width: 360, height: 740 })
  await visitor.goto('/book')
  await visitor.getByRole('link', { name: 'Workshop' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Workshop')
  await visitor.getByRole('list', { name: 'Choose a time' }).getByRole('button').first().click()
  await visitor.getByLabel('Name').fill('Ada Booker')
  await visitor.getByLabel('Email').fill('ada@booker.example')
  await visitor.getByLabel('What is the call about?').fill('Prices of 40 shops, every morning.')
  await visitor.getByLabel('How many shops?').fill('40')
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.getByRole('button', { name: 'Confirm the call' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Your Strategy Call is Confirmed!')

  await page.reload()
  await expect(page.getByText('1 call ahead')).toBeVisible()
  await page.getByRole('button', { name: 'Delete Workshop' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Workshop”?' })
  await expect(question.getByText(/1 booked call is still ahead: they stay booked/)).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Call type deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: '/book/workshop' })).toHaveCount(0)
  await visitor.goto('/book/workshop')
  await expect(visitor.getByText('This call is not offered at the moment.')).toBeVisible()
  await page.getByRole('tab', { name: 'List' }).click()
  await page.getByText('Ada Booker').first().click()
  const call = page.getByRole('dialog', { name: 'Ada Booker' })
  await expect(call.getByText('Workshop')).toBeVisible()
  await expect(call.getByText('40', { exact: true })).toBeVisible()
  expect(violations()).toEqual([])
})

test('staff book a call for a lead by keyboard, and propose times on a phone; the person takes one, and reads that another is gone', async ({
  page,
  browser,
  site,
}) => {
  const violations = await watchPolicy(page)
  await signInAsOwner(page)
  const enquiry = {
    name: 'Grace Hopper',
    email: 'grace@calls.example',
    country: 'France',
    problem: 'Prices',
    message: 'Prices of 40 shops.',
  }
  const sent = await page.request.post('/api/contact', { headers: ours, data: enquiry })
  const { reference } = await sent.json()
  await page.goto(`/leads/${reference}`)
  const dialog = page.getByRole('dialog', { name: 'Schedule a call with Grace Hopper' })
  const times = dialog
    .getByRole('region', { name: 'Free times' })
    .getByRole('button', { pressed: false })
    .filter({ hasText: /^\d\d:\d\d$/ })

  await page.getByRole('button', { name: 'Schedule call' }).press('Enter')
  await dialog.getByLabel('Their time zone').selectOption('America/New_York')
  await tabTo(page, times.first())
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/^For Grace Hopper: .* in New York$/)).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await tabTo(page, dialog.getByRole('button', { name: /^Book \w{3}, / }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Call booked. Grace Hopper gets the invitation by email.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Call booked: Free consultation, .* \(America.New York\)$/)).toBeVisible()

  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Schedule call' }).click()
  // What was chosen for the last call is the first guess.
  await expect(dialog.getByLabel('Their time zone')).toHaveValue('America/New_York')
  await dialog.getByLabel(/^Email up to 3 times/).check()
  await times.first().click()
  await dialog.getByRole('group', { name: 'Day' }).getByRole('button').nth(1).click()
  await times.first().click()
  await dialog.getByLabel('Note').fill('As we said on the phone.')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Email 2 times' }).click()
  await expect(page.getByText('Times sent to grace@calls.example')).toBeVisible()
  await expect(page.getByText('Times for a call proposed')).toBeVisible()

  const [first = '', second = ''] = (await linksTo(page, 'grace@calls.example')).filter((url) => url.includes('at='))
  const visitor = await browser.newPage({ baseURL: site.url })
  await visitor.goto(first)
  await visitor.getByRole('button', { name: 'Take this time' }).click()
  await expect(visitor.getByLabel('Name')).toHaveValue('Grace Hopper')
  await visitor.getByRole('button', { name: 'Confirm the call' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Your Strategy Call is Confirmed!')
  await visitor.goto(first)
  await expect(visitor.getByRole('alert')).toContainText('The time that we proposed is no longer free. These are the nearest free times:')
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.goto(second)
  await expect(visitor.getByRole('button', { name: 'Take this time' })).toBeVisible()
  expect(violations()).toEqual([])
})

test.describe('on a fresh installation', () => {
  test.use({ owned: false, timezoneId: 'Europe/Berlin' })

  ownTest(
    'visitors see no times until the owner confirms hours and zone: the first steps lead there, and then a call can be booked',
    async ({ page, browser, site }) => {
      const visitor = await browser.newPage({ baseURL: site.url })
      const times = visitor.getByRole('list', { name: 'Choose a time' }).getByRole('button')
      const closed = visitor.getByText('No calls can be booked at the moment.')
      await visitor.goto('/book')
      await expect(closed).toBeVisible()
      await visitor.getByRole('link', { name: 'Write to us' }).click()
      await expect(visitor.getByRole('button', { name: 'Send Message' })).toBeVisible()

      await becomeOwner(page)
      await visitor.goto('/book')
      await expect(closed).toBeVisible()
      await page.goto('/')
      await page.getByRole('link', { name: /Confirm your hours for calls/ }).click()
      await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
      await page.getByRole('button', { name: 'Confirm hours' }).click()
      await expect(page.getByText('Hours created successfully')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Save hours' })).toBeVisible()
      await expect(page.getByText('once you confirm your hours')).toHaveCount(0)

      await expect(async () => {
        await visitor.goto('/book')
        await expect(times.first()).toBeVisible({ timeout: 2000 })
      }).toPass()
      await times.first().click()
      await expect(visitor.getByRole('button', { name: 'Confirm the call' })).toBeVisible()
    },
  )
})

ownTest('what is typed while hours are being saved stays, and is saved by the next press', async ({ page }) => {
  await signInAsOwner(page)
  await page.goto('/admin/calendar?tab=hours')
  const arrival = Promise.withResolvers<void>()
  await page.route('**/hosts/**', async (route) => {
    if (route.request().method() === 'PUT') await arrival.promise
    await route.continue()
  })
  await page.getByLabel('Days ahead').fill('50')
  await page.getByRole('button', { name: /^(Save|Confirm) hours$/ }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeAttached()
  await page.getByLabel('Calls per day').fill('7')
  arrival.resolve()
  await expect(page.getByText(/^Hours \w+ successfully$/).first()).toBeVisible()
  await expect(page.getByLabel('Calls per day')).toHaveValue('7')
  await expect(page.getByLabel('Days ahead')).toHaveValue('50')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect(page.getByText('Hours updated successfully').first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Calls per day')).toHaveValue('7')
})
