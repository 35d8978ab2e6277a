import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { ada, codeInEmail, firstReference, postEnquiry, signInAsOwner } from './steps.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })
test.setTimeout(180_000)

const fits = async (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** The link of the newest email about the proposal, as the client gets it. */
async function linkInEmail({ request }: Page): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const emails: { to: string; html: string }[] = await (await request.get('/dev/mail.json')).json()
      link = emails.map(({ html }) => /href="([^"]*\/proposal\/[^"]*)"/.exec(html)?.[1]).find(Boolean)
      return link
    })
    .toBeTruthy()
  return link ?? ''
}

/** The part of the staff, by keyboard where it is one press: the invoice, the file of the bank that pays it, and a refund. */
async function settleByBank(staff: Page): Promise<void> {
  await staff.goto('/admin/billing?tab=invoices&state=unpaid')
  await expect(staff.getByRole('row').filter({ hasText: '$1,350.45' })).toBeVisible()
  await expectSound(staff)
  await staff.keyboard.press('j')
  await staff.keyboard.press('Enter')
  const documents = staff.getByRole('region', { name: 'Invoices and credit notes' })
  const invoice = documents.getByRole('link')
  await expect(invoice).toHaveText(/^TEST-/)
  await expectSound(staff)
  const order = staff.url()
  const number = (await invoice.textContent()) ?? ''
  await expect
    .poll(async () => (await staff.request.get((await invoice.getAttribute('href')) ?? '')).status(), { timeout: 40_000 })
    .toBe(200)
  const file = staff.waitForEvent('download')
  await invoice.click()
  expect((await file).suggestedFilename()).toMatch(/^test-.*\.pdf$/)

  await staff.goto('/admin/billing?tab=bank')
  await staff.getByRole('button', { name: 'Import statement' }).first().click()
  const dialog = staff.getByRole('dialog', { name: /Import/ })
  const text = `Date,Name,Purpose,Amount\n2026-11-20,Analytical Engines,Invoice ${number},1350.45\n2026-11-21,A stranger,Hello,5.00\n`
  await dialog.getByLabel('Bank statement').setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog.getByText('1 matched')).toBeVisible()
  await expect(dialog.getByText('1 to decide')).toBeVisible()
  await expectSound(staff)
  await dialog.getByRole('button', { name: 'Import 2 payments' }).click()
  await expect(staff.getByRole('row').filter({ hasText: 'A stranger' })).toBeVisible()
  const size = staff.viewportSize()
  await staff.setViewportSize({ width: 360, height: 740 })
  expect(await staff.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  if (size) await staff.setViewportSize(size)

  await staff.goto(order)
  await expect(staff.getByRole('region', { name: 'Payments' })).toContainText('$1,350.45')
  await staff.getByRole('button', { name: /^Refund \$1,350.45/ }).click()
  const refund = staff.getByRole('dialog', { name: /^Refund B-/ })
  await refund.getByLabel('Amount in USD').fill('100')
  await refund.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(refund.getByText('Enter a reason').first()).toBeVisible()
  await expectSound(staff)
  await refund.getByLabel('Reason').fill('One shop was missing')
  await refund.getByLabel('Reason').press('Enter')
  await staff.getByRole('button', { name: 'Money sent' }).click()
  const question = staff.getByRole('dialog', { name: 'Have you sent the money?' })
  await expect(question).toContainText('The refund of $100.00 is booked')
  await question.getByRole('button', { name: 'Book the refund' }).press('Enter')
  await expect(documents.getByText('Credit note')).toBeVisible()
  await expectSound(staff)
}

