import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { becomeOwner } from './steps.ts'

test.use({ settings: { RATE_LIMITS: 'off' } })

test('a post is written, seen as readers will, published, corrected and deleted (rows 146 to 150, 185)', async ({ page }) => {
  await becomeOwner(page)
  await page.goto('/admin/blog')
  await page.getByRole('button', { name: 'New Post' }).click()
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('region', { name: 'What has to be corrected' })).toContainText('Please correct 3 things')
  await expect(form.getByLabel('Title', { exact: true })).toBeFocused()
  await expectSound(page)

  await form.getByLabel('Title', { exact: true }).fill('How Often Should Prices Be Read?')
  await expect(form.getByLabel('Slug')).toHaveValue('how-often-should-prices-be-read')
  await form.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('Once a day is')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('enough')
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview.locator('strong')).toHaveText('enough')
  await expect(form.getByText('4 words, 1 min read')).toBeVisible()
})
