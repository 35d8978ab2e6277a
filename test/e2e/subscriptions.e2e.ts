import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, enterAsOwner } from './steps.ts'

const sol = { firstName: 'Sol', lastName: 'Subscriber', email: 'sol@example.com', password: 'correct horse battery' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })
test.setTimeout(180_000)

const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Wrong input first. */
async function addMonthlyPrice(staff: Page) {
  await staff.getByRole('link', { name: 'Promotion History' }).first().click()
  await staff.getByRole('tab', { name: 'Prices' }).click()
  await staff.getByRole('button', { name: 'Add a price' }).click()
  const form = staff.getByRole('dialog', { name: 'Price of Promotion History' })
  await form.getByRole('button', { name: 'Add price' }).click()
  await expect(form.getByText('Enter an amount').first()).toBeVisible()
  await expectSound(staff)
  await form.getByLabel('Price, before tax').fill('99')
  await form.getByRole('button', { name: 'Add price' }).click()
  await expect(staff.getByText('Monthly: $99.00')).toBeVisible()
  await expectSound(staff)
}

async function subscribe(shop: Page) {
  await shop.getByRole('radio', { name: /a month/ }).check()
  await shop.getByLabel('Company').fill('Subscriber Retail Ltd')
  await shop.getByLabel('Address').fill('1 High Street\nLeeds LS1 1AA')
  await shop.getByLabel('Country').selectOption('GB')
  await shop.getByLabel('I accept this license').check()
  await shop.getByLabel('I buy for my business').check()
  // The total and the button follow the choice.
  await expect(shop.getByText('It renews each month for $99.00 until you cancel.', { exact: false })).toBeVisible()
  await shop.getByRole('button', { name: 'Subscribe for $99.00' }).click()
  await shop.getByRole('button', { name: 'Pay $99.00' }).click()
  await expect(shop.getByText('Paid. This dataset is yours', { exact: false })).toBeVisible()
}

test('staff add a monthly price; a customer subscribes, the renewal fails, is paid by keyboard, and the subscription is cancelled, taken back and ended without talking to anyone; staff correct the invoice and refund', async ({
  page,
  browser,
  site,
}) => {
  await enterAsOwner(page, '/admin/products')
  await addMonthlyPrice(page)

  const context = await browser.newContext({ baseURL: site.url })
  const shop = await context.newPage()
  await enterAsCustomer(shop, sol, '/data-marketplace/promotion-history/buy')
  await subscribe(shop)
  await shop.goto('/account/billing')
  const own = shop.getByRole('region', { name: 'Subscriptions' })
  await expect(own.getByText('Active')).toBeVisible()
  await expectSound(shop)

  // The grace period: what failed, until when there is access, and the way to mend it, on a phone.
  await own.getByRole('button', { name: 'Fail to renew' }).click()
  const unpaid = own.getByRole('group', { name: 'Unpaid renewal of Promotion History' })
  await expect(unpaid.getByText('The renewal of $99.00 could not be charged.', { exact: false })).toBeVisible()
  await expect(own.getByText('Payment failed')).toBeVisible()
  await shop.setViewportSize({ width: 360, height: 740 })
  expect(await wide(shop)).toBeLessThanOrEqual(0)
  await expectSound(shop)
  // The renewal cannot be cancelled beside its subscription, nor be paid twice.
  await expect(shop.getByRole('region', { name: 'Orders' }).getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
  await unpaid.getByRole('link', { name: 'Pay $99.00' }).press('Enter')
  await expect(shop.getByRole('heading', { name: 'Pay your order' })).toBeVisible()
  await shop.getByRole('button', { name: 'Pay $99.00' }).press('Enter')
  await expect(shop.getByText('No money moves here.', { exact: false })).toBeVisible()
  await shop.getByRole('button', { name: 'Decline the card' }).click()
  await expect(shop.getByText('The card was declined.', { exact: false })).toBeVisible()
  await expectSound(shop)
  await shop.getByRole('button', { name: 'Pay $99.00' }).press('Enter')
  await expect(own.getByText('Active')).toBeVisible()
  expect(await wide(shop)).toBeLessThanOrEqual(0)

  // Cancelled with its period, taken back, and ended now.
  await own.getByRole('button', { name: 'Cancel: Promotion History' }).press('Enter')
  const question = shop.getByRole('dialog', { name: 'Cancel Promotion History?' })
  await expect(question.getByText('You keep the access', { exact: false })).toBeVisible()
  await expectSound(shop)
  await question.getByRole('button', { name: 'Keep subscription' }).press('Enter')
  await own.getByRole('button', { name: 'Cancel: Promotion History' }).press('Enter')
  await question.getByRole('button', { name: 'Cancel subscription' }).press('Enter')
  await expect(own.getByText('Cancelled')).toBeVisible()
  await own.getByRole('button', { name: 'Continue subscription' }).press('Enter')
  await expect(own.getByText('Active')).toBeVisible()
  // The button is gone after its work: the focus stays at the subscription, and Tab goes on from there.
  await expect(own.getByRole('listitem')).toBeFocused()
  await shop.keyboard.press('Tab')
  await expect(own.getByRole('link', { name: 'Promotion History' })).toBeFocused()
  await own.getByRole('button', { name: 'Cancel: Promotion History' }).click()
  await shop.getByRole('radio', { name: /^Now/ }).check()
  await shop.getByRole('button', { name: 'End now' }).dblclick()
  await expect(own.getByText('Ended', { exact: true })).toBeVisible()
  await expectSound(shop)
  const emails: { to: string; subject: string }[] = await (await shop.request.get('/dev/mail.json')).json()
  const told = emails.filter(({ to }) => to === sol.email).map(({ subject }) => subject)
  for (const subject of ['Payment failed for Promotion History', 'Your subscription to Promotion History has ended'])
    expect(told.filter((each) => each === subject)).toHaveLength(1)

  await page.goto('/admin/billing')
  await page.getByRole('link', { name: /^B-/ }).first().click()
  await page.getByRole('button', { name: /^Correct TEST-/ }).click()
  await page.getByRole('button', { name: 'Issue corrected invoice' }).click()
  await expect(page.getByText('Enter a reason').first()).toBeVisible()
  await page.getByLabel('Reason').fill('Wrong address')
  await page.getByRole('button', { name: 'Issue corrected invoice' }).click()
  await expect(page.getByText('Corrected invoice', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Refund \$99\.00/ }).click()
  await page.getByLabel('Reason').fill('Ended early')
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Refunds and disputes' }).getByText('Refunded')).toBeVisible({ timeout: 20_000 })
  await expectSound(page)
  await context.close()
})
