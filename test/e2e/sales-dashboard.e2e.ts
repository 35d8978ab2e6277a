import type { Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { faultsOf } from './faults.ts'
import { expect, test as ownTest, workingTest as test } from './fixtures.ts'
import { expectSoundAt } from './sound.ts'
import { enterAsCustomer, enterAsOwner, signInAsOwner, stayBeforeSignIn } from './steps.ts'

const grace = {
  form: 'home',
  name: 'Grace Hopper',
  email: 'grace@gmail.com',
  country: 'United States',
  problem: 'Price Monitoring',
  message: 'We want to follow what 12 ports charge for a container, once a week, in dollars.',
}
const ada = {
  ...grace,
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  problem: 'Data Extraction',
  message: 'Tables out of 900 scanned reports, please, one row for each engine that they describe.',
}

ownTest.use({ owned: true })

ownTest(
  'from the first enquiry on, the dashboard shows what came, what waits and what was doubtful, accessibly at every width',
  async ({ page, browser, site }) => {
    test.slow()
    await signInAsOwner(page)
    await releaseDoubtful(page)
    await expectArrival(page, await browser.newPage({ baseURL: site.url }))
    await expectTrends(page)
    await expectSoundViews(page)
    await workOnLead(page)
    await followOverdueNotice(page)
  },
)

/** A doubtful enquiry waits in quarantine until one press releases it. */
async function releaseDoubtful(page: Page) {
  await send(page, { ...grace, homepage: 'https://spam.example' })
  // The empty list of leads says where it is.
  await page.goto('/leads')
  await expect(page.getByRole('main')).toContainText('1 enquiry waits in Quarantine.')
  await page.getByRole('main').getByRole('link', { name: 'Quarantine' }).click()
  await expect(page).toHaveURL('/dashboard?tab=quarantine')
  await expect(row(page, grace.email)).toContainText('hidden field')
  await row(page, grace.email).getByRole('button', { name: 'Release' }).click()
  await expect(page.getByText('Nothing in quarantine')).toBeVisible()
  await page.getByRole('tab', { name: /Contact Inquiries/ }).click()
  await expect(row(page, grace.email)).toBeVisible()
}

/** An enquiry that arrives is there without a reload, and its sender is named. */
async function expectArrival(page: Page, visitor: Page) {
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(row(page, ada.email)).toHaveCount(0)
  await visitor.goto('/contact')
  await send(visitor, ada)
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('New enquiry from Ada Lovelace')).toBeVisible()
  await expect(row(page, ada.email)).toBeVisible()
}

