import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'
import { expect, test } from './fixtures.ts'
import { startServer } from './server.ts'
import { codeInEmail, olive, signInAsOwner } from './steps.ts'

const settings = { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0' }
test.use({ owned: true, settings })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

/** Moves the sign-in of the current sessions twenty minutes back. */
async function laterBy20Minutes(site: { dataDir: string; url: string; stop: () => Promise<unknown> }) {
  await site.stop()
  const engine = await openEmbedded(site.dataDir)
  await engine.query(`update sessions set created_at = created_at - interval '20 minutes', amr = '[]'`)
  await engine.close()
  return startServer({ DATA_DIR: site.dataDir, ...settings, PORT: new URL(site.url).port })
}

test('a sensitive change asks to confirm who you are, and goes on once you have; later ones within 15 minutes do not ask', async ({
  page,
  site,
}) => {
  await signInAsOwner(page)
  const again = await laterBy20Minutes(site)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  const password = dialog(page).getByLabel('Password')
  await expect(password).toBeFocused()
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await test.info().attach(`${width}-${colorScheme}`, { body: await page.screenshot(), contentType: 'image/png' })
    }
  }
  expect((await new AxeBuilder({ page }).include('dialog[open]').analyze()).violations).toEqual([])

  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('Password is required')
  await password.fill('wrong horse')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('Current password is not right.')
  await password.fill(olive.password)
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('img', { name: 'The secret as a QR code' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await expect(page.getByRole('img', { name: 'The secret as a QR code' })).toBeVisible()
  await again.stop()
})

test('a code by email confirms as well, and who closes the dialog has changed nothing', async ({ page, site }) => {
  await signInAsOwner(page)
  const again = await laterBy20Minutes(site)
  await page.goto('/account/keys')
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByLabel('Name').fill('Nightly')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await expect(dialog(page).getByLabel('Password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Please confirm that it is you, then try again.')).toBeVisible()

  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await dialog(page).getByRole('button', { name: 'Send a code by email' }).click()
  const code = dialog(page).getByLabel('Code')
  await expect(code).toBeFocused()
  await code.fill(await codeInEmail(page, /code/i, 1))
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText(/Nightly/).first()).toBeVisible()
  await again.stop()
})
