import type { Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { expect, readingTest as test } from './fixtures.ts'
import { type Form, forms, meet } from './forms.ts'
import { tabTo } from './tab-to.ts'

for (const path of ['/', '/hire-web-scraping-developer']) {
  test(`${path} is read by keyboard: every stop can be seen, and each question opens and closes`, async ({ page }) => {
    await page.goto(path)
    const questions = page.locator('summary')
    await tabTo(page, questions.first())
    for (let index = 0; index < (await questions.count()); index += 1) {
      await expect(questions.nth(index)).toBeFocused()
      await page.keyboard.press(index % 2 === 0 ? 'Enter' : 'Space')
      await expect(page.locator('details[open]')).toHaveCount(1)
      await expect(page.locator('details').nth(index)).toHaveAttribute('open')
      if (index < (await questions.count()) - 1) await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await expect(page.locator('details[open]')).toHaveCount(0)
  })
}

test('the drawer opens, is left, and leads to a page by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const opener = page.getByRole('button', { name: 'Open menu' })
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  await tabTo(page, drawer.getByRole('link', { name: 'Case Studies' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/case-studies')
})

test('the forms are filled and sent by keyboard alone', async ({ page }) => {
  for (const form of byLength([forms.landing, forms.hire], Object.values(forms))) {
    await page.goto(form.path)
    await sendByKeyboard(page, form)
    await expect(page.getByRole('region', { name: 'Notifications' }).getByText(form.sent[0])).toBeVisible()
  }
})

/** Types the input, in lists as well: a focused list jumps to the typed text. */
async function sendByKeyboard(page: Page, form: Form) {
  const { field, send, expectKept } = meet(page, form)
  for (const [label, answer] of Object.entries(form.answers)) {
    await tabTo(page, field(label))
    await page.keyboard.type(answer)
  }
  await expectKept()
  await tabTo(page, send)
  await page.keyboard.press('Enter')
}
