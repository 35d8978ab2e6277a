import type { Page } from '@playwright/test'
import { dragByFinger } from './finger.ts'
import { faultsOf } from './faults.ts'
import { expect, test } from './fixtures.ts'
import { becomeOwner, signInAsOwner } from './steps.ts'
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

test('the owner drags a call to another time, blocks time and cancels by keyboard, and sets hours', async ({ page }) => {
  const violations = await watchPolicy(page)
  await signInAsOwner(page)
  const startsAt = await bookNextWeek(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/admin/calendar?week=${startsAt.toISOString().slice(0, 10)}`)
  const call = page.getByRole('button', { name: /Ada Lovelace/ })
  await expect(call).toHaveAccessibleName(/^09:00/)

  // The host is told of it, and has read that once the call is opened, here from the calendar.
  const listUnread = async () => {
    const { items }: { items: { title: string }[] } = await (await page.request.get('/api/notifications?unread=true')).json()
    return items.map(({ title }) => title)
  }
  await expect.poll(listUnread).toContain('Call booked: Ada Lovelace')
  await call.click()
  await expect(page.getByRole('dialog', { name: 'Ada Lovelace' })).toBeVisible()
  await expect.poll(listUnread).not.toContain('Call booked: Ada Lovelace')
  await page.keyboard.press('Escape')

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
  await page.getByLabel('Monday, span 1 from').fill('18:00')
  await expect(preview.getByText('Correct the hours to see the times.')).toBeVisible()
  await page.getByLabel('Monday, span 1 until').fill('19:00')
  await expect(preview.getByText('18:30').first()).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect(page.getByText('Hours updated successfully')).toBeVisible()
  expect(violations()).toEqual([])
})

test.describe('on a fresh installation', () => {
  test.use({ owned: false, timezoneId: 'Europe/Berlin' })

  test('visitors see no times until the owner confirms hours and zone: the first steps lead there, and then a call can be booked', async ({
    page,
    browser,
    site,
  }) => {
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
  })
})
