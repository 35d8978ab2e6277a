import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, signInAsOwner } from './steps.ts'

const pia = { firstName: 'Pia', lastName: 'Private', email: 'pia@example.com', password: 'correct horse battery' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off', SELL_TO: 'all' } })
test.setTimeout(180_000)

test('a private person buys on a phone with the tax of the provider, and withdraws without signing in, without script and by keyboard', async ({
  page,
  browser,
  site,
}) => {
  const owner = await (await browser.newContext({ baseURL: site.url })).newPage()
  await signInAsOwner(owner)
  await owner.goto('/admin/settings?section=billing')
  await owner.getByLabel('How tax is charged').selectOption({ label: 'Tax of the payment provider' })
  await owner.getByLabel('Country', { exact: true }).first().selectOption('DE')
  const saved = owner.waitForResponse((response) => response.request().method() !== 'GET' && response.ok())
  await owner.getByRole('button', { name: /Save/ }).click()
  await saved

  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/data-marketplace/promotion-history/buy')
  await enterAsCustomer(page, pia, '/data-marketplace/promotion-history')
  await page.goto('/data-marketplace/promotion-history/buy')
  await page.getByLabel('I buy for myself').check()
  await page.getByLabel('Company, or your name').fill('Pia Private')
  await page.getByLabel('Address').fill('1 Lindenstraße\n10969 Berlin')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Update the total' }).click()
  await page.getByLabel('I accept this license').check()
  // The consent to immediate supply is missing.
  await page.getByRole('button', { name: 'Buy for $177.31' }).click()
  const consent = page.getByLabel(/I agree that the supply begins/)
  await expect(consent).toHaveAttribute('aria-invalid', 'true')
  await expectSound(page)
  await consent.check()
  await page.getByRole('button', { name: 'Buy for $177.31' }).click()
  await expect(page.getByRole('region', { name: 'Amount' })).toContainText('Total with tax$177.31')
  await expectSound(page)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Paid. This dataset is yours', { exact: false })).toBeVisible()

  await page.goto('/account/billing')
  await page.getByRole('main').getByRole('link', { name: 'Withdraw from contract here' }).click()
  await expectSound(page)
  const reference = await page.getByLabel('Order number').inputValue()
  const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false, viewport: { width: 360, height: 780 } })
  const stranger = await plain.newPage()
  await stranger.goto('/withdraw')
  await stranger.getByLabel('Order number').focus()
  await stranger.keyboard.type(reference)
  await stranger.keyboard.press('Tab')
  await stranger.keyboard.type('wrong@example.com')
  await stranger.keyboard.press('Tab')
  await stranger.keyboard.type('Pia Private')
  await stranger.keyboard.press('Enter')
  await expect(stranger.getByRole('button', { name: 'Confirm withdrawal' })).toHaveCount(0)
  await stranger.getByLabel('Email address').fill(pia.email)
  await stranger.getByRole('button', { name: 'Continue' }).click()
  await stranger.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(stranger.getByRole('button', { name: 'Confirm withdrawal' })).toHaveCount(0)

  const emailsTo = async () => {
    const emails: { to: string; subject: string }[] = await (await page.request.get('/dev/mail.json')).json()
    return emails.filter(({ to }) => to === pia.email).map(({ subject }) => subject)
  }
  // The last one says that the money goes back, because nobody has used the data.
  const sent = [`Your contract: Promotion History (${reference})`, `Withdrawal received: ${reference}`, `Your withdrawal from ${reference}`]
  await expect.poll(emailsTo).toEqual(expect.arrayContaining(sent))
  await owner.goto(`/admin/billing/orders/${reference}`)
  await expect(owner.getByText('Withdrawal from the contract').first()).toBeVisible()
  await expectSound(owner)
})
