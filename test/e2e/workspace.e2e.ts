import type { Page } from '@playwright/test'
import { atLength } from '#test/length.ts'
import { faultsOf } from './faults.ts'
import { expect, test as ownTest, untilLive, workingTest as test } from './fixtures.ts'
import { expectSoundAt } from './sound.ts'
import { ada, enterAsCustomer, enterAsOwner, type Person, signInAsOwner } from './steps.ts'

const grace: Person = { firstName: 'Grace', lastName: 'Hopper', email: ada.email, password: 'ship manifests of 12 ports' }
/** The same for everyone, except the owner's tasks. */
const menuEntries = ['Dashboard', 'Data Marketplace', 'Manage Blog', 'Manage Redirects', 'Manage Products', 'Users', 'Account']
const headline = 'Transform Web Data Into Your Competitive Advantage'

ownTest.use({ owned: true, settings: { RATE_LIMITS: 'off' } })

ownTest(
  'staff find at / what changed, open a lead with one click, and reach the public site from the logo and come back',
  async ({ page }) => {
    await enterAsOwner(page)
    await page.getByRole('banner').getByRole('link', { name: 'Winnow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Olive' })).toBeVisible()
    // The frame of the workspace, not that of the public pages.
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Redirects' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get Started Today' })).toHaveCount(0)
    await expect(page.getByText('Nothing is overdue.')).toBeVisible()
    await expect(page.getByText('All clear. No spam to review, no failed emails, no open requests.')).toBeVisible()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expectHomeSound(page, 'empty')

    await send(page)
    await send(page, { ...ada, email: 'spam@example.com', homepage: 'https://spam.example' })
    await expect(page.getByRole('link', { name: /1 enquiry in quarantine/ })).toHaveAttribute('href', '/dashboard?tab=quarantine')
    await expectHomeSound(page, 'full')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Ada Lovelace/ })
      .click()
    const lead = page.getByRole('dialog', { name: 'Ada Lovelace' })
    let sent = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/proposal')) sent += 1
    })
    // The second press comes before the page has drawn the button as busy.
    await lead.getByRole('button', { name: 'Proposal sent' }).evaluate((button) => {
      for (let press = 0; press < 2; press += 1) button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    })
    await expect(lead.getByText(/^Sent /)).toBeVisible()
    expect(sent).toBe(1)
    await lead.getByRole('button', { name: 'Reopen' }).click()
    await expect(lead.getByRole('button', { name: 'Mark as answered' })).toBeVisible()

    await page.goto('/')
    await page.getByRole('button', { name: 'Home menu' }).click()
    await page.getByRole('link', { name: 'View public site' }).click()
    await expect(page.getByRole('heading', { name: headline })).toBeVisible()
    await expect(page.getByRole('link', { name: 'View public site' })).toBeHidden()
    await page.getByRole('banner').getByRole('link', { name: 'About', exact: true }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Winnow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Olive' })).toBeVisible()
  },
)

ownTest('the owner’s first steps tick themselves, are hidden by keyboard, and come back from the settings', async ({ page }) => {
  await enterAsOwner(page, '/')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('status')).toHaveText('2 of 10')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const business = { name: 'Harrow', tagline: 'Ground made ready.', email: 'hello@harrow.example' }
  const headers = { 'sec-fetch-site': 'same-origin', 'if-match': '"0"' }
  await page.request.put('/api/settings/sections/identity', { data: business, headers })
  await expect(steps.getByRole('status')).toHaveText('3 of 10')
  await expect(steps.getByRole('progressbar')).toHaveCSS('appearance', 'none')
  await expect(steps.getByRole('link', { name: /^Done: ?Enter your business/ })).toBeVisible()

  await steps.getByRole('button', { name: 'Hide' }).press('Enter')
  await expect(steps).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Hello, Olive' })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Last 24 hours' })).toBeVisible()
  await expect(steps).toBeHidden()
  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'Show first steps' }).click()
  await expect(page.getByRole('button', { name: 'Show first steps' })).toBeHidden()
  await page.goto('/')
  await steps.getByRole('link', { name: /^Invite a colleague/ }).click()
  await expect(page.getByRole('dialog', { name: 'Invite someone' })).toBeVisible()
})

