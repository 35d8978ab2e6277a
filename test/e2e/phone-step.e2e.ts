import type { Page } from '@playwright/test'
import { lastCodeOf } from '#test/totp.ts'
import { atLength } from '#test/length.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { codeInEmail, enterAsCustomer, olive, signIn, wrongFor, signOut } from './steps.ts'

const PAUSE_SECONDS = 4

test.use({
  settings: {
    MFA_PHONE_ENROLL_ENABLED: 'true',
    MFA_PHONE_VERIFY_ENABLED: 'true',
    SMS_MAX_FREQUENCY: `${PAUSE_SECONDS}s`,
  },
})

// One worker runs them all, so that they share one installation.
test.describe.configure({ mode: 'default' })

/** A person of one test with a number of their own. */
function personWith(number: string) {
  const digits = number.replaceAll(' ', '')
  const person = { ...olive, firstName: 'Pat', email: `pat-${digits.slice(-3)}@phones.example` }
  return { number, digits, person, message: new RegExp(`A message to \\${digits}`) }
}

async function addPhone(page: Page, { number, message }: ReturnType<typeof personWith>) {
  await page.getByRole('button', { name: 'Get codes by text message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Codes by text message' })
  await dialog.getByLabel('Phone number').fill(number)
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  await dialog.getByRole('textbox', { name: 'Code' }).fill(await codeInEmail(page, message, 1))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 codes are left')).toBeVisible()
}

test('a phone is set up as second step: the number, a wrong code, another message after a while, the right code; and taken off again', async ({
  page,
}) => {
  const { number, digits, person, message } = personWith('+49 151 2345 671')
  await enterAsCustomer(page, person, '/account/security')
  await page.getByRole('button', { name: 'Get codes by text message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Codes by text message' })
  await dialog.getByLabel('Phone number').fill('0151 2345678')
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  await expect(dialog.getByText('Enter the full number with its country code')).toBeVisible()
  await expectSound(page)
  await dialog.getByLabel('Phone number').fill(number)
  await dialog.getByLabel('Phone number').press('Enter')
  await expect(dialog.getByText(digits)).toBeVisible()

  const again = dialog.getByRole('button', { name: /Send another code/ })
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  await expect(again).toHaveText(/Send another code in \d s/)
  await expectSound(page)
  const first = await codeInEmail(page, message, 1)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(wrongFor(first))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription('This isn’t the code from the latest message.')
  await expect(again).toHaveText('Send another code')
  await again.click()
  const second = await codeInEmail(page, message, 2)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(second)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText(digits)).toBeVisible()

  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Get codes by text message' })).toBeVisible()
  await expect(page.getByText(digits)).toBeHidden()
})

test('closed before it is finished, nothing has changed, and the same number can be begun again', async ({ page }) => {
  const { number, digits, person } = personWith('+49 151 2345 672')
  await enterAsCustomer(page, person, '/account/security')
  await page.getByRole('button', { name: 'Get codes by text message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Codes by text message' })
  await dialog.getByLabel('Phone number').fill(number)
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  await dialog.getByRole('button', { name: 'Use another number' }).click()
  await expect(dialog.getByLabel('Phone number')).toHaveValue(digits)
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible()
})

test('a person with a phone and an authenticator chooses at the second factor, and a new code follows one with too many attempts', async ({
  page,
}) => {
  const phone = personWith('+49 151 2345 678')
  await enterAsCustomer(page, phone.person, '/account/security')
  await addPhone(page, phone)
  await page.getByRole('button', { name: 'Add another authenticator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const secret = await dialog.getByRole('code').innerText()
  await dialog.getByLabel('2. Enter the code it shows').fill(await lastCodeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('button', { name: 'Remove Authenticator' })).toBeVisible()

  await signOut(page)
  await signIn(page, phone.person)
  await expect(page.getByText('Enter the code from your authenticator app.')).toBeVisible()
  await page.getByRole('link', { name: 'Use your phone ending in 78' }).click()
  await expectSound(page)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page.getByRole('button', { name: /Send another code in/ })).toBeVisible()
  await expectSound(page)
  const field = page.getByRole('textbox', { name: 'Code' })
  const spent = await codeInEmail(page, phone.message, 2)
  for (let guess = 1; guess <= 5; guess += 1) {
    await field.fill(wrongFor(spent))
    const answered = page.waitForResponse(/\/verify$/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await answered
    await expect(field).toHaveAccessibleDescription('This isn’t the code from the latest message.')
  }
  await field.fill(spent)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(field).toHaveAccessibleDescription(/no longer works. It expired or was tried too often/)
  await page.getByRole('button', { name: 'Send another code', exact: true }).click()
  await field.fill(await codeInEmail(page, phone.message, 3))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a message is sent on a press, and its code signs in', atLength, async ({ page, browser, site }) => {
    const live = await (await browser.newContext({ baseURL: site.url, javaScriptEnabled: true })).newPage()
    const phone = personWith('+49 151 2345 674')
    await enterAsCustomer(live, phone.person, '/account/security')
    await addPhone(live, phone)
    await signIn(page, phone.person)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeInEmail(live, phone.message, 2))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})
