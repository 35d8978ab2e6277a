import type { Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { expect, untilLive, workingTest as test } from './fixtures.ts'
import { enterAsCustomer, firstReference, olive, postEnquiry, signInAsOwner } from './steps.ts'

test.use({ viewport: { width: 1280, height: 844 } })

/** From now on scripts arrive when the returned function is called. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*.js', (route) => released.then(() => route.continue()))
  return async () => {
    release()
    await untilLive(page)
  }
}

/** Presses every button that is shown and types in every field, as quickly as a person could. Links and forms that work are left alone. */
async function pressAndType(page: Page) {
  for (const field of await page.getByRole('main').getByRole('textbox').all()) {
    await field.fill('typed early')
    await field.press('Enter')
  }
  const buttons = page.locator('button[type=button]:not([popovertarget]), main form:not([action]) button')
  for (const { x, y } of await buttons.filter({ visible: true }).evaluateAll(middles)) await page.mouse.click(x, y)
}

/** Runs in the browser, and reads all places at one moment: a press can hide another button. */
function middles(elements: Element[]): { x: number; y: number }[] {
  return elements.map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })
}

/** At short length, one of each kind: `test/before-scripts.test.ts` looks at the buttons of all pages. */
const some = ['/account/security', '/admin/settings', '/leads', '/admin/blog?new=post']
const settings = ['/account', '/account/security', '/account/notifications', '/admin/settings']
const lists = ['/dashboard', '/leads', '/admin/blog', '/admin/blog?new=post', '/admin/redirects', '/admin/products', '/admin/users']

test('a press and a text before the scripts have arrived change no address and lose nothing, and then the page works', async ({ page }) => {
  test.setTimeout(180_000)
  await postEnquiry(page)
  await signInAsOwner(page)
  for (const path of byLength(some, [...settings, ...lists, `/leads/${await firstReference(page)}`])) {
    const tab = await page.context().newPage()
    const errors: string[] = []
    tab.on('pageerror', ({ message }) => errors.push(message))
    const arrive = await holdScripts(tab)
    await tab.goto(path, { waitUntil: 'commit' })
    await tab.locator('footer').waitFor({ state: 'attached' })
    await pressAndType(tab)
    await expect(tab).toHaveURL(path)
    const typed = await tab.getByRole('main').getByRole('textbox').count()
    await arrive()
    await expect(tab).toHaveURL(path)
    for (const field of (await tab.getByRole('main').getByRole('textbox').all()).slice(0, typed))
      await expect(field).toHaveValue('typed early')
    await expect(tab.locator('button:disabled:not([aria-busy])')).toHaveCount(0)
    expect([path, errors]).toEqual([path, []])
    await tab.close()
  }
})

test('a new address that was typed before the scripts arrived is sent by the live page', async ({ page }) => {
  await enterAsCustomer(page, { ...olive, email: 'early@harbor.example' })
  const arrive = await holdScripts(page)
  await page.goto('/account', { waitUntil: 'commit' })
  await page.getByLabel('New email').fill('earlier@harbor.example')
  await expect(page.getByRole('button', { name: 'Change address' })).toBeDisabled()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account')
  await arrive()
  await page.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByText('Not confirmed yet')).toBeVisible()
  await expect(page).toHaveURL('/account')
})

test('a person signs in and signs up before any script has arrived, and no password gets into an address', async ({ page }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await holdScripts(page)
  await page.goto('/login?mode=sign-up', { waitUntil: 'commit' })
  await page.getByLabel('First Name').fill('Ada')
  await page.getByLabel('Last Name').fill('Early')
  await page.getByLabel('Email').fill('ada@harbor.example')
  await page.getByLabel('Password', { exact: true }).fill(olive.password)
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill(olive.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible()

  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill(olive.email)
  await page.getByLabel('Password', { exact: true }).fill(olive.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
  expect(addresses.filter((address) => /horse|password=/.test(address))).toEqual([])
})