test('a customer finds at / how far we are and what comes by when, or how to begin; the menu is the same for both', async ({
  page,
  browser,
  site,
}) => {
  const mary = { ...grace, firstName: 'Mary', email: 'mary@harbor.example' }
  await enterAsOwner(page)
  await expectMenu(page, 'Olive', [...menuEntries, 'Logout'])
  const customer = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enterAsCustomer(customer, mary, '/')
  await expectMenu(customer, 'Mary', [...menuEntries, 'Logout'])
  await expect(customer.getByRole('heading', { name: 'Welcome, Mary' })).toBeVisible()
  await expect(customer.getByRole('main').getByRole('link', { name: 'Tell us what you need' })).toHaveAttribute('href', '/contact')
  await expectHomeSound(customer, 'empty')

  await send(page, { ...ada, email: mary.email })
  await customer.reload()
  const enquiry = customer.getByRole('main').getByRole('listitem').filter({ hasText: ada.problem }).first()
  await expect(enquiry.getByText('Received', { exact: true })).toBeVisible()
  await expect(enquiry.getByRole('list', { name: 'What happens next' }).getByRole('listitem')).toHaveText([
    /^By .*A person confirms that they have read it\.$/,
    /^By .*We reply with a proposal or with questions\.$/,
  ])
  await expect(customer.getByText('Overdue')).toHaveCount(0)
  await expectHomeSound(customer, 'full')
})

test('a customer who opens a part for staff learns what it is for and asks the owner, who gets an email', async ({
  page,
  browser,
  site,
}) => {
  const asking = { ...grace, email: 'asking@harbor.example' }
  await signInAsOwner(page)
  const customer = await (await browser.newContext({ baseURL: site.url })).newPage()
  await enterAsCustomer(customer, asking, '/admin/redirects')
  await expect(customer.getByText('You need a staff account to change redirects.')).toBeVisible()
  await customer.getByRole('button', { name: 'Request access' }).click()
  await expect(customer.getByText(/^Requested on /)).toBeVisible()
  await customer.reload()
  await expect(customer.getByText(/^Requested on /)).toBeVisible()
  expect(await faultsOf(customer)).toEqual([])
  await page.goto('/dev/mail')
  await expect(page.getByText(`${asking.email} requests access to Redirect Management`).first()).toBeVisible()
})

test('the workspace home is worked by keyboard alone', async ({ page }) => {
  await signInAsOwner(page)
  await send(page, { ...ada, name: 'Ada Keyboard', email: 'keyboard@harbor.example' })
  await page.goto('/')
  const lead = page.getByRole('main').getByRole('link', { name: /^Ada Keyboard/ })
  await expect(lead).toBeVisible()
  await page.getByRole('button', { name: 'Home menu' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Workspace home' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Home menu' })).toBeFocused()
  for (let stops = 0; stops < 80 && !(await lead.evaluate((link) => link === document.activeElement)); stops += 1)
    await page.keyboard.press('Tab')
  await expect(lead).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Ada Keyboard' })).toBeVisible()
})

test('the open page reloads its data by itself when a deadline passes', async ({ page }) => {
  await signInAsOwner(page)
  await send(page, { ...ada, email: 'deadline@harbor.example' })
  await page.clock.install()
  await page.goto('/')
  await expect(page.getByText(/^\d+ open enquir(y|ies), on time$/)).toBeVisible()
  const asked = page.waitForRequest('**/api/workspace')
  await page.clock.fastForward('02:00:02')
  await asked
})

test('a failed request reports it, and is retried on demand', async ({ page }) => {
  await signInAsOwner(page)
  await page.route('**/api/workspace', (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'down' }), { times: 1 })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'This did not load' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Last 24 hours' })).toBeVisible()
})

/** It has no accessibility fault and never scrolls sideways, in light and in dark. */
async function expectHomeSound(page: Page, view: string) {
  await expect(page.getByRole('heading', { name: 'Needs attention' }).or(page.getByRole('heading', { name: 'API keys' }))).toBeVisible()
  await expectSoundAt(page, view, [320, 768, 1440])
  await page.setViewportSize({ width: 1280, height: 720 })
}

