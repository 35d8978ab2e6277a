import type { Page } from '@playwright/test'
import { expect, readingTest as test, workingTest } from './fixtures.ts'
import { expectSoundAt } from './sound.ts'
import { signInAsOwner } from './steps.ts'
import { watchPolicy } from './violations.ts'

const slug = 'prices-before-breakfast'
const post = {
  title: 'Prices before breakfast',
  slug,
  content:
    '## First\n\nA text with `code`.\n\n## Second\n\n```ts\nconst rows = 5\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Third\n\nThe end.',
  excerpt: 'What to do when a page does not want to be a table.',
  tags: ['practice', 'tables', 'code', 'a fourth'],
  published: true,
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(120_000)

workingTest('staff publish a post; visitors find, read and share it; deleted, it is gone permanently', async ({ page, browser, site }) => {
  await signInAsOwner(page)
  expect(await send(page, 'POST', '/api/blog', post)).toBe(201)

  const context = await browser.newContext({ baseURL: site.url, permissions: ['clipboard-read', 'clipboard-write'] })
  const reader = await context.newPage()
  const violations = await watchPolicy(reader)
  await reader.goto('/blog')
  await reader.getByRole('link', { name: post.title }).click()
  await expect(reader.getByRole('heading', { level: 1, name: post.title })).toBeVisible()
  await reader.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Third' }).click()
  await expect(reader).toHaveURL(`/blog/${slug}#sec-third`)

  await reader.getByRole('button', { name: 'Share' }).click()
  await expect(reader.getByText('Link copied')).toBeVisible()
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/blog/${slug}$`))
  await reader.evaluate(() => Object.assign(navigator, { share: (given: unknown) => Object.assign(window, { given }) }))
  await reader.getByRole('button', { name: 'Share' }).click()
  expect(await reader.evaluate(() => 'given' in window && window.given)).toMatchObject({ title: post.title, text: post.excerpt })
  expect(violations()).toEqual([])

  const { id }: { id: string } = await (await page.request.get(`/api/blog/${slug}`)).json()
  expect(await send(page, 'DELETE', `/api/blog/${id}`)).toBeLessThan(300)
  expect((await reader.goto('/blog/never-written'))?.status()).toBe(404)
  expect((await reader.goto(`/blog/${slug}`))?.status()).toBe(410)
  await expect(reader.getByRole('heading', { level: 1, name: 'Post Not Found' })).toBeVisible()
  await reader.getByRole('link', { name: 'Back to Blog' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'Web Scraping Insights' })).toBeVisible()
  await expect(reader.getByText(post.title)).toHaveCount(0)
})

test('what the blog does not have is said accessibly, and never wider than the window', async ({ page }) => {
  for (const path of ['/blog?q=nothing-like-this', '/blog/nowhere']) {
    await page.goto(path)
    await expectSoundAt(page, path, [360, 1440])
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the blog is searched and read, and a post is shared by email', async ({ page }) => {
    await page.goto('/blog')
    await page.getByLabel('Search posts').fill('parquet manifest')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/blog?q=parquet+manifest')
    await page.getByRole('link', { name: /^Files or an API/ }).click()
    await expect(page.getByRole('link', { name: 'Share' })).toHaveAttribute('href', /^mailto:\?subject=Files%20or/)
    await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  })
})

async function send(page: Page, method: string, address: string, body?: object): Promise<number> {
  const reply = await page.request.fetch(address, { method, data: body, headers: { 'sec-fetch-site': 'same-origin' } })
  return reply.status()
}
