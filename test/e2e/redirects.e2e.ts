import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startServer } from './server.ts'
import { enterAsOwner } from './steps.ts'

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })

/** An API response in a signed-in browser. */
async function call(page: Page, method: string, path: string, body?: object): Promise<{ status: number; hits: number[] }> {
  return page.evaluate(
    async ([how, where, sent]) => {
      const content = sent ? { body: sent, headers: { 'content-type': 'application/json' } } : {}
      const reply = await fetch(where, { method: how, ...content })
      const read: unknown = await reply.json()
      return { status: reply.status, hits: Array.isArray(read) ? read.map(({ hits }) => Number(hits)) : [] }
    },
    [method, path, body && JSON.stringify(body)] as const,
  )
}

test('a redirect answers strangers and live pages alike, and its last answers are counted when the process ends', async ({
  page,
  site,
}) => {
  await enterAsOwner(page)
  const about = { fromPath: '/about', toPath: '/contact' }
  expect((await call(page, 'POST', '/api/redirects', about)).status).toBe(409)
  expect((await call(page, 'POST', '/api/redirects', { ...about, confirm: true })).status).toBe(201)

  // From page to page without a new document.
  const loads: string[] = []
  page.on('request', (request) => void (request.isNavigationRequest() && loads.push(request.url())))
  await page.getByRole('button', { name: 'Home menu' }).click()
  await page.getByRole('link', { name: 'View public site' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'About', exact: true }).click()
  await expect(page).toHaveURL('/contact')
  expect(loads).toEqual([])
  await expect.poll(async () => (await call(page, 'GET', '/api/redirects')).hits).toEqual([1])

  for (let time = 0; time < 5; time += 1) {
    const reply = await fetch(`${site.url}/about`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([301, '/contact'])
  }
  expect(await site.stop()).toBe(0)
  const again = await startServer({ DATA_DIR: site.dataDir, RATE_LIMITS: 'off', PORT: new URL(site.url).port })
  try {
    await page.goto('/dashboard')
    expect((await call(page, 'GET', '/api/redirects')).hits).toEqual([6])
  } finally {
    await again.stop()
  }
})