async function expectMenu(page: Page, name: string, entries: string[]) {
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('menuitem')).toHaveText(entries)
  await page.keyboard.press('Escape')
}

async function send(page: Page, enquiry: typeof ada & { homepage?: string } = ada) {
  expect((await page.request.post('/api/contact', { data: enquiry })).status()).toBe(201)
}

/** The words of a page that is on the way, by its link. */
const onTheWay = {
  Emails: 'Loading emails...',
  'Data Marketplace': 'Loading data products...',
  Blog: 'Loading blog posts...',
  Redirects: 'Loading redirects...',
  Products: 'Loading products...',
  Users: 'Loading people...',
  Dashboard: 'Loading dashboard...',
  Home: 'Loading your workspace...',
}

test('while the network is slow each page says at once what loads, in its shape, and a form that is sent shows a bar', async ({ page }) => {
  await enterAsOwner(page)
  let arrival = Promise.withResolvers<void>()
  await page.route(/\.data\b|\/api\/redirects/, async (route) => {
    await arrival.promise
    await route.continue().catch(() => undefined)
  })
  for (const [link, words] of Object.entries(onTheWay)) {
    arrival = Promise.withResolvers<void>()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).first().click()
    // Nothing of the page arrives before it is let through, so a slow machine can take its time.
    await expect(page.getByRole('main').getByText(words)).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Loading' }).first()).toBeAttached()
    arrival.resolve()
    await expect(page.getByText(words)).toBeHidden({ timeout: 15_000 })
  }
  arrival = Promise.withResolvers<void>()
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeAttached()
  arrival.resolve()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark', { timeout: 15_000 })
})

/** In milliseconds, from the click to the picture that shows that something runs. */
const PENDING_BAR = 150
/** A busy machine may draw a picture late, so each click has some tries, of which one has to be fast. */
const TRIES = 10

ownTest(
  'with a network that takes 3 s each page of the workspace shows within 150 ms of a click that another one loads, and so do actions',
  atLength,
  async ({ page }) => {
    test.slow()
    await page.setViewportSize({ width: 1440, height: 900 })
    await signInAsOwner(page)
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await page.request.post('/api/redirects', { headers, data: { fromPath: '/clicked', toPath: '/about' } })).status()).toBe(201)
    let isSlow = false
    await page.route('**/*', async (route) => {
      if (isSlow) await page.waitForTimeout(3000).catch(() => undefined)
      await route.continue().catch(() => undefined)
    })
    const rail = page.getByRole('navigation', { name: 'Main' })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Last 24 hours' })).toBeVisible()
    const found = await rail.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const places = [...new Set(found)].filter((place) => /^\/($|dashboard|notifications|data-marketplace|admin\/|account)/.test(place))
    expect(places.length).toBeGreaterThan(8)

    /** Opens a page on a fast network, clicks there on a slow one, and returns the shortest time of some tries. */
    const timeOf = async (origin: string, ready: () => Promise<unknown>, click: () => Promise<void>) => {
      let best = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < TRIES && best > PENDING_BAR; tries += 1) {
        isSlow = false
        await page.goto(origin)
        await ready()
        isSlow = true
        // A document that arrives late ends the try.
        const [time] = await Promise.all([page.evaluate(untilPending).catch(() => Number.POSITIVE_INFINITY), click()])
        best = Math.min(best, time)
      }
      return best
    }
    const times: [string, number][] = []
    for (const [at, place] of places.entries()) {
      const origin = places[(at + 1) % places.length] ?? '/'
      const link = rail.locator(`a[href="${place}"]`).first()
      const settled = () =>
        page.waitForLoadState('networkidle').then(() => expect(page.getByRole('progressbar', { name: 'Loading' })).toBeHidden())
      times.push([`${origin} to ${place}`, await timeOf(origin, settled, () => link.click())])
    }
    const theme = page.getByRole('button', { name: 'Dark' })
    times.push([
      'theme',
      await timeOf(
        '/admin/settings',
        () => expect(theme).toBeVisible(),
        () => theme.click(),
      ),
    ])
    const entry = page.getByRole('menuitem', { name: /^(Dea|A)ctivate$/ })
    const open = async () => {
      await page
        .getByRole('row', { name: /clicked/ })
        .getByRole('button')
        .last()
        .click()
      await expect(entry).toBeVisible()
    }
    times.push(['change of a row', await timeOf('/admin/redirects', open, () => entry.click())])
    isSlow = false
    expect(times.filter(([, time]) => time > PENDING_BAR)).toEqual([])
    test.info().annotations.push({ type: 'pending', description: times.map(([what, time]) => `${what}: ${time.toFixed(0)} ms`).join('; ') })
  },
)