/** The figures and charts stand above the lists, and the lists have their columns. */
async function expectTrends(page: Page) {
  await page.goto('/dashboard')

  for (const [label, value] of [
    ['Total Contacts', '2'],
    ['Consultations', '0'],
    ['Total Leads', '2'],
    ['Conversion Rate', '0%'],
  ] as const) {
    await expect(page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd')).toContainText(value)
  }
  await expect(page.getByRole('region', { name: 'Enquiries per day' })).toContainText('2 enquiries in 90 days.')
  await expect(page.getByRole('region', { name: 'Service Type Distribution' }).getByRole('listitem')).toHaveText([
    'Data Extraction1',
    'Price Monitoring1',
  ])

  const tops = await Promise.all(
    [
      page.getByText('Open value'),
      page.getByText('Total Contacts'),
      page.getByRole('region', { name: 'Enquiries per day' }),
      page.getByRole('tablist'),
    ].map(async (part) => (await part.boundingBox())?.y ?? 0),
  )
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await expect(page.getByRole('tab', { selected: true })).toContainText('Contact Inquiries')
  await expect(leadColumns(page)).toHaveText(['Name', 'Email', 'Company', 'Service Type', 'Message', 'Date'])
  await expect(row(page, grace.email).getByRole('cell').nth(2)).toHaveText('-')
  await page.getByRole('tab', { name: /Consultation Requests/ }).click()
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await expect(page).toHaveURL('/dashboard?tab=consultations')
}

/** Never scrolls sideways, in light and in dark, from 320 to 1440 px. */
async function expectSoundViews(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // The sweep of all pages looks at the other lists.
  for (const view of byLength(['?tab=quarantine', '?q=nobody'], ['', '?tab=consultations', '?tab=quarantine', '?q=nobody'])) {
    await page.goto(`/dashboard${view}`, { waitUntil: 'load' })
    await expect(page.getByRole('tabpanel').getByText('Loading')).toHaveCount(0)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expectSoundAt(page, view, [320, 390, 1440])
  }
  await page.goto('/dashboard')
  await row(page, ada.email).click()
  await expect(page.getByRole('dialog')).toContainText(ada.message)
  await expectSoundAt(page, 'an enquiry', [320, 390, 1440])
}

/** A lead is searched, opened, answered, converted and exported, and each view has its address. */
async function workOnLead(page: Page) {
  await page.goto('/dashboard')

  await page.getByRole('link', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('region', { name: 'Leads', exact: true }).getByRole('row').nth(1)).toContainText('Ada Lovelace')
  await page.getByRole('searchbox', { name: 'Search' }).fill('ports container')
  await expect(page).toHaveURL(/[?&]q=ports\+container/)
  await expect(row(page, ada.email)).toHaveCount(0)

  await row(page, grace.email).click()
  const whole = page.getByRole('dialog', { name: 'Grace Hopper' })
  await expect(whole).toContainText(grace.message)
  await whole.getByRole('button', { name: 'Mark as answered' }).click()
  await expect(whole.getByText(/^Answered /)).toBeVisible()
  // A modal dialog hides everything behind it from screen readers, so announcements about it must be inside.
  await expect(whole.getByRole('status').getByText('Marked as answered')).toBeVisible()
  await whole.getByRole('button', { name: 'Convert to consultation' }).click()
  await page.getByRole('dialog', { name: 'Convert to a consultation?' }).getByRole('button', { name: 'Convert' }).click()
  await expect(whole.getByText('Consultation', { exact: true })).toBeVisible()
  await expect(whole.getByRole('button', { name: 'Convert to consultation' })).toHaveAttribute('aria-disabled', 'true')
  await page.goBack()
  await expect(whole).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('ports container')

  await page.getByRole('tab', { name: /Consultation Requests/ }).click()
  await expect(leadColumns(page)).toHaveText(['Name', 'Email', 'Company', 'Phone', 'Project Description', 'Date'])
  await expect(row(page, grace.email)).toContainText(grace.message)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe(`consultations-${new Date().toISOString().slice(0, 10)}.csv`)
}

/** The notice about overdue enquiries leads to their list, also where it is out of sight. */
async function followOverdueNotice(page: Page) {
  // An enquiry is overdue after two hours only.
  await page.route('**/api/leads/summary', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), waiting: { total: 1, overAcknowledgement: 1, overResponse: 0 } } })
  })
  await page.setViewportSize({ width: 390, height: 500 })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'View overdue' }).press('Enter')
  await expect(page).toHaveURL('/dashboard?filter=waiting&sort=createdAt')
  const list = page.getByRole('region', { name: 'Leads', exact: true })
  await expect(list).toBeFocused()
  await expect.poll(async () => (await list.boundingBox())?.y).toBeLessThan(150)
  await expect(row(page, ada.email)).toBeVisible()
}

/** The trends that cover the title of their card. */
async function countCoveringTrends(page: Page): Promise<number> {
  await expect(page.locator('dl svg')).toHaveCount(4)
  return page.locator('dl svg').evaluateAll((trends) => {
    const titleEnd = (trend: Element) => {
      const title = document.createRange()
      title.selectNodeContents(trend.parentElement?.querySelector('dt') ?? trend)
      return title.getBoundingClientRect().right
    }
    return trends.filter((trend) => trend.getClientRects().length > 0 && trend.getBoundingClientRect().left < titleEnd(trend)).length
  })
}

