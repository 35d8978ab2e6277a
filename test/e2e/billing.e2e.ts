import type { Page } from '@playwright/test'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, signInAsOwner } from './steps.ts'

const nora = { firstName: 'Nora', lastName: 'Newcomer', email: 'nora@example.com', password: 'correct horse battery' }
const omar = { firstName: 'Omar', lastName: 'Orders', email: 'omar@orders.example', password: 'correct horse battery' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })
test.setTimeout(180_000)

const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

async function fillCompany(page: Page) {
  await page.getByLabel('Company').fill('Newcomer Retail Ltd')
  await page.getByLabel('Address').fill('1 High Street\nLeeds LS1 1AA')
  await page.getByLabel('Country').selectOption('GB')
  await page.getByLabel('I accept this license').check()
  await page.getByLabel('I buy for my business').check()
}

/** Wrong input first, then archived and back. */
async function makeDiscount(owner: Page) {
  await owner.goto('/admin/billing?tab=discounts')
  await owner.getByRole('button', { name: 'New discount code' }).first().click()
  const form = owner.getByRole('dialog', { name: 'New discount code' })
  await form.getByLabel('Code').fill('spring 26')
  await form.getByRole('button', { name: 'Create code' }).click()
  await expect(form.getByText('Enter a percentage from 0.01 to 100').first()).toBeVisible()
  await expectSound(owner)
  await form.getByLabel('Code').fill('spring-26')
  await form.getByLabel('Percent').fill('12.5')
  await form.getByRole('button', { name: 'Create code' }).click()
  const row = owner.getByRole('row').filter({ hasText: 'SPRING-26' })
  await expect(row).toContainText('12.5%')
  await row.getByRole('button', { name: /SPRING-26/ }).click()
  await owner.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(owner.getByText('SPRING-26 archived').first()).toBeVisible()
  await expect(row).toHaveCount(0)
  await owner.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expectSound(owner)
}

/** A dispute of the test bank is decided by keyboard, and stays in the list of what is done; the current month has its files. */
async function decideDispute(owner: Page) {
  const { orders }: { orders: { reference: string }[] } = await (await owner.request.get('/api/admin/billing/orders')).json()
  await owner.goto(`/admin/billing/orders/${orders[0]?.reference}`)
  await owner.getByRole('group', { name: 'Test bank' }).getByRole('button', { name: 'Dispute' }).click()
  await expect(owner.getByRole('link', { name: 'Evidence pack' })).toBeVisible()
  await owner.goto('/admin/billing?tab=tasks')
  await expect(owner.getByRole('row', { name: /dispute/i })).toBeVisible()
  await expectSound(owner)
  await owner.keyboard.press('j')
  await owner.keyboard.press('Enter')
  const task = owner.getByRole('dialog', { name: /dispute/i })
  await expect(task.getByRole('link', { name: orders[0]?.reference ?? '' })).toBeVisible()
  await expectSound(owner)
  await task.getByRole('button', { name: 'Mark as done' }).press('Enter')
  const question = owner.getByRole('dialog', { name: 'Mark as done?' })
  await question.getByLabel('Note').fill('Evidence sent to the bank')
  await question.getByLabel('Note').press('Enter')
  await expect(owner.getByText('Task done').first()).toBeVisible()
  await expect(owner.getByText('Nothing to decide')).toBeVisible()
  await owner.goto('/admin/billing?tab=tasks&state=done')
  await owner.getByRole('row', { name: /dispute/i }).click()
  await expect(task.getByText('Evidence sent to the bank')).toBeVisible()

  await owner.goto('/admin/billing?tab=months')
  // In the month of the payment, which is the current one unless the month has ended during this test.
  await expect(owner.getByRole('row').filter({ hasText: '$149.00' })).toBeVisible()
  await expectSound(owner)
  await owner.keyboard.press('j')
  await owner.keyboard.press('Enter')
  const file = owner.waitForEvent('download')
  await owner.getByRole('dialog').getByRole('link', { name: 'Journal' }).press('Enter')
  expect((await file).suggestedFilename()).toMatch(/^\d{4}-\d\d-journal\.csv$/)
  await expectSound(owner)
}

