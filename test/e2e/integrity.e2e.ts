import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, workingTest as test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

test.use({ viewport: { width: 1280, height: 844 } })

const hashOf = (body: Buffer) => `sha256-${createHash('sha256').update(body).digest('base64')}`

/** Each script that the document at an address names or preloads, with its hash if it has one. */
async function scriptsOf(page: Page, path: string): Promise<[address: string, hash: string | undefined][]> {
  const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
  const named = [...html.matchAll(/<(?:script|link rel="(?:modulepreload|late)")[^>]* (?:src|href)="([^"]+)"[^>]*>/g)]
  return named.map(([tag, address = '']) => [address, / integrity="([^"]+)"/.exec(tag)?.[1]])
}

async function expectHashed(page: Page, path: string, least: number) {
  const scripts = await scriptsOf(page, path)
  expect([path, scripts.length]).toEqual([path, expect.any(Number)])
  expect(scripts.length).toBeGreaterThanOrEqual(least)
  for (const [address, hash] of scripts)
    expect([path, address, hash]).toEqual([path, address, hashOf(await (await page.request.get(address)).body())])
}

test('every script that a page names or loads ahead has the hash of what the server sends', async ({ page }) => {
  for (const path of ['/services', '/about', '/blog', '/nowhere']) await expectHashed(page, path, 0)
  // A cached page contains its script inline, allowed by its hash. A page rendered for one visitor names it.
  for (const path of ['/', '/contact', '/get-started']) await expectHashed(page, path, 0)
  await expectHashed(page, '/contact?wish=call', 1)
  await expectHashed(page, '/login', 5)
  await signInAsOwner(page)
  for (const path of ['/', '/dashboard', '/account', '/admin/blog']) {
    await expectHashed(page, path, 5)
    // The HTTP Observatory counts a script element that names its script.
    const html = await (await page.request.get(path)).text()
    expect([path, html]).toEqual([path, expect.stringMatching(/<script type="(module|late)" src="[^"]+" integrity="sha256-/)])
  }
})

/** Adds a line to a script on its way to the browser. Returns the errors of the page. */
async function tamper(page: Page, script: RegExp): Promise<string[]> {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.route(script, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `globalThis.tampered = true;${await response.text()}` })
  })
  return errors
}

const isTampered = (page: Page) => page.evaluate(() => 'tampered' in globalThis)

for (const [what, script] of [
  ['list of routes', /\/assets\/manifest-[^/]*\.js/],
  ['entry', /\/assets\/entry\.client-[^/]*\.js/],
] as const) {
  test(`a live page whose ${what} was changed on the way does not run it`, async ({ page }) => {
    const errors = await tamper(page, script)
    await page.goto('/login')
    await expect.poll(() => errors.join()).toContain('integrity')
    expect(await isTampered(page)).toBe(false)
    await expect(page.getByLabel('Email').first()).toBeVisible()
  })
}

test('a public page whose script was changed on the way does not run it, and its form stays a native one', async ({ page }) => {
  const errors = await tamper(page, /\/assets\/islands-[^/]*\.js/)
  await page.goto('/contact?wish=call')
  await expect.poll(() => errors.join()).toContain('integrity')
  expect(await isTampered(page)).toBe(false)
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
})
