import type { Locator, Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { expect, readingTest as test } from './fixtures.ts'
import { forms, meet } from './forms.ts'
import { expectSoundAt } from './sound.ts'

// The sweep of all pages looks at these pages at the widths between.
const widths = byLength([320, 1440], [320, 390, 768, 1440])
test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const [name, form] of Object.entries(forms)) {
  test(`the ${name} form: refused, failed, reloaded, sent and forgotten, each accessibly`, async ({ page }) => {
    test.slow()
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    const expectSound = (state: string) => expectSoundAt(page, `${form.path} ${state}`, widths, { part: '#enquiry' })
    let fails = true
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/api/contact', async (route) => {
      await seen
      await (fails ? route.fulfill({ status: 500, body: 'Bad gateway' }) : route.continue())
    })
    const { field, send, summary, ...met } = meet(page, form)
    await page.goto(form.path)
    await met.wake()

    await test.step('what is missing is named, and the first of it has the focus', async () => {
      await send.click()
      await expect(summary).toHaveText(form.missing)
      await expect(field(Object.keys(form.answers)[0] ?? '')).toBeFocused()
      await expectBelowHeader(page, page.locator('#enquiry :focus'))
      await expectSound('refused')
    })
    await test.step('a failure says so and keeps every word', async () => {
      await met.fill()
      await send.click()
      const sending = page.getByRole('button', { name: 'Sending...', exact: true })
      await expect(sending).toBeDisabled()
      goOn()
      await expect(sending).toHaveCount(0)
      const notice = page.getByRole('alert').filter({ hasText: form.failed[1] })
      await expect(notice.getByText(form.failed[0], { exact: true })).toBeVisible()
      await met.expectKept()
      await expectSound('failed')
    })
    await test.step('what was typed is there after a reload', async () => {
      await page.reload()
      await met.expectKept()
    })
    await test.step('sent, it shows its number, is empty, and nothing stays behind', async () => {
      fails = false
      await send.click()
      const notice = page.getByRole('region', { name: 'Notifications' }).getByRole('status')
      await expect(notice).toContainText(form.sent[0])
      await expect(notice).toContainText(form.sent[1])
      await expect(page.getByText(/Your reference number is W-[2-9A-Z]{6}/)).toBeVisible()
      await expectBelowHeader(page, page.getByText(/Your reference number is/))
      await met.expectEmpty()
      const panel = page.locator('[data-sent]')
      await expect(panel).toContainText(form.answers['Message'] ?? form.answers['Project details'] ?? '')
      await expect(panel).toContainText('ada@analytical.example')
      await expect(panel).toContainText(/within \d+ hours/i)
      const [above, below] = [await panel.boundingBox(), await field('Name').boundingBox()]
      expect(above && below && above.y + above.height).toBeLessThanOrEqual(below?.y ?? 0)
      expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([])
      await expectSound('sent')
    })
    await test.step('it takes the next enquiry as well', async () => {
      const first = await page.getByText(/Your reference number is W-/).textContent()
      await met.fill()
      await field('Name').fill('Grace Hopper')
      await send.click()
      await expect(page.getByText(/Your reference number is W-/)).not.toHaveText(first ?? '')
      await met.expectEmpty()
    })
    expect(faults).toEqual([])
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('each of the four forms is refused with all that was typed, corrected, and confirmed in its page', async ({ page }) => {
    for (const form of Object.values(forms)) {
      const { field, send, summary, ...met } = meet(page, form)
      await page.goto(form.path)
      await met.fill()
      await field('Email').fill('ada')
      const [refusal] = await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'POST'), send.click()])
      expect([form.path, refusal.status()]).toEqual([form.path, 422])
      await expect(summary).toHaveText(form.missing.filter((text) => text.includes('email')))
      await expect(field('Email')).toHaveValue('ada')
      await expect(page.locator('form:focus')).toHaveAccessibleDescription('Errors to correct')
      await page.keyboard.press('Tab')
      await expect(summary).toBeFocused()

      await field('Email').fill(form.answers['Email'] ?? '')
      await met.expectKept()
      await send.click()
      await expect(page.getByText(form.sent[0])).toBeVisible()
      await expect(page.getByText(/Your reference number is W-/)).toBeVisible()
      await met.expectEmpty()
    }
  })
})

/** The header sticks to the top of the window, over whatever is scrolled below it. */
async function expectBelowHeader(page: Page, element: Locator) {
  await expect(element).toBeInViewport()
  const header = await page.locator('body > header').boundingBox()
  await expect.poll(async () => (await element.boundingBox())?.y ?? 0).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0))
}