test('staff write and send a proposal; the client asks, chooses an option, signs with a code without script on a phone and pays the deposit; staff countersign and order the rest, which the bank pays', async ({
  page: staff,
  browser,
  site,
}) => {
  await postEnquiry(staff)
  await signInAsOwner(staff)
  const reference = await firstReference(staff)

  // From the lead, by one visible action. Nothing can be sent before it says what it is for.
  await staff.goto(`/leads/${reference}`)
  await staff.getByRole('link', { name: 'Proposal', exact: true }).click()
  await expect(staff.getByText('No proposal yet.', { exact: false })).toBeVisible()
  await staff.getByRole('button', { name: 'Begin with an empty line' }).focus()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { name: 'Draft' })).toBeVisible()
  await expect(staff.getByLabel('Title')).toBeFocused()
  await expectSound(staff)
  await staff.getByLabel('Price before tax').fill('a lot')
  await staff.getByRole('button', { name: 'Save draft' }).click()
  await expect(staff.getByText('Name what this line is for').first()).toBeVisible()
  await staff.getByLabel('Line 1', { exact: true }).fill('Prices of 40 competitors')
  await staff.getByLabel('Price before tax').fill('1,200.50')
  await staff.getByLabel('Needed from the client').fill('The list of your competitors.')
  await staff.getByRole('button', { name: '+ Data processing and analysis' }).click()
  await expect(staff.getByLabel('Line 2', { exact: true })).toBeFocused()
  await staff.getByRole('group', { name: 'Line 2' }).getByText('Optional', { exact: true }).click()
  // A line that is removed by mistake comes back to its place, with all that was typed.
  await staff.getByRole('button', { name: 'Remove line 1' }).click()
  await expect(staff.getByText('Line 1 removed').first()).toBeVisible()
  await expect(staff.getByLabel('Line 1', { exact: true })).not.toHaveValue('Prices of 40 competitors')
  await staff.getByRole('button', { name: 'Undo' }).click()
  await expect(staff.getByLabel('Line 1', { exact: true })).toHaveValue('Prices of 40 competitors')
  await expect(staff.getByLabel('Price before tax').first()).toHaveValue('1,200.50')
  // The quantity has limits, wrong ones first; a tenth of the whole is taken off.
  const first = staff.getByRole('group', { name: 'Line 1' })
  await first.getByText('The client may change the quantity').click()
  await staff.getByLabel('Discount on the whole').fill('10')
  await staff.getByRole('button', { name: 'Save draft' }).click()
  await expect(first.getByText('Enter a quantity above 0', { exact: false })).toBeVisible()
  await first.getByLabel('Most', { exact: true }).fill('5')
  await expect(staff.getByText('$1,080.45')).toBeVisible()
  await expectSound(staff)
  await expect(staff.getByRole('button', { name: 'Send by email' })).toHaveAttribute('data-reason', 'Save your changes first.')
  // Leaving asks.
  await staff.getByRole('link', { name: ada.name }).click()
  await expect(staff.getByText('Your changes in this form will be lost.')).toBeVisible()
  await staff.getByRole('button', { name: 'Continue editing' }).click()
  await staff.getByRole('button', { name: 'Save draft' }).click()
  await expect(staff.getByText('Draft saved').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Send by email' }).click()
  await expect(staff.getByText(`Proposal sent to ${ada.email}`).first()).toBeVisible()
  await expect(staff.getByText('Not yet')).toBeVisible()

  // The client reads it on a phone, without script.
  const phone = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 }, javaScriptEnabled: false })
  const link = await linkInEmail(staff)
  await phone.goto(link)
  await expect(phone.getByRole('heading', { level: 1, name: ada.problem })).toBeVisible()
  await phone.locator('summary', { hasText: 'Ask about this line' }).first().click()
  await phone.getByRole('button', { name: 'Send question' }).first().click()
  await expect(phone.getByText('Write your question first.')).toBeVisible()
  await phone.getByLabel('Your question').first().fill('Also on Sundays?')
  await phone.getByRole('button', { name: 'Send question' }).first().click()
  await expect(phone.getByRole('status').filter({ hasText: 'Your question was sent.' })).toBeVisible()

  await expect(staff.getByText('Also on Sundays?')).toBeVisible()
  await staff.getByLabel('Answer').fill('Every day of the week.')
  await staff.getByRole('button', { name: 'Send answer' }).click()
  await expect(staff.getByText('Answer sent').first()).toBeVisible()
  await expectSound(staff)

  await phone.goto(link)
  await expect(phone.getByText('Every day of the week.')).toBeVisible()
  await phone.getByRole('checkbox', { name: /Include Data processing/ }).check()
  const quantity = phone.getByLabel('Quantity of Prices of 40 competitors')
  await quantity.fill('9')
  await phone.getByRole('button', { name: 'Update total' }).click()
  await expect(phone.getByText('Enter a whole number from 1 to 5.')).toBeVisible()
  await quantity.fill('2')
  await phone.getByRole('button', { name: 'Update total' }).click()
  await expect(phone.getByText('$2,700.90')).toBeVisible()
  expect(await fits(phone)).toBeLessThanOrEqual(0)
  // With script, the total follows each key.
  const client = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 } })
  await client.goto(link)
  await client.getByRole('checkbox', { name: /Include Data processing/ }).check()
  await client.getByLabel('Quantity of Prices of 40 competitors').fill('3')
  await expect(client.locator('#total')).toContainText('$3,781.35')
  await expect(client.locator('#total')).toContainText('-$420.15')
  await expectSound(client)
  // Wrong first.
  await phone.getByRole('button', { name: 'Email me a code' }).click()
  await expect(phone.getByRole('link', { name: 'Enter the name of your company.' })).toBeVisible()
  await phone.getByLabel('Company').fill('Analytical Engines')
  await phone.getByLabel('Country').selectOption('GB')
  await phone.getByLabel('I order for a business').check()
  await phone.getByLabel('Your name').fill('Ada Lovelace')
  await phone.getByRole('button', { name: 'Email me a code' }).click()
  await expect(phone.getByText(`We emailed a code to ${ada.email}.`, { exact: false })).toBeVisible()
  await phone.getByLabel('Code from the email').fill('12')
  await phone.getByLabel('I may sign for this company.').check()
  await phone.getByRole('button', { name: 'Sign and accept' }).click()
  await expect(phone.getByRole('link', { name: /^Agree to sign electronically, or/ })).toBeVisible()
  await phone.getByLabel('I agree to sign electronically', { exact: false }).check()
  await phone.getByLabel('Code from the email').fill(await codeInEmail(staff, /Your code to sign/, 1))
  await phone.getByRole('button', { name: 'Sign and accept' }).click()
  await expect(phone.getByRole('heading', { name: 'Signed' })).toBeVisible()

  // With script: the page is sound and fits a phone; the deposit is paid at the test provider.
  await client.goto(link)
  expect(await fits(client)).toBeLessThanOrEqual(0)
  await expectSound(client)
  await client.getByRole('button', { name: 'Pay $1,350.45' }).click()
  await client
    .getByRole('button', { name: /^Pay \$/ })
    .first()
    .click()
  await expect(client.getByText('paid, thank you', { exact: false })).toBeVisible()

  await staff.reload()
  await expect(staff.getByText('Work began')).toBeVisible()
  await staff.getByLabel('Your name').fill('Olive Owner')
  await staff.getByLabel('Your name').press('Enter')
  await expect(staff.getByText('Proposal countersigned').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Order the final payment' }).click()
  await staff.getByRole('button', { name: 'Order and invoice' }).click()
  await expect(staff.getByText('Final payment ordered').first()).toBeVisible()
  await expect(staff.getByRole('listitem').filter({ hasText: 'Final payment' })).toContainText('$1,350.45')
  await expectSound(staff)
  await staff.goto(`/leads/${reference}`)
  for (const event of ['Proposal opened by the client', 'Proposal accepted', 'Deposit paid', 'Project started', 'Final payment invoiced'])
    await expect(staff.getByText(event, { exact: false }).first()).toBeVisible()

  await settleByBank(staff)

  // The signed file is genuine, whoever asks.
  await client.goto(link)
  const hash = await client.evaluate(async (url) => {
    const bytes = await (await fetch(`${url}/signed.pdf`)).arrayBuffer()
    return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }, link)
  await client.goto('/verify')
  await client.getByLabel('SHA-256 of the file').fill(hash)
  await client.getByRole('button', { name: 'Check the fingerprint' }).click()
  await expect(client.getByText('We signed exactly this file.')).toBeVisible()
  expect(await fits(client)).toBeLessThanOrEqual(0)
  await expectSound(client)
})