ownTest(
  'a newcomer buys the sample dataset without a key: wrong input first, a declined card, then paid, downloaded and listed; the owner makes a discount code, decides a dispute, and removes the test',
  async ({ page, browser, site }) => {
    await page.goto('/datasets')
    const card = page.getByRole('listitem').filter({ hasText: 'Promotion History' })
    await expect(card.getByText('$149.00')).toBeVisible()
    await card.getByRole('link', { name: 'Buy' }).click()
    await expect(page).toHaveURL(/\/login\?next=.*buy/)
    await enterAsCustomer(page, nora, '/data-marketplace/promotion-history')
    await page.getByRole('link', { name: 'Buy', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Buy Promotion History' })).toBeVisible()
    await expectSound(page)

    // Nothing filled in yet.
    await page.getByRole('button', { name: 'Buy for $149.00' }).click()
    await expect(page.getByRole('link', { name: 'Enter the name of your company' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Accept the license' })).toBeVisible()
    await expectSound(page)
    await fillCompany(page)
    await page.getByLabel('Discount code').fill('NOSUCH')
    await page.getByRole('button', { name: 'Update the total' }).click()
    await expect(page.getByText('There is no such discount code.')).toBeVisible()
    await expect(page.getByLabel('Company')).toHaveValue('Newcomer Retail Ltd')
    // The page fades in, and takes no click meanwhile.
    await expect(async () => {
      await page.getByLabel('Discount code').fill('')
      await page.getByRole('button', { name: 'Update the total' }).click()
      await expect(page.getByRole('button', { name: 'Buy for $149.00' })).toBeVisible({ timeout: 3000 })
    }).toPass()
    await page.getByRole('button', { name: 'Buy for $149.00' }).dblclick()

    // The test provider, in two tabs.
    await expect(page.getByText('No money moves here.', { exact: false })).toBeVisible()
    await expectSound(page)
    const second = await page.context().newPage()
    await second.goto(page.url())
    await page.getByRole('button', { name: 'Decline the card' }).click()
    await expect(page.getByText('The card was declined.', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: 'Pay $149.00' }).focus()
    await page.keyboard.press('Enter')

    await expect(page.getByText('Paid. This dataset is yours', { exact: false })).toBeVisible()
    await expectSound(page)
    // Its file takes a moment, and the link appears by itself.
    const invoice = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Invoice TEST-/ }).click({ timeout: 40_000 })
    expect((await invoice).suggestedFilename()).toMatch(/^test-.*\.pdf$/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).first().click()
    expect((await download).suggestedFilename()).toContain('promotion-history')
    await second.getByRole('button', { name: 'Pay $149.00' }).click()
    await expect(second.getByText('Paid. This dataset is yours', { exact: false })).toBeVisible()

    await page.goto('/data-marketplace/promotion-history/buy')
    await expect(page.getByText('You have access to this dataset already.')).toBeVisible()
    await page.goto('/account/billing')
    await expect(page.getByRole('list').getByText('Paid', { exact: true })).toHaveCount(1)
    await expect(page.getByRole('link', { name: /^Invoice TEST-/ })).toBeVisible()
    await expectSound(page)
    const emails: { to: string; subject: string }[] = await (await page.request.get('/dev/mail.json')).json()
    expect(emails.filter(({ to, subject }) => to === nora.email && subject.includes('Promotion History'))).toHaveLength(1)

    const owner = await (await browser.newContext({ baseURL: site.url })).newPage()
    await signInAsOwner(owner)
    await makeDiscount(owner)
    await decideDispute(owner)
    await owner.goto('/admin/billing')
    await owner.getByRole('button', { name: 'Remove test data' }).click()
    const question = owner.getByRole('dialog', { name: 'Remove all test data?' })
    await expect(
      question.getByText('1 order, 1 invoice, 1 payment and 0 subscriptions of tests are removed', { exact: false }),
    ).toBeVisible()
    await expectSound(owner)
    await question.getByRole('button', { name: 'Remove test data' }).click()
    await expect(owner.getByText('Test data removed').first()).toBeVisible()
    await expect(owner.getByText('No orders yet')).toBeVisible()
    await expect(owner.getByRole('button', { name: 'Remove test data' })).toHaveCount(0)
    await page.goto('/account/billing')
    await expect(page.getByText('No orders yet')).toBeVisible()
  },
)

test.describe('on a phone without script', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('an order is cancelled and placed again; a delayed payment is pending, and done when it arrives', async ({
    page,
    browser,
    site,
  }) => {
    await enterAsCustomer(page, omar, '/data-marketplace/promotion-history')
    const phone = await browser.newContext({
      baseURL: site.url,
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
      storageState: await page.context().storageState(),
    })
    const plain = await phone.newPage()
    await plain.goto('/data-marketplace/promotion-history/buy')
    expect(await wide(plain)).toBeLessThanOrEqual(0)
    await fillCompany(plain)
    await plain.getByRole('button', { name: 'Buy for $149.00' }).click()
    expect(await wide(plain)).toBeLessThanOrEqual(0)
    await plain.getByRole('button', { name: 'Go back without paying' }).click()
    await expect(plain.getByText('Nothing was charged yet.', { exact: false })).toBeVisible()
    expect(await wide(plain)).toBeLessThanOrEqual(0)
    // It asks first.
    await plain.getByText('Cancel the order', { exact: true }).click()
    expect(await wide(plain)).toBeLessThanOrEqual(0)
    await plain.getByRole('button', { name: 'Yes, cancel the order' }).click()
    await expect(plain.getByRole('heading', { name: 'This order is cancelled' })).toBeVisible()
    await plain.getByRole('link', { name: 'Order again' }).click()
    await plain.getByLabel('I accept this license').check()
    await plain.getByRole('button', { name: 'Buy for $149.00' }).click()
    await plain.getByRole('button', { name: 'Pay with a delay' }).click()
    await expect(plain.getByRole('heading', { name: 'Your payment is on its way' })).toBeVisible()
    await expect(plain).toHaveURL(/\?order=B-/, { timeout: 40_000 })
    await page.goto('/account/billing')
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
    expect(await wide(page)).toBeLessThanOrEqual(0)
    await expectSound(page)
  })
})
