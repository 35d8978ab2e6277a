import { expect, workingTest as test } from './fixtures.ts'
import { enterAsOwner } from './steps.ts'

test.use({ timezoneId: 'Asia/Kolkata' })

test('a workspace far from the server’s time zone begins without a fault, and shows the times of its reader on a 24-hour clock', async ({
  page,
}) => {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  const markup: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/account')) markup.push(await response.text())
  })
  await enterAsOwner(page)
  await page.goto('/account')
  const due = page.getByText(/^Set up two-factor authentication by/).locator('time')
  const at = new Date((await due.getAttribute('datetime')) ?? '')
  // In India the clock is 5:30 h ahead of UTC.
  const there = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(11, 16)
  await expect(due).toHaveText(new RegExp(`, \\d{4}, ${there}$`))
  expect(markup.join('\n')).toContain(`${at.toISOString().slice(11, 16)} UTC</time>`)
  expect(faults).toEqual([])
})