test('a long message is cut short in the list, hidden where it has no place, whole when opened, and nothing else is cut', async ({
  page,
}) => {
  const message = `${'A message that is longer than its column, and then some. '.repeat(6)}The end of it.`
  await signInAsOwner(page)
  const lin = { ...grace, name: 'Lin Hopper', email: 'lin.h@gmail.com' }
  await send(page, { ...lin, message })
  await page.goto('/dashboard?q=lin')
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 768 })
    const cells = row(page, lin.email).locator('td')
    const isCut = (at: number) => cells.nth(at).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    for (const at of [0, 1, 2, 3, 5]) expect([width, at, await isCut(at)]).toEqual([width, at, false])
    // A trend is beside the words of its card, or not shown.
    expect([width, await countCoveringTrends(page)]).toEqual([width, 0])
    if (width < 1152) {
      await expect(cells.nth(4)).toBeHidden()
    } else {
      expect(await isCut(4)).toBe(true)
      await expect(cells.nth(4)).toHaveCSS('text-overflow', 'ellipsis')
    }
  }

  await row(page, lin.email).click()
  await expect(page.getByRole('dialog', { name: 'Lin Hopper' })).toContainText(message)
})

test('the name of the account menu contains its visible text', async ({ page }) => {
  await enterAsOwner(page)
  await expect(page.getByRole('button', { name: /Olive/ })).toBeVisible()
  const violations = await faultsOf(page, { rules: ['label-content-name-mismatch'] })
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => ({ html, failureSummary })))).toEqual([])
})

test('the lists are worked by keyboard alone', async ({ page }) => {
  await signInAsOwner(page)
  const email = 'ada@keys.example'
  await send(page, { ...ada, email })
  await send(page, { ...grace, email: 'grace@keys.example' })
  await page.goto('/dashboard?q=keys')

  await page.getByRole('link', { name: 'Email', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=email/)
  const first = row(page, email).getByRole('link')
  await first.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Ada Lovelace' })).toContainText(ada.message)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { selected: true })).toContainText('Consultation Requests')
})

test('a customer sees what they asked us, and how far it is', async ({ page, browser, site }) => {
  await signInAsOwner(page)
  const person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@ports.example', password: 'ship manifests of 12 ports' }
  await send(page, { ...grace, email: person.email })
  const customer = await browser.newPage({ baseURL: site.url })
  await enterAsCustomer(customer, person)
  await expect(customer.getByRole('heading', { name: 'Welcome, Grace' })).toBeVisible()
  await expect(customer.getByRole('listitem').filter({ hasText: 'Price Monitoring' })).toContainText('Received')
  await expect(customer.getByRole('heading', { name: 'Sales Dashboard' })).toHaveCount(0)
})

test('a person who is signed out while the dashboard is open gets a message, the sign-in page, and returns', async ({ page }) => {
  await enterAsOwner(page)
  await expect(page.getByText('Total Contacts')).toBeVisible()
  await page.context().clearCookies()
  const left = page.waitForRequest(/\/api\/login\?next=/)
  const { told, leave } = await stayBeforeSignIn(page)
  await page.getByRole('searchbox', { name: 'Search' }).fill('anything')
  await told
  await left
  leave()
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard/)
})

test('a failed request reports it once, and is retried on demand', async ({ page }) => {
  await enterAsOwner(page)
  // The page's initial requests are complete: only requests of the reload are counted.
  await expect(page.getByText('Total Contacts')).toBeVisible()
  let asked = 0
  await page.route('**/api/leads/summary', (route) => {
    asked += 1
    return asked === 1 ? route.fulfill({ status: 503, contentType: 'text/plain', body: 'down' }) : route.continue()
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This did not load' })).toBeVisible()
  expect(asked).toBe(1)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Total Contacts')).toBeVisible()
})

/** The page has other tables below its lists. */
const leadColumns = (page: Page) => page.getByRole('region', { name: 'Leads', exact: true }).getByRole('columnheader')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

async function send(page: Page, enquiry: typeof ada & { homepage?: string }) {
  const reply = await page.request.post('/api/contact', { data: enquiry })
  expect(reply.status()).toBe(201)
}
