import { hourAndMinute } from '#app/platform/time/clock.ts'
import type { Page } from '@playwright/test'
import { colorRules, faultsOf } from './faults.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { openEmail, signInAsOwner } from './steps.ts'
import { tabTo } from './tab-to.ts'
import { watchPolicy } from './violations.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ada = {
  Name: 'Ada Lovelace',
  Email: 'ada@followed.example',
  Country: 'United Kingdom',
  Problem: 'Prices of 40 shops',
  Message: 'We compare prices by hand and would like a table instead.',
}

const list = { name: 'shops.csv', mimeType: 'text/csv', buffer: Buffer.from('shop,url\nNorth,https://north.example\n') }
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const withdrawn = (page: Page) => page.getByText('You withdrew this enquiry. We stopped working on it.')

/** Every wish of a visitor, on their own page. */
async function useEverything(page: Page, details: string) {
  await page.getByLabel('Details', { exact: true }).fill(details)
  await page.getByRole('button', { name: 'Add details' }).click()
  await expect(status(page, 'Your details are added.')).toBeVisible()
  await expect(page.getByText(details, { exact: true })).toBeVisible()

  await page.getByLabel('Files', { exact: true }).setInputFiles({ ...list, name: `${details.length}.csv` })
  await page.getByRole('button', { name: 'Add files' }).click()
  await expect(status(page, 'Your files are added.')).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `${details.length}.csv` })
      .first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Add files' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Choose a file first.' })).toBeVisible()

  const here = page.url().split('?')[0] ?? ''
  await page.getByRole('main').getByRole('link', { name: 'Book a free 30-minute call' }).click()
  await expect(page).toHaveURL(/\/book\?enquiry=/)
  await page.goto(here)

  await page.locator('summary').filter({ hasText: 'Withdraw your enquiry' }).click()
  await page.getByRole('button', { name: 'Yes, withdraw it' }).click()
  await expect(withdrawn(page)).toBeVisible()
}

test('a visitor follows their enquiry from the email, adds to it, books, withdraws and resumes; staff see it and revoke the link', async ({
  page,
  browser,
  site,
}) => {
  const violations = await watchPolicy(page)
  await page.goto('/contact')
  for (const [label, value] of Object.entries(ada)) await page.getByRole('main').getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  const tab = await openEmail(page, { to: ada.Email, action: 'Open your enquiry' })
  const address = tab.url()
  await expect(tab.getByRole('heading', { level: 1 })).toContainText('Your enquiry')
  await expect(tab.getByText('A person confirms that they have read it.')).toBeVisible()
  expect(await faultsOf(tab)).toEqual([])
  await tab.emulateMedia({ colorScheme: 'dark' })
  expect(await faultsOf(tab, { rules: colorRules })).toEqual([])

  const outside: string[] = []
  tab.on('request', (request) => request.url().startsWith(site.url) || outside.push(request.url()))
  await tab.setViewportSize({ width: 360, height: 780 })
  await useEverything(tab, 'Also stock levels')
  expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await faultsOf(tab)).toEqual([])
  await tabTo(tab, tab.getByRole('button', { name: 'Undo' }))
  await tab.keyboard.press('Enter')
  await expect(status(tab, 'Your enquiry is active again.')).toBeVisible()
  expect(outside).toEqual([])

  // Times are in the visitor's zone, and say so. Without script they are in UTC.
  const elsewhere = await (await browser.newContext({ timezoneId: 'Asia/Kolkata' })).newPage()
  await elsewhere.goto(address)
  const [received] = await elsewhere.locator('time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? ''))
  const clock = (zone: string) => new Intl.DateTimeFormat('en-US', { timeZone: zone, ...hourAndMinute }).format(new Date(received ?? ''))
  await expect(elsewhere.locator('time').first()).toHaveText(new RegExp(`${clock('Asia/Kolkata')} GMT\\+5:30$`))
  await expect(elsewhere.locator('time').first()).toHaveAttribute('title', new RegExp(`${clock('UTC')} UTC$`))
  await expect(elsewhere.locator('time').filter({ hasText: 'UTC' })).toHaveCount(0)

  // Without script everything is the same; adding details resumes as well.
  const silent = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await silent.goto(address)
  await expect(silent.locator('time').first()).toHaveText(/ UTC$/)
  await useEverything(silent, 'And the delivery times')
  await silent.getByLabel('Details', { exact: true }).fill('We still want it')
  await silent.getByRole('button', { name: 'Add details' }).click()
  await expect(status(silent, 'Your details are added.')).toBeVisible()
  await expect(withdrawn(silent)).toBeHidden()

  await signInAsOwner(page)
  const reference = /W-\w{6}/.exec((await silent.getByRole('heading', { level: 1 }).textContent()) ?? '')?.[0] ?? ''
  await page.goto(`/leads/${reference}`)
  await expect(page.getByText('We still want it')).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '17.csv' }).click()])
  expect(download.suggestedFilename()).toBe('17.csv')
  await page.getByRole('button', { name: 'Revoke the visitor’s link' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByText('Revoked: no link works.')).toBeVisible()
  await silent.goto(address)
  await expect(silent.getByText('This link doesn’t lead to an enquiry.')).toBeVisible()
  expect(site.output()).not.toContain(address.split('/').at(-1))
  expect(violations()).toEqual([])
})
