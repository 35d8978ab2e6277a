import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect, workingTest as test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

test.use({ viewport: { width: 1280, height: 844 } })

const hashOf = (body: Buffer) => `sha384-${createHash('sha384').update(body).digest('base64')}`

/** The hash of each script that the document at an address names, loads ahead or lists, by the script's address. */
async function hashesOf(page: Page, path: string): Promise<Record<string, string | undefined>> {
  const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
  const named = [...html.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)"[^>]*>/g)]
  const [, list] = /<script[^>]* type="importmap"[^>]*>(.*?)<\/script>/.exec(html) ?? []
  const { integrity = {} } = list ? importMap.parse(JSON.parse(list)) : {}
  return { ...integrity, ...Object.fromEntries(named.map(([tag, address = '']) => [address, / integrity="([^"]+)"/.exec(tag)?.[1]])) }
}

const importMap = z.object({ integrity: z.record(z.string(), z.string()) })

test('every script that a page names, loads ahead or may import has the hash of what the server sends', async ({ page }) => {
  const sent = new Map<string, string>()
  const expectHashed = async (path: string, least: number) => {
    const hashes = Object.entries(await hashesOf(page, path))
    expect([path, hashes.length >= least]).toEqual([path, true])
    for (const [address, hash] of hashes) {
      if (!sent.has(address)) sent.set(address, hashOf(await (await page.request.get(address)).body()))
      expect([path, address, hash]).toEqual([path, address, sent.get(address)])
    }
  }
  for (const path of ['/services', '/about', '/blog', '/nowhere']) await expectHashed(path, 0)
  // The script that wakes islands is the one that a public page names.
  for (const path of ['/', '/contact', '/get-started', '/contact?wish=call']) await expectHashed(path, 1)
  await expectHashed('/login', 50)
  await signInAsOwner(page)
  for (const path of ['/', '/dashboard', '/account', '/admin/blog']) await expectHashed(path, 50)
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
