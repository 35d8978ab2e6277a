import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '#test/webhook-receiver.ts'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' }, contextOptions: { reducedMotion: 'reduce' } })

const dialog = (page: Page) => page.getByRole('dialog')

test('the owner creates an endpoint, sees a signed test event arrive and replays it; then chooses how to be told', async ({
  page,
  site,
}) => {
  const violations = await watchPolicy(page)
  const receiver = await startReceiver()
  await enterAsOwner(page, '/admin/webhooks')
  await expect(page.getByText('No endpoints yet')).toBeVisible()
  // As wide as the empty lists of other pages, at every width.
  await page.setViewportSize({ width: 1920, height: 1000 })
  const empty = await page.getByText('No endpoints yet').locator('..').boundingBox()
  expect(empty?.width).toBeGreaterThan(1400)
  await page.setViewportSize({ width: 1280, height: 720 })
  await expectSound(page)

  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await dialog(page).getByLabel('Name').fill('CRM')
  await dialog(page).getByLabel('URL').fill('https://10.0.0.7/hook')
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click()
  await expect(dialog(page).getByLabel('URL')).toHaveAccessibleDescription(/private network/)
  await expectSound(page)
  await dialog(page).getByLabel('URL').fill(receiver.url)
  await dialog(page).getByLabel('Call booked').check()
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click()
  await expect(dialog(page).getByText('Copy this secret now.')).toBeVisible()
  const secret = await dialog(page).locator('[data-secret]').innerText()
  await dialog(page).getByRole('button', { name: 'Done' }).press('Enter')
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('table', { name: 'Endpoints' }).getByRole('link', { name: 'CRM' }).click()
  await page.getByRole('button', { name: 'Send test event to CRM' }).click()
  const log = page.getByRole('region', { name: 'Deliveries to CRM' })
  await expect(log.getByText('Delivered')).toBeVisible()
  // The facts above the log follow it, without a reload.
  await expect(dialog(page).getByText(/^Last delivered /)).toBeVisible()
  const [first] = receiver.got
  expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({ type: 'webhook.test' })
  await expectSound(page)

  await log.getByRole('button', { name: 'Test event' }).click()
  await expect(dialog(page).getByText('"type": "webhook.test"')).toBeVisible()
  await expect(dialog(page).getByText('Responded 200.')).toBeVisible()
  await expectSound(page)
  await dialog(page).getByRole('button', { name: 'Replay' }).click()
  await expect.poll(() => receiver.got.length).toBe(2)
  expect(receiver.got[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Disable CRM' }).click()
  await expect(dialog(page).getByText('Disabled', { exact: true })).toBeVisible()
  await receiver.stop()

  await page.goto('/account/notifications')
  await page.getByLabel('Email: New leads').selectOption('Daily digest')
  await page.getByLabel('Daily digest at').selectOption('17:00')
  await page.getByText('Quiet hours', { exact: true }).click()
  await page.getByLabel('From', { exact: true }).fill('21:30')
  await expectSound(page)
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('Preferences saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Email: New leads')).toHaveValue('digest')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('21:30')

  // A browser without a screen refuses notifications, and the page says so. The policy of the site lets the worker start.
  await expect(page.getByText('Notifications from this site are blocked in this browser.')).toBeVisible()
  const started = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    return (await navigator.serviceWorker.ready).active?.scriptURL
  })
  expect(started).toBe(`${site.url}/push-worker.js`)
  expect(violations()).toEqual([])
})
