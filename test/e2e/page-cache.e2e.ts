import type { Page } from '@playwright/test'
import type { Server } from './server.ts'
import { expect, test, workingTest } from './fixtures.ts'
import { enterAsOwner } from './steps.ts'

type Answer = { route: string; status: number; cached?: boolean }

/** The log lines of the responses for one page, in order; they arrive through a pipe, a little after the response. */
function answersFor(path: string, { output }: Server): Answer[] {
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const answers: Answer[] = lines.map((line) => JSON.parse(line))
  return answers.filter(({ route }) => route === path).map(({ route, status, cached = false }) => ({ route, status, cached }))
}

const theme = (page: Page) => page.locator('html').getAttribute('data-theme')

test('a page is written for the first visitor and kept; a browser that has it hears that nothing has changed', async ({
  page,
  browser,
  site,
}) => {
  const about = (status: number, cached: boolean) => ({ route: '/about', status, cached })
  await page.goto('/about')
  await page.goto('/booking-success')
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => answersFor('/about', site)).toEqual([about(200, false), about(304, true)])

  const other = await (await browser.newContext({ baseURL: site.url })).newPage()
  await other.goto('/about')
  await expect.poll(() => answersFor('/about', site).slice(2)).toEqual([about(200, true)])
  expect(await other.getByRole('main').innerText()).toBe(await page.getByRole('main').innerText())
})

workingTest(
  'a cached page reaches only the visitors that it is for: the other theme and signed-in people get their own page immediately',
  async ({ page, browser, site }) => {
    await page.goto('/about')
    expect(await theme(page)).toBeNull()
    await page.context().addCookies([{ name: 'theme', value: 'dark', url: site.url }])
    await page.goto('/about')
    expect(await theme(page)).toBe('dark')

    await enterAsOwner(page, '/about')
    await expect(page.getByRole('button', { name: 'Account of Olive' })).toBeVisible()
    const stranger = await (await browser.newContext({ baseURL: site.url })).newPage()
    await stranger.goto('/about')
    await expect(stranger.getByRole('button', { name: 'Account of Olive' })).toHaveCount(0)
    expect(await theme(stranger)).toBeNull()
  },
)
