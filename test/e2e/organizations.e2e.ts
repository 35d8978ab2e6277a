import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsCustomer, publishDataset, signInAs, signInAsOwner } from './steps.ts'

const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', password: 'correct horse battery' }
const alan = { firstName: 'Alan', lastName: 'Turing', email: 'alan@example.com', password: 'correct horse battery' }
const lin = { firstName: 'Lin', lastName: 'Chao', email: 'lin@acme.example', password: 'correct horse battery' }

test.use({ owned: true, settings: { RATE_LIMITS: 'off' } })
test.setTimeout(180_000)

const windowOf = async (browser: Browser, baseURL: string) => browser.newPage({ baseURL })

async function pricedDataset(staff: Page) {
  await publishDataset(staff, 'shop,price\nNorth,1.50\nSouth,2.25\n')
  const products: { slug: string }[] = await (await staff.request.get('/api/admin/data-products')).json()
  const product = products.find(({ slug }) => slug === 'shop-prices')
  const data = { ...product, price: 14_900, isFree: false }
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await staff.request.put('/api/data-products/shop-prices', { data, headers })).status()).toBe(200)
}

test('a customer founds an organization by keyboard and invites a colleague, who joins on a phone and asks for a dataset; staff grant it, both have it, and staff do what is theirs to do', async ({
  page,
  browser,
  site,
}) => {
  const staff = await windowOf(browser, site.url)
  await signInAsOwner(staff)
  await pricedDataset(staff)

  // Alone, nothing speaks of organizations but one page.
  await enterAsCustomer(page, grace, '/account/organization')
  await expect(page.getByRole('heading', { name: 'Your organizations' })).toBeVisible()
  await expect(page.getByText('Only you', { exact: true })).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Create organization' }).focus()
  await page.keyboard.press('Enter')
  // Nothing typed yet.
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter the name of the organization')).toBeVisible()
  await page.keyboard.type('Acme Retail')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()
  await expectSound(page)

  await page.getByRole('button', { name: 'Invite someone' }).click()
  await page.getByLabel('Email').fill('alan at example')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await page.getByLabel('Email').fill(alan.email)
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('list', { name: 'Open invitations' }).getByText(alan.email)).toBeVisible()
  await page.getByLabel('Role of Grace Hopper').selectOption('member')
  await expect(page.getByText('An organization needs an admin.', { exact: false }).first()).toBeVisible()
  await expect(page.getByLabel('Role of Grace Hopper')).toHaveValue('admin')

  // The colleague has no account yet: the link leads to one, and back.
  const phone = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 }, hasTouch: true })
  await enterAsCustomer(phone, alan, 'about:blank')
  const emails: { to: string; html: string }[] = await (await phone.request.get('/dev/mail.json')).json()
  const link =
    emails
      .map(({ html }) => /href="([^"]*invitation=[^"]*)"/.exec(html)?.[1])
      .find(Boolean)
      ?.replaceAll('&amp;', '&') ?? ''
  // Someone else who follows it reads who is signed in, and comes back to it with another account.
  const stranger = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 } })
  await enterAsCustomer(stranger, lin, link)
  const invited = stranger.getByRole('region', { name: 'Invitations' })
  await expect(invited.getByText(`You are signed in as ${lin.email}.`, { exact: false })).toBeVisible()
  await expect(invited).not.toContainText('Acme Retail')
  await expectSound(stranger)
  await invited.getByRole('button', { name: 'Sign in with another address' }).press('Enter')
  await expect(stranger).toHaveURL(/\/login\?next=/)
  await stranger.getByLabel('Email').fill(alan.email)
  await stranger.getByLabel('Password', { exact: true }).fill(alan.password)
  await stranger.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(stranger.getByRole('button', { name: 'Join Acme Retail' })).toBeVisible()
  await stranger.close()
  await phone.goto(link)
  await phone.getByRole('button', { name: 'Join Acme Retail' }).click()
  await expect(phone.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectSound(phone)
  // The link, followed later, leads to the organization.
  await phone.goto(link)
  await phone.getByRole('button', { name: 'Open Acme Retail' }).click()
  await expect(phone).not.toHaveURL(/invitation=/)
  await expect(phone.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()
  await phone.goto('/data-marketplace/shop-prices#request-access')
  await phone.getByRole('button', { name: 'Request access' }).last().click()
  await expect(phone.getByText('Requested', { exact: false }).first()).toBeVisible()

  // Staff see the company, and grant to it.
  await staff.goto('/admin/organizations')
  await expect(staff.getByRole('row', { name: /Acme Retail/ })).toBeVisible()
  await expectSound(staff)
  await staff.getByRole('link', { name: 'Acme Retail' }).first().click()
  await expect(staff.getByText('You act on behalf of this organization.', { exact: false })).toBeVisible()
  await expectSound(staff)
  const [request]: { id: string; productId: string }[] = await (await staff.request.get('/api/product-requests')).json()
  const granted = await staff.request.post(`/api/data-products/${request?.productId}/entitlements`, {
    data: { requestId: request?.id },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(granted.status()).toBe(201)

  // A proven domain lets a colleague ask to join. An admin decides.
  await page.reload()
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('gmail.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await expect(page.getByText('Anyone can have an address at gmail.com', { exact: false })).toBeVisible()
  await page.getByRole('textbox', { name: 'Domain' }).fill('https://acme.example/')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await expect(page.getByText(/^winnow-verification=/)).toBeVisible()
  await expectSound(page)
  await staff.reload()
  await staff.getByRole('button', { name: 'Confirm by hand: acme.example' }).click()
  await expect(staff.getByText('Proven', { exact: true })).toBeVisible()
  const third = await browser.newPage({ baseURL: site.url, viewport: { width: 360, height: 740 }, hasTouch: true })
  await signInAs(third, lin)
  await third.goto('/account/organization')
  await expect(third.getByRole('heading', { name: 'Your colleagues use Acme Retail' })).toBeVisible()
  await third.getByRole('button', { name: 'Ask to join' }).tap()
  await expect(third.getByText('You have asked to join.', { exact: false })).toBeVisible()
  await expectSound(third)
  await page.reload()
  await page.getByLabel(`Role for ${lin.email}`).selectOption('reader')
  await expectSound(page)
  await page.getByRole('button', { name: `Accept ${lin.email}` }).click()
  await expect(page.getByLabel('Role of Lin Chao')).toHaveValue('reader')
  await page.getByRole('button', { name: 'Remove acme.example' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('list', { name: 'Domains' }).getByText('Proven', { exact: true })).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^activity-.*\.csv$/)

  for (const member of [page, phone]) {
    await member.goto('/data-marketplace/shop-prices')
    await expect(member.getByRole('button', { name: 'Download', exact: false }).first()).toBeVisible()
  }

  // Staff make a key on behalf of the company; an admin gives it a share of the requests.
  await staff.reload()
  await staff.getByRole('button', { name: 'Create service key' }).click()
  await staff.getByLabel('Name', { exact: true }).last().fill('Warehouse')
  await staff.getByRole('button', { name: 'Create key' }).click()
  await expect(staff.getByText('Copy this key now.', { exact: false })).toBeVisible()
  await staff.getByRole('button', { name: 'Done' }).click()
  await page.goto('/account/keys')
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByLabel('Name', { exact: true }).last().fill('Nightly import')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const keysOfAll = page.getByRole('table', { name: 'Keys of the organization' })
  await page.getByRole('button', { name: 'Set limit of Warehouse' }).click()
  await page.getByLabel('Requests a month').fill('a thousand')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog').getByText('whole number', { exact: false })).toBeVisible()
  await page.getByLabel('Requests a month').fill('1,000')
  await page.keyboard.press('Enter')
  await expect(keysOfAll.getByRole('row').filter({ hasText: 'Service key' })).toContainText('0 of 1,000')
  // The keys move the focus in this list, not in that of her own keys above it.
  await page.keyboard.press('j')
  await expect(keysOfAll.getByRole('row').last().locator('[data-open]')).toBeFocused()
  await expectSound(page)
  await page.getByRole('button', { name: /^Rotate Warehouse/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new key' }).press('Enter')
  await expect(page.getByText('Copy this key now.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  const serviceKeys = keysOfAll.getByRole('row').filter({ hasText: 'Warehouse' })
  await expect(serviceKeys).toHaveCount(2)
  const replaced = serviceKeys.filter({ hasText: 'Replaced' })
  await replaced.getByRole('button', { name: /^Revoke Warehouse/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(serviceKeys).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(serviceKeys).toHaveCount(2)
  await expectSound(page)

  // Another company turns out to be the same one: merged by its name, and separate again.
  await staff.goto('/admin/organizations?new=organization')
  await staff.getByLabel('Name', { exact: true }).last().fill('Acme Group')
  await staff.getByRole('dialog').getByRole('button', { name: 'Add organization' }).click()
  await expect(staff.getByText('No admin can manage it.', { exact: false })).toBeVisible()
  await staff.getByRole('button', { name: 'Merge', exact: true }).click()
  const into = staff.getByLabel('Organization that stays')
  await into.fill('Acme Retail')
  await staff.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(staff.getByRole('dialog').getByText('There is no such organization')).toBeVisible()
  const missing: string[] = []
  staff.on('response', (response) => response.status() === 404 && missing.push(response.url()))
  const suggested = staff.locator('datalist option', { hasText: 'Acme Retail' })
  await into.fill((await suggested.getAttribute('value')) ?? '')
  await staff.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await expect(staff.getByText('This organization was merged into', { exact: false })).toBeVisible()
  // Nothing asks for what is closed now.
  expect(missing).toEqual([])
  await staff.getByRole('link', { name: 'Acme Retail' }).click()
  await staff.getByRole('button', { name: 'Undo merge of Acme Group' }).click()
  await expect(staff.getByText('Acme Group is separate again')).toBeVisible()

  // The only admin cannot delete their account before someone follows.
  await page.goto('/account/data')
  await expect(page.getByText('You are the only admin of Acme Retail.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expectSound(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Go to your organizations' }).click()
  await expect(page.getByRole('heading', { name: 'Members of Acme Retail' })).toBeVisible()

  // Back to what is theirs alone: in the user menu.
  await page.goto('/data-marketplace/shop-prices')
  await page.getByRole('button', { name: /Account of/ }).click()
  await page.getByRole('menuitemradio', { name: 'Personal' }).click()
  await expect(page.getByRole('button', { name: 'Request access' }).first()).toBeVisible()
})
