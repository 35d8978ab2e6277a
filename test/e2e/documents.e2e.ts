import type { Page, Response } from '@playwright/test'
import { expect, readingTest as test, workingTest } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

declare global {
  interface Window {
    violations: string[]
  }
}

/** Records all violations of the content security policy, from the first line of each document on. */
async function watchPolicy(page: Page) {
  await page.addInitScript(() => {
    window.violations = []
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      window.violations.push(`${violatedDirective} ${blockedURI} at ${location.pathname}`)
    })
  })
}

/** Every response of our server to a page's requests. */
function watchAnswers(page: Page, origin: string): Response[] {
  const answers: Response[] = []
  page.on('response', (answer) => new URL(answer.url()).origin === origin && answers.push(answer))
  return answers
}

const harmless = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const publicPages = [
  '/',
  '/services',
  '/contact',
  '/privacy-policy',
  '/book',
  '/booking-success',
  '/login',
  '/login/forgot-password',
  '/nowhere',
  '/dev/mail',
]

test('no page asks for what its policy forbids, and all that is sent has the headers that keep it harmless', async ({ page, site }) => {
  await watchPolicy(page)
  const answers = watchAnswers(page, new URL(site.url).origin)
  for (const address of publicPages) {
    await page.goto(address)
    await page.mouse.move(200, 200)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => window.violations)).toEqual([])
  }
  expect(answers.length).toBeGreaterThan(publicPages.length)
  for (const answer of answers) expect(answer.headers(), answer.url()).toMatchObject(harmless)
})

workingTest('a live page runs scripts with a nonce, is stored by no one, and keeps to its policy', async ({ page }) => {
  await watchPolicy(page)
  await signInAsOwner(page)
  const answer = await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(answer?.headers()['cache-control']).toBe('no-store')
  expect(answer?.headers()['content-security-policy']).toMatch(/script-src 'self' 'nonce-[\w-]{20,}'/)
  expect(await page.evaluate(() => window.violations)).toEqual([])
})

test('the files of a page arrive compressed and are cached permanently', async ({ page, site }) => {
  const answers = watchAnswers(page, new URL(site.url).origin)
  await page.goto('/contact')
  await page.getByRole('main').getByRole('textbox').first().focus()
  await expect(page.locator('[data-awake="yes"]').first()).toBeAttached()
  const assets = answers.filter((answer) => answer.url().includes('/assets/') && !answer.url().endsWith('.woff2'))
  expect(assets.length).toBeGreaterThan(2)
  for (const asset of assets) {
    expect(asset.headers(), asset.url()).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
    // A file of a few words, which only names others, would grow.
    if ((await asset.body()).length > 150) expect(asset.headers()['content-encoding'], asset.url()).toMatch(/^(br|gzip)$/)
  }
})

test('an address that stands for no text gets a page', async ({ request }) => {
  for (const address of ['/%', '/about%']) {
    const answer = await request.get(address)
    expect([answer.status(), answer.headers()['content-type']], address).toEqual([404, 'text/html; charset=utf-8'])
  }
})

test('a document names the pages that may be made ready ahead, and none that could do something', async ({ page }) => {
  const asked = page.waitForResponse('**/speculation-rules.json')
  await page.goto('/')
  const { prerender } = await (await asked).json()
  expect(prerender[0].where.href_matches).toEqual(expect.arrayContaining(['/', '/contact', '/services']))
  expect(JSON.stringify(prerender)).not.toMatch(/"\/(api|auth|login|dashboard|admin|theme|dev)\b/)
  const signIn = await page.goto('/login')
  expect(signIn?.headers()['speculation-rules']).toBeUndefined()
})

test('an address that names a place of a long page leads there', async ({ page }) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const place of ['services', 'case-studies', 'technology', 'about', 'contact']) {
      await page.goto('about:blank')
      await page.goto(`/#${place}`)
      await expectAtTop(page, place)
    }
  }
})

/** Below the sticky header, which `scroll-padding` accounts for. */
async function expectAtTop(page: Page, id: string) {
  const top = () => page.locator(`#${id}`).evaluate((element) => element.getBoundingClientRect().top)
  await expect.poll(top, id).toBeGreaterThan(-20)
  await expect.poll(top, id).toBeLessThan(120)
}

test('long pages are folded on a phone and whole on a wide page, and a link to a case study opens it', async ({ page }) => {
  const told = page.getByText('Two assistants read them by hand')
  const column = page.getByText('Distinct values').first()
  const dataset = '/data-marketplace/daily-shop-prices'
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: 360, height: 760 })
  await page.goto('/case-studies')
  expect(await height()).toBeLessThan(6000)
  await expect(told).toBeHidden()
  await page.getByText('Read the case study').first().click()
  await expect(told).toBeVisible()
  await page.goto('about:blank')
  await page.goto('/case-studies#real-estate-lead-system')
  await expect(told).toBeVisible()
  await page.goto(dataset)
  expect(await height()).toBeLessThan(3500)
  await expect(page.getByRole('link', { name: 'Sign in to download' })).toBeInViewport()
  await expect(column).toBeHidden()
  await page.locator('#columns summary').first().press('Enter')
  await page.locator('#columns li summary').first().press('Enter')
  await expect(column).toBeVisible()
  await page.goto('about:blank')
  await page.goto(`${dataset}#files`)
  await expect(page.getByRole('heading', { name: 'Files' })).toBeInViewport()
  await expect(page.getByRole('table', { name: 'Every format' })).toBeInViewport()

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/case-studies')
  await expect(told).toBeVisible()
  await expect(page.getByText('Read the case study').first()).toBeHidden()
  await page.goto(dataset)
  await expect(column).toBeVisible()
  // The rows of a dataset come first.
  await expect(page.getByRole('table', { name: 'Sample rows' }).getByRole('row').nth(2)).toBeInViewport()
})
