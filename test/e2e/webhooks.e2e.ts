import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { startReceiver } from '#test/webhook-receiver.ts'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' }, contextOptions: { reducedMotion: 'reduce' }, permissions: ['notifications'] })

const dialog = (page: Page) => page.getByRole('dialog')

test('the owner creates an endpoint, sees a signed test event arrive and replays it; then chooses how to be told', async ({
  page,
  site,
}) => {
  const violations = await watchPolicy(page)
  const receiver = await startReceiver()
  await enterAsOwner(page)
  await page.goto('/admin/webhooks')
  await expect(page.getByText('No endpoints yet')).toBeVisible()
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

  await page.getByRole('button', { name: 'Send test event to CRM' }).click()
  const log = page.getByRole('region', { name: 'Deliveries to CRM' })
  await expect(log.getByText('Delivered')).toBeVisible()
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
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  receiver.stop()

  await page.context().grantPermissions(['notifications'], { origin: site.url })
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

  // The state of this browser is read from it. The worker is allowed by the policy of the site, and shows what is pushed to it.
  await expect(page.getByText('This browser doesn’t show notifications.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn on in this browser' })).toBeVisible()
  expect(await showPushed(page, site.url)).toEqual(['You were mentioned'])
  expect(violations()).toEqual([])
})

const registrations = z.object({ registrations: z.array(z.object({ registrationId: z.string(), scopeURL: z.string() })) })

/** Pushes a message to the worker as the browser's push service would. Returns the titles of the notifications that it shows. */
async function showPushed(page: Page, origin: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', (event) => {
      const own = registrations.parse(event).registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  const data = JSON.stringify({ title: 'You were mentioned', body: 'by Grace', link: '/leads/W-1', tag: 't' })
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  const titles = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title }) => title))
  await expect.poll(titles).toHaveLength(1)
  return titles()
}