/** Runs in the browser: the milliseconds from the next click until a bar, or a button that says so, is in a picture. */
function untilPending(): Promise<number> {
  return new Promise((resolve) => {
    const isVisible = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
    document.addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          const signs = document.querySelectorAll('progress[aria-label=Loading], button[aria-busy=true]')
          if ([...signs].some(isVisible)) resolve(performance.now() - timeStamp)
          else requestAnimationFrame(look)
        }
        look()
      },
      { capture: true, once: true },
    )
  })
}

test('the sidebar is folded and stays so, and its links keep their names', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await enterAsOwner(page)
  await page.getByRole('button', { name: 'Fold the sidebar' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Unfold the sidebar' })).toBeVisible()
  expect((await page.getByRole('banner').boundingBox())?.width).toBeLessThan(64)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Redirects' }).click()
  await expect(page).toHaveURL('/admin/redirects')
  await page.getByRole('button', { name: 'Unfold the sidebar' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Hire a Developer' })).toBeVisible()
})

test('at 1440 × 900 fifteen leads and fifteen redirects are read without scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAsOwner(page)
  const headers = { 'sec-fetch-site': 'same-origin' }
  for (let count = 1; count <= 15; count += 1) await send(page, { ...ada, name: `Person ${count}`, email: `person-${count}@example.com` })
  for (let count = 1; count <= 15; count += 1) {
    const data = { fromPath: `/row-${count}`, toPath: '/about' }
    expect((await page.request.post('/api/redirects', { headers, data })).status()).toBe(201)
  }
  for (const [path, least] of [
    ['/leads', 15],
    ['/admin/redirects', 15],
  ] as const) {
    await page.goto(path)
    // The first row is the head.
    await expect(page.getByRole('main').getByRole('row').nth(least)).toBeInViewport({ ratio: 1 })
  }
})

test('what is typed right after Ctrl K, while the code of the search is still on its way, is searched', async ({ page }) => {
  await enterAsOwner(page, '/leads')
  const { promise: codeMay, resolve: letCode } = Promise.withResolvers<void>()
  await page.route(/\/assets\/palette-/, (route) => codeMay.then(() => route.continue()))
  await untilLive(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('redirectz')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('s')
  letCode()
  const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('redirects')
  await page.keyboard.type(' x')
  await expect(field).toHaveValue('redirects x')
})

test('Ctrl K finds pages, leads and settings and starts the actions of the page, by keyboard alone, and ? shows the keys', async ({
  page,
}) => {
  await enterAsOwner(page)
  await send(page, { ...ada, name: 'Ada Palette', email: 'palette@harbor.example' })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  // The field has the focus from the beginning.
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('redirects')
  await expect(palette.getByRole('option', { name: /Manage Redirects/ })).toHaveAttribute('aria-selected', 'true')
  await palette.getByRole('combobox').fill('ada palette')
  await expect(palette.getByRole('option', { name: /Ada Palette/ })).toBeVisible()
  // The name is whole; what is beside it gets shorter.
  const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth
  expect(await palette.getByText('Ada Palette', { exact: true }).evaluate(isCut)).toBe(false)
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ada Palette' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('testimonials')
  await expect(palette.getByRole('option', { name: /Testimonials/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/settings?section=testimonials')
  await page.goto('/admin/redirects')
  await untilLive(page)
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expect(palette.getByRole('option').first()).toHaveAccessibleName(/^New redirect/)
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create New Redirect' })
  await expect(form).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})
