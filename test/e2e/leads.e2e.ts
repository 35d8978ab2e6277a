import type { Locator, Page } from '@playwright/test'
import { byLength } from '#test/length.ts'
import { faultsOf } from './faults.ts'
import { dragByFinger } from './finger.ts'
import { expect, untilLive, workingTest as test } from './fixtures.ts'
import { enterAsOwner, lift, signInAsOwner } from './steps.ts'

const ours = { 'sec-fetch-site': 'same-origin' }

/** Adds leads with these names, the first one newest. Each test has names of its own and searches for them. */
async function addLeads(page: Page, names: readonly string[]) {
  const address = (name: string) => `${name.toLowerCase().replaceAll(' ', '.')}@desk.example`
  const created = (at: number) => new Date(Date.UTC(2026, 5, 20, 12, -at)).toISOString()
  const rows = names.map((name, at) => `${name},${address(name)},France,Price Monitoring,${created(at)}`)
  const text = ['Name,Email,Country,Problem,Created at', ...rows].join('\n')
  const reply = await page.request.post('/api/leads/import?dry=false', { data: { text, title: 'Test', known: 'add' }, headers: ours })
  expect(reply.status()).toBe(200)
}

async function openDesk(page: Page, search: string) {
  await page.goto(`/leads?${search}`)
  // The toolbar has a link “Board”, which is there before the leads.
  await expect(page.getByRole('link', { name: /^(Triage|Early|Pair|Bulk|Filter|Board|Merge|Stage|Hand) / }).first()).toBeVisible()
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const columnOf = (page: Page, stage: string) => page.getByRole('region', { name: stage, exact: true })
const card = (column: Locator, name: string) => column.getByRole('listitem').filter({ hasText: name })

async function expectAccessible(page: Page) {
  expect((await faultsOf(page)).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

test('ten leads are triaged without a mouse within a minute: stage, owner, note, undo', async ({ page }) => {
  const names = Array.from({ length: 10 }, (_, at) => `Triage ${String.fromCodePoint(65 + at)}`)
  await signInAsOwner(page)
  await addLeads(page, names)
  await openDesk(page, 'q=triage')
  await expectAccessible(page)

  const began = Date.now()
  for (const name of names) {
    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name })).toBeFocused()
    await page.keyboard.press('e')
    await expect(page.getByRole('combobox', { name: 'Stage' })).toBeFocused()
    await page.keyboard.type('Qu')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, name)).toContainText('Qualified')
    // The focus is back in the row.
    await expect(page.getByRole('link', { name })).toBeFocused()
  }
  expect(Date.now() - began).toBeLessThan(60_000)
  await expect(page.getByText('Triage J moved to Qualified').first()).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone', { exact: true }).first()).toBeVisible()
  await expect(rowOf(page, 'Triage J')).not.toContainText('Qualified')

  await page.keyboard.press('k')
  await expect(page.getByRole('link', { name: 'Triage I' })).toBeFocused()
  await page.keyboard.press('a')
  await expect(page.getByRole('combobox', { name: 'Owner' })).toBeFocused()
  await page.keyboard.type('Ol')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Triage I')).toContainText('Olive Owner')
  await page.keyboard.press('n')
  await page.keyboard.type('Wants a sample first.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Note added').first()).toBeVisible()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toContainText('Change the stage')
  await expect(keys).toContainText('Search and go anywhere')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused()

  await page.getByRole('link', { name: 'Triage I' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Triage I')
  await expect(page.getByText('Wants a sample first.')).toBeVisible()
  await expect(page.getByText('Stage: New → Qualified')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await expectAccessible(page)
})

for (const layout of byLength(['table'], ['table', 'board']))
  test(`keys that are pressed while the ${layout} of leads is still on its way act in their order once it is there`, async ({ page }) => {
    const shown = layout === 'table' ? 'Row' : 'Card'
    const names = ['A', 'B', 'C'].map((initial) => `Early ${shown} ${initial}`)
    await signInAsOwner(page)
    await addLeads(page, names)
    const [{ promise: pipelineMay, resolve: letPipeline }, { promise: listMay, resolve: letList }] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    await page.route('/api/leads/pipeline', (route) => pipelineMay.then(() => route.continue()))
    await page.route(layout === 'table' ? /\/api\/leads\?/ : /\/api\/leads\/board\?/, (route) => listMay.then(() => route.continue()))
    const asked = page.waitForRequest('/api/leads/pipeline')
    await page.goto(`/leads?q=early+${shown}&layout=${layout}`)
    await asked
    await untilLive(page)
    await page.keyboard.press('j')
    letPipeline()
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('n')
    letList()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.type('Typed early.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Note added').first()).toBeVisible()
    await page.getByRole('link', { name: `Early ${shown} B` }).click()
    await expect(page.getByText('Typed early.')).toBeVisible()
  })

test('on a phone, a long address in the facts of a lead breaks at its @ and dots, and fits', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signInAsOwner(page)
  await addLeads(page, ['Long Montgomeryshire Constantinopolitan'])
  await page.goto('/leads?q=montgomeryshire')
  await page.getByRole('link', { name: /Montgomeryshire/ }).click()
  const link = page
    .getByRole('region', { name: 'Facts' })
    .getByRole('link', { name: 'long.montgomeryshire.constantinopolitan@desk.example' })
  await expect(link).toBeVisible()
  const lines = await link.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const words: number[] = []
    while (texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      words.push(range.getClientRects().length)
    }
    return { words, whole: new Set(Array.from(element.getClientRects(), ({ top }) => top)).size }
  })
  expect(lines.whole).toBeGreaterThan(1)
  expect(new Set(lines.words)).toEqual(new Set([1]))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('a lead is filtered, found with Ctrl K, edited in place, noted and given a task', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Filter Hopper'])
  await openDesk(page, 'q=filter')
  await page.getByRole('searchbox', { name: 'Search' }).fill('containers of nobody')
  await expect(page.getByText('No leads match this search and these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('filter hop')
  await page.getByRole('option', { name: /Filter Hopper/ }).click()
  await expect(page).toHaveURL(/\/leads\/[A-Z\d-]+$/)

  await page.getByRole('button', { name: 'Add value' }).click()
  // A dot before three digits has two meanings, and neither is stored unasked.
  await page.getByLabel('Value').fill('2.500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByLabel('Value')).toHaveAccessibleDescription('Enter an amount, such as 2500 or 2,500.50')
  expect((await page.getByLabel('Value').boundingBox())?.width).toBeGreaterThan(80)
  await page.getByLabel('Value').fill('2.500,50')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit value: $2,500.50' }).click()
  await page.getByLabel('Value').fill('2500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit value: $2,500', exact: true })).toBeVisible()

  await page.getByLabel('Note').fill('Called **twice**.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.locator('strong', { hasText: 'twice' })).toBeVisible()

  await page.getByRole('button', { name: 'Add task' }).click()
  await page.getByLabel('Task', { exact: true }).fill('Call again')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Call again' }).click()
  await expect(page.getByText('Task done: Call again')).toBeVisible()
  await expectAccessible(page)
})

test('two people edit one lead: the second sees each value of the first and decides', async ({ page, browser, baseURL }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Pair Curie'])
  await openDesk(page, 'q=pair')
  await page.getByRole('link', { name: 'Pair Curie' }).click()
  await expect(page.getByRole('button', { name: 'Add value' })).toBeVisible()
  const second = await (await browser.newContext({ baseURL })).newPage()
  await signInAsOwner(second)
  await second.goto(page.url())

  for (const [fact, theirs, mine, told, shown] of [
    ['value', '100', '200', '“$100”', '$200'],
    ['next step', 'Send a sample', 'Call her', '“Send a sample”', 'Call her'],
  ] as const) {
    const label = fact === 'value' ? 'Value' : 'Next step'
    await second.getByRole('button', { name: `Add ${fact}` }).click()
    await second.getByRole('textbox', { name: label }).fill(mine)
    await page.getByRole('button', { name: `Add ${fact}` }).click()
    await page.getByRole('textbox', { name: label }).fill(theirs)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: new RegExp(`^Edit ${fact}: .?${theirs}`) })).toBeVisible()

    await second.getByRole('textbox', { name: label }).press('Enter')
    await expect(second.getByText(`This has meanwhile changed to ${told}.`)).toBeVisible()
    await expect(second.getByRole('textbox', { name: label })).toHaveValue(mine)
    // Nothing is overwritten unseen.
    await expect(page.getByRole('button', { name: new RegExp(`^Edit ${fact}: .?${theirs}`) })).toBeVisible()
    await second.getByRole('textbox', { name: label }).press('Enter')
    await expect(second.getByRole('button', { name: `Edit ${fact}: ${shown}` })).toBeVisible()
    await expect(page.getByRole('button', { name: `Edit ${fact}: ${shown}` })).toBeVisible()
  }
  await second.context().close()
})

test('many leads change their stage at once, and one undo returns them; an export has the selected ones', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(
    page,
    Array.from({ length: 6 }, (_, at) => `Bulk Lead ${at}`),
  )
  await openDesk(page, 'q=bulk+lead&sort=name')
  await expect(page.getByRole('navigation', { name: 'Stages' }).getByRole('link', { name: /^New/ })).toContainText('6')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('checkbox', { name: 'Select Bulk Lead 0' }).uncheck()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export', exact: true }).click()
  const lines: string[] = []
  for await (const piece of await (await download).createReadStream()) lines.push(...String(piece).trim().split('\r\n'))
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual([1, 2, 3, 4, 5].map((at) => `"Bulk Lead ${at}"`))

  await bar.getByRole('button', { name: 'Stage' }).click()
  await page.getByRole('combobox', { name: 'Stage' }).selectOption('Proposal sent')
  await page.getByRole('button', { name: 'Change stage' }).click()
  await expect(page.getByText('5 leads moved to Proposal sent').first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Proposal sent' })).toHaveCount(5)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone for 5 leads').first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Proposal sent' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Stage', exact: true }).click()
  await expect(page).toHaveURL(/sort=stage/)
  await page.getByRole('link', { name: 'Owner', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Owner' })).toHaveAttribute('aria-sort', 'ascending')

  // Where no row is left, the focus is at the sentence that says so, from where Tab reaches what to do.
  await expect(page.getByRole('row', { name: /Bulk Lead/ }).getByText('No owner')).toHaveCount(6)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).press('Space')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('No matches')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('button', { name: 'Show all' })).toBeFocused()
})

test('a card moves by drag and by keyboard, and the stages can be changed from there', async ({ page }) => {
  await signInAsOwner(page)
  const long = 'Board Maximiliane von Hohenstein-Wittelsbach-Altenburg'
  await addLeads(page, ['Board One', 'Board Two', long])
  await openDesk(page, 'q=board&layout=board')
  // The board scrolls, not the page.
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  // A long name stays inside of its card, and the card inside of its column.
  const [column, longCard] = await Promise.all([columnOf(page, 'New').boundingBox(), card(columnOf(page, 'New'), long).boundingBox()])
  expect((longCard?.x ?? 0) + (longCard?.width ?? 0)).toBeLessThan((column?.x ?? 0) + (column?.width ?? 0))
  await expect(columnOf(page, 'New').getByRole('heading')).toContainText('3')
  await card(columnOf(page, 'New'), 'Board One').dragTo(columnOf(page, 'Qualified'), { steps: 8 })
  await expect(card(columnOf(page, 'Qualified'), 'Board One')).toBeVisible()
  await expect(page.getByText('1 lead moved to Qualified').first()).toBeVisible()
  await expect(columnOf(page, 'New').getByRole('heading')).toContainText('2')

  await page.getByRole('button', { name: 'Move Board Two with the left and right arrow keys' }).focus()
  for (const stage of ['Acknowledged', 'Qualified', 'Call booked']) {
    await page.keyboard.press('ArrowRight')
    await expect(card(columnOf(page, stage), 'Board Two')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Move Board Two with the left and right arrow keys' })).toBeFocused()
  }
  await expect(page.getByText('1 lead moved to Call booked').first()).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(card(columnOf(page, 'Qualified'), 'Board Two')).toBeVisible()

  // Lifted with Space, a card goes past several stages before it is dropped; a screen reader hears where it is.
  const handle = page.getByRole('button', { name: 'Move Board Two with the left and right arrow keys' })
  await lift(handle)
  await expect(page.getByText('Board Two is at Qualified.')).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Board Two is at Acknowledged.')).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Board Two is at New.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Board Two has not moved.')).toBeAttached()
  await expect(card(columnOf(page, 'Qualified'), 'Board Two')).toBeVisible()
  await lift(handle)
  await expect(page.getByText('Board Two is at Qualified.')).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Board Two is at Acknowledged.')).toBeAttached()
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await expect(card(columnOf(page, 'Acknowledged'), 'Board Two')).toBeVisible()
  await expect(handle).toBeFocused()
  await expectAccessible(page)

  // A finger that rests on a card takes it along.
  const [one, to] = await Promise.all([
    card(columnOf(page, 'Qualified'), 'Board One').boundingBox(),
    columnOf(page, 'Acknowledged').boundingBox(),
  ])
  if (!one || !to) throw new Error('The card is not on the page.')
  await dragByFinger(page, { x: one.x + 60, y: one.y + one.height - 6 }, { x: to.x + to.width / 2, y: to.y + 60 })
  await expect(card(columnOf(page, 'Acknowledged'), 'Board One')).toBeVisible()

  await page.getByRole('link', { name: 'Stages' }).click()
  await page.getByRole('button', { name: 'Add stage' }).click()
  // The new stage has the focus; one without a name is shown, and its error goes with the typing.
  await page.keyboard.press('Enter')
  const unnamed = page.getByRole('textbox', { name: 'Name' }).and(page.locator('[aria-invalid=true]'))
  await expect(unnamed).toBeFocused()
  await expect(unnamed).toHaveValue('')
  await expect(page.getByText('Give each stage a name.')).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.type('Tr')
  await expect(page.getByText('Give each stage a name.')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Name' }).nth(5).fill('Trial')
  await page.getByRole('textbox', { name: 'Probability of Trial in percent' }).fill('80')
  const trial = page.getByRole('button', { name: 'Move Trial with the arrow keys' })
  await trial.press('ArrowUp')
  await expect(trial).toBeFocused()
  await lift(trial)
  await expect(page.getByText('Trial is at its own place.')).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(/^Trial is at (?!Trial)/)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Trial has not moved.')).toBeAttached()
  await page.getByRole('button', { name: 'Move Trial up' }).click()
  await expect(page.getByText('Trial is now number 4 of 8.')).toBeAttached()
  await page.getByRole('button', { name: 'Move Trial down' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' }).nth(4)).toHaveValue('Trial')
  // A link away asks first.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Continue editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' }).nth(4)).toHaveValue('Trial')
  await page.getByRole('button', { name: 'Save stages' }).click()
  await expect(page.getByText('Stages saved').first()).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' }).nth(4)).toHaveValue('Trial')
  await page.getByRole('button', { name: 'Remove Trial' }).click()
  await page.getByRole('button', { name: 'Save stages' }).click()
  await expect(page.getByText('Choose where the leads of the removed stage go.')).toBeVisible()
  await page.getByLabel('Move the leads of Trial to').selectOption('New')
  await page.getByRole('button', { name: 'Save stages' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(7)
})

test('Escape ends the drag of a column, and the dialog keeps what was changed before', async ({ page }) => {
  await signInAsOwner(page)
  await page.goto('/leads')
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Company' }).uncheck()
  await dialog.getByRole('button', { name: 'Move Owner with the arrow keys' }).hover()
  await page.mouse.down()
  // The first move lifts it, the second one carries it.
  await dialog.getByRole('checkbox', { name: 'Value' }).hover()
  await dialog.getByRole('button', { name: 'Move Value with the arrow keys' }).hover()
  await expect(page.getByText('Owner is at Value.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Owner has not moved.')).toBeAttached()
  await page.mouse.up()
  await expect(dialog.getByRole('checkbox', { name: 'Company' })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Move Owner down' }).click()
  await expect(dialog.getByText(/^Owner is now number \d of \d\.$/)).toBeAttached()
  // Escape asks before the choice is lost, also the second time; Escape in the question goes on.
  for (let times = 0; times < 2; times += 1) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toHaveCount(0)
    await expect(dialog.getByRole('checkbox', { name: 'Company' })).not.toBeChecked()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toHaveCount(0)
})

test('a file with German figures asks how they are written, and is imported as its owner meant', async ({ page }) => {
  const listening = page.waitForRequest(/\/api\/events\?/)
  await enterAsOwner(page, '/leads/import')
  await listening
  const file = [
    'E-Mail;Name;Company;Betrag;Datum',
    'juergen@import.example;J\xfcrgen M\xfcller;Gr\xf6\xdfe GmbH;1.234;03.04.2026',
    'mia@import.example;Mia;;10k;05.06.2026',
  ]
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(file.join('\r\n'), 'latin1') })
  await page.getByLabel('Betrag', { exact: true }).selectOption('value')
  await page.getByLabel('Datum', { exact: true }).selectOption('createdAt')
  const amount = page.getByLabel('“1.234” in the column Betrag means')
  await expect(amount.getByRole('option')).toHaveText(['Choose', '1.23', '1,234.00'])
  const date = page.getByLabel('“03.04.2026” in the column Datum means')
  await expect(date.getByRole('option')).toHaveText(['Choose', 'April 3, 2026', 'March 4, 2026'])
  const send = page.getByRole('button', { name: 'Import 2 leads' })
  await expect(send).toBeDisabled()
  await expect(send).toHaveAccessibleDescription('Choose the number and date format first.')
  await amount.selectOption('1,234.00')
  await date.selectOption('April 3, 2026')
  await page.getByText('Values that are not imported').click()
  await expect(page.getByText('“10k” is not a clear amount, so the lead has no value.')).toBeVisible()
  await send.click()
  await expect(page.getByText('2 leads imported').first()).toBeVisible()
  const { leads } = await (await page.request.get('/api/leads?q=import.example&sort=name')).json()
  expect(leads).toMatchObject([
    { name: 'Jürgen Müller', company: 'Größe GmbH', valueCents: 123_400, createdAt: '2026-04-03T00:00:00.000Z' },
    { name: 'Mia', valueCents: null, createdAt: '2026-06-05T00:00:00.000Z' },
  ])
})

test('filters by value say their currency, refuse what is no amount, and are removed one by one', async ({ page }) => {
  await enterAsOwner(page, '/leads?stage=1')
  await page.getByRole('button', { name: 'Filters' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter leads' })
  await expect(dialog.getByLabel('Owner')).toBeFocused()
  // Every filter is optional, so none says it.
  await expect(dialog).not.toContainText('optional')
  await dialog.getByLabel('Value from, USD').fill('-5')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Value from, USD')).toBeFocused()
  await expect(dialog.getByText('Enter an amount, such as 2500 or 2,500.50')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Value from, USD').fill('2,500.50')
  await dialog.getByLabel('Received from').fill('2026-11-01')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/leads?stage=1&least=2500.5&from=2026-11-01')
  await expect(page.getByRole('button', { name: 'Remove the filter Received from: Nov 1, 2026' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Value from, USD: 2,500.5' }).click()
  await expect(page).toHaveURL('/leads?stage=1&from=2026-11-01')
})

test('a file of another program is checked, imported and undone', async ({ page }) => {
  // The page is live when it listens for events; before, it would not notice the file.
  const listening = page.waitForRequest(/\/api\/events\?/)
  await enterAsOwner(page, '/leads/import')
  await listening
  const file = 'Full name,Work email,Amount,Favorite color\nMarie Curie,marie@lab.example,"1,500.00",blue\nNobody,not an address,1,red\n'
  await page.getByLabel('CSV file').setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(page.getByLabel('Work email')).toHaveValue('email')
  await expect(page.getByLabel('Favorite color')).toHaveValue('')
  await expect(page.getByText('1 new person')).toBeVisible()
  await expect(page.getByText('Line 3')).toBeVisible()
  await expectAccessible(page)
  // A dry run stores nothing.
  expect((await (await page.request.get('/api/leads?q=marie')).json()).leads).toEqual([])

  await page.getByRole('button', { name: 'Import 1 lead' }).dblclick()
  await expect(page.getByText('1 lead imported').first()).toBeVisible()
  expect((await (await page.request.get('/api/leads?q=marie')).json()).leads).toEqual([expect.objectContaining({ valueCents: 150_000 })])
  const done = page.getByRole('listitem').filter({ hasText: 'crm.csv' })
  await done.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('1 lead removed').first()).toBeVisible()
  await expect(done).toContainText('Undone')
  expect((await (await page.request.get('/api/leads?q=marie')).json()).leads).toEqual([])
})

test('two addresses become one person and two again, and a lead moves to another person', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Merge Home', 'Merge Work'])
  await openDesk(page, 'q=merge')
  await page.getByRole('link', { name: 'Merge Home' }).click()
  const person = page.getByRole('region', { name: 'Person' })
  await person.getByRole('button', { name: 'Merge people' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge people' })
  await dialog.getByLabel('Person').fill('nobody at all')
  await expect(dialog.getByText('Nobody found.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Merge' })).toHaveAccessibleDescription('Choose a person first.')
  await dialog.getByLabel('Person').fill('merge')
  await dialog.getByRole('radio', { name: /Merge Work/ }).check()
  await expect(dialog).toContainText('All leads and calls of Merge Work (merge.work@desk.example) move to Merge Home')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(person.getByRole('list', { name: 'Other leads of this person' }).getByRole('link')).toHaveCount(1)
  await person.getByRole('button', { name: 'Separate merge.work@desk.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Separate' }).click()
  await expect(person.getByRole('list', { name: 'Other leads of this person' })).toHaveCount(0)

  await person.getByRole('button', { name: 'Move lead' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('merge.work@desk.example')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(person).toContainText('merge.work@desk.example')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(person).toContainText('merge.home@desk.example')

  // The same phone number: offered on the lead and in a list, told apart for good, or merged.
  const { leads } = await (await page.request.get('/api/leads?q=merge&sort=name')).json()
  for (const { reference } of leads) {
    const changes = { phone: { from: null, to: reference === leads[0].reference ? '+49 (0)30 123 456 78' : '030 12345678' } }
    expect((await page.request.patch(`/api/leads/${reference}`, { data: { changes }, headers: ours })).status()).toBe(200)
  }
  const offered = page.getByRole('list', { name: 'Possible duplicates' })
  await expect(person.getByText('Same phone number')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/leads/duplicates')
  await expect(offered).toContainText('merge.work@desk.example')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await offered.getByRole('button', { name: /^Not a duplicate/ }).click()
  await expect(page.getByText('No duplicates')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No duplicates')).toBeVisible()
  await page.request.delete(`/api/lead-duplicates/apart?${new URLSearchParams(await peopleOf(page))}`, { headers: ours })
  await page.reload()
  await offered.getByRole('button', { name: /^Merge / }).click()
  await expect(dialog).toContainText('You can separate them again for 30 days.')
  await dialog.getByRole('button', { name: 'Merge' }).press('Enter')
  await expect(page.getByText('No duplicates')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(offered).toContainText('Same phone number')
})

/** The two people of the test above, for the API. */
async function peopleOf(page: Page): Promise<{ oneId: string; otherId: string }> {
  const { people } = await (await page.request.get('/api/lead-people?q=merge')).json()
  const ids: string[] = people.map(({ id }: { id: string }) => id)
  return { oneId: ids[0] ?? '', otherId: ids[1] ?? '' }
}

test('a fact under edit is saved by Enter, by a choice and by leaving it, and restored by Escape; it never stays open unsaved', async ({
  page,
}) => {
  await signInAsOwner(page)
  await addLeads(page, ['Filter Fact'])
  await openDesk(page, 'q=filter+fact')
  await page.getByRole('link', { name: 'Filter Fact' }).click()
  const facts = page.getByRole('region', { name: 'Facts' })

  await facts.getByRole('button', { name: 'Add value' }).click()
  await page.keyboard.type('1200')
  await page.keyboard.press('Enter')
  await expect(facts.getByRole('button', { name: 'Edit value: $1,200' })).toBeVisible()
  await facts.getByRole('button', { name: 'Edit value: $1,200' }).click()
  await facts.getByRole('textbox', { name: 'Value' }).fill('9')
  await page.keyboard.press('Escape')
  await expect(facts.getByRole('button', { name: 'Edit value: $1,200' })).toBeVisible()

  await facts.getByRole('button', { name: 'Add next step' }).click()
  await page.keyboard.type('Send a sample')
  await page.getByRole('heading', { level: 1 }).click()
  await expect(facts.getByRole('button', { name: 'Edit next step: Send a sample' })).toBeVisible()
  await facts.getByRole('button', { name: 'Edit value: $1,200' }).click()
  await facts.getByRole('textbox', { name: 'Value' }).fill('many')
  await page.getByRole('heading', { level: 1 }).click()
  await expect(page.getByText('Value not changed').first()).toBeVisible()
  await expect(facts.getByRole('button', { name: 'Edit value: $1,200' })).toBeVisible()
  await expect(facts.getByRole('form')).toHaveCount(0)
})

test('a stage is a menu that saves on choice in list, record and board; lost asks for a reason, won for a value, each with an undo', async ({
  page,
  browser,
  baseURL,
}) => {
  await signInAsOwner(page)
  await addLeads(page, ['Stage One', 'Stage Two'])
  await openDesk(page, 'q=stage')
  const stageOf = (name: string, stage: string) => page.getByRole('button', { name: `Stage of ${name}: ${stage}`, exact: true })
  const choose = async (name: string) => page.getByRole('menuitemradio', { name }).click()

  // By mouse in the list, without opening the lead.
  await stageOf('Stage One', 'New').click()
  await expect(page.getByRole('menuitemradio', { name: 'New' })).toBeChecked()
  await choose('Qualified')
  await expect(stageOf('Stage One', 'Qualified')).toBeVisible()
  await expect(page).toHaveURL(/\/leads\?/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(stageOf('Stage One', 'New')).toBeVisible()

  // By keyboard: letters lead to an entry; a lost lead needs a reason.
  await stageOf('Stage Two', 'New').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'New' })).toBeFocused()
  await page.keyboard.type('Lo')
  await expect(page.getByRole('menuitemradio', { name: 'Lost' })).toBeFocused()
  await page.keyboard.press('Enter')
  const lost = page.getByRole('dialog', { name: 'Stage of Stage Two' })
  await expect(lost.getByRole('combobox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(lost.getByText('Choose a reason', { exact: true }).last()).toBeVisible()
  await page.keyboard.type('No b')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(stageOf('Stage Two', 'Lost')).toBeVisible()
  await expect(stageOf('Stage Two', 'Lost')).toBeFocused()
  await page.goto('/leads?q=stage&reason=No+budget')
  await expect(page.getByText('Lost because of: No budget')).toBeVisible()
  await expect(stageOf('Stage Two', 'Lost')).toBeVisible()
  await expect(stageOf('Stage One', 'New')).toHaveCount(0)

  // On a phone, on the lead's own page: a reopened lead has no reason, and won asks for the value.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Stage Two' }).click()
  await expect(page.getByRole('button', { name: 'Edit lost reason: No budget' })).toBeVisible()
  await stageOf('Stage Two', 'Lost').click()
  await choose('Proposal sent')
  await expect(page.getByRole('button', { name: /^Edit lost reason/ })).toHaveCount(0)
  await stageOf('Stage Two', 'Proposal sent').click()
  await choose('Won')
  await page.getByRole('textbox', { name: 'Value' }).fill('1.500')
  await page.getByRole('button', { name: 'Move to Won' }).click()
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveAccessibleDescription(/Enter an amount/)
  await page.getByRole('textbox', { name: 'Value' }).fill('1500')
  await page.getByRole('button', { name: 'Move to Won' }).click()
  await expect(stageOf('Stage Two', 'Won')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit value: $1,500' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  // Someone else was faster: nothing is overwritten, and their stage is told.
  const second = await (await browser.newContext({ baseURL })).newPage()
  await signInAsOwner(second)
  await second.route('/api/events**', (route) => route.abort())
  await second.goto(page.url())
  await expect(second.getByRole('button', { name: 'Stage of Stage Two: Won' })).toBeVisible()
  await stageOf('Stage Two', 'Won').click()
  await choose('Acknowledged')
  await expect(stageOf('Stage Two', 'Acknowledged')).toBeVisible()
  await second.getByRole('button', { name: 'Stage of Stage Two: Won' }).click()
  await second.getByRole('menuitemradio', { name: 'Qualified' }).click()
  await expect(second.getByText('Someone else has moved Stage Two to Acknowledged meanwhile. Choose again.').first()).toBeVisible()
  await expect(second.getByRole('button', { name: 'Stage of Stage Two: Acknowledged' })).toBeVisible()
  await second.context().close()

  // On the board, a card that is dropped on Lost asks as well; leaving the question moves nothing.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/leads?q=stage&layout=board')
  await card(columnOf(page, 'Acknowledged'), 'Stage Two').dragTo(columnOf(page, 'Lost'), { steps: 8 })
  await expect(lost).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card(columnOf(page, 'Acknowledged'), 'Stage Two')).toBeVisible()
  await stageOf('Stage Two', 'Acknowledged').click()
  await choose('Qualified')
  await expect(card(columnOf(page, 'Qualified'), 'Stage Two')).toBeVisible()

  await page.goto('/leads/stages')
  await page.getByRole('textbox', { name: 'Reasons' }).fill('Price\nPrice')
  await page.getByRole('button', { name: 'Save reasons' }).click()
  await expect(page.getByText('Each reason is in the list only once.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Reasons' }).fill('Price\nTiming\nNo budget')
  await page.getByRole('button', { name: 'Save reasons' }).click()
  await expect(page.getByText('Reasons saved').first()).toBeVisible()
  await expectAccessible(page)
})

test('a lead is added by hand from the list, by its key and from Ctrl K; an address that someone has is recognized', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Hand Known'])
  await openDesk(page, 'q=hand')
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await page.getByRole('main').getByRole('link', { name: 'New lead' }).click()
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await expect(dialog.getByText('Enter a name').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hand Second')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('hand.known@desk.example')
  await dialog.getByLabel('Company').focus()
  await expect(dialog.getByText('Hand Known already has this address')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('What is it about?').fill('Prices of ferries')
  await dialog.getByRole('button', { name: 'Add lead' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hand Second')
  await expect(page.getByText('Added by staff').first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Other leads of this person' }).getByRole('link')).toHaveCount(1)
  // The clocks have an Undo of their own.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page).toHaveURL(/\/leads$/)

  // By keyboard, on a phone, and from anywhere.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/leads?q=hand')
  await expect(page.getByRole('link', { name: 'Hand Known' })).toBeVisible()
  await page.keyboard.press('c')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.goto('/admin/redirects')
  await untilLive(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('new lead')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Hand Third')
  await page.keyboard.press('Tab')
  await page.keyboard.type('hand.third@desk.example')
  await dialog.getByLabel('What is it about?').fill('Timetables')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hand Third')
})

test('tasks and next steps are one list by due time, done with an undo; the first ones are on the home page', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Stage Tasked'])
  const { leads } = await (await page.request.get('/api/leads?q=tasked')).json()
  const { reference } = leads[0]
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const send = (url: string, data: object) =>
    page.request.fetch(url, { method: url.endsWith('tasks') ? 'POST' : 'PATCH', data, headers: ours })
  await send(`/api/leads/${reference}/tasks`, { title: 'Call him back', dueAt: yesterday })
  const { owners } = await (await page.request.get('/api/leads/pipeline')).json()
  const ownerId = { from: null, to: owners.find(({ name }: { name: string }) => name === 'Olive Owner').id }
  await send(`/api/leads/${reference}`, { changes: { ownerId, nextStep: { from: null, to: 'Send a sample' } } })

  await page.goto('/')
  const panel = page.getByRole('region', { name: 'My tasks' })
  await expect(panel.getByRole('list', { name: 'Overdue' })).toContainText('Call him back')
  await panel.getByRole('link', { name: 'All tasks' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  const box = (name: string) => page.getByRole('checkbox', { name: `${name}: Stage Tasked` })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await box('Call him back').focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Overdue' })).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(box('Call him back')).toBeVisible()
  await box('Send a sample').click()
  await expect(box('Send a sample')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(box('Send a sample')).toBeVisible()
  await page.getByRole('combobox', { name: 'Tasks of' }).selectOption('Everyone’s')
  await expect(page.getByRole('region', { name: 'Overdue' })).toContainText('Olive Owner')
  await box('Call him back').click()
  await page.getByRole('link', { name: 'Done', exact: true }).click()
  await expect(box('Call him back')).toBeChecked()
})

test('a cell of the list is edited in its place: by double click and by keys, saved by Enter, restored by Escape, a conflict told', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAsOwner(page)
  await addLeads(page, ['Stage Cell A', 'Stage Cell B'])
  await openDesk(page, 'q=stage+cell&sort=name')
  const cell = (what: string, name: string, shown: string) =>
    page.getByRole('button', { name: `Edit ${what} of ${name}: ${shown}`, exact: true })

  await cell('value', 'Stage Cell A', 'empty').dblclick()
  await page.getByRole('textbox', { name: 'Value of Stage Cell A' }).fill('2.500')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter an amount, such as 2500 or 2,500.50').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Value of Stage Cell A' }).fill('2500')
  await page.keyboard.press('Enter')
  await expect(cell('value', 'Stage Cell A', '$2,500')).toBeFocused()
  await expect(page).toHaveURL(/\/leads\?/)

  // By keys alone: along the row, to the next one, and back with Escape.
  await page.keyboard.press('ArrowRight')
  await expect(cell('next step', 'Stage Cell A', 'empty')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(cell('next step', 'Stage Cell B', 'empty')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Not this')
  await page.keyboard.press('Escape')
  await expect(cell('next step', 'Stage Cell B', 'empty')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Send a sample')
  await page.keyboard.press('Enter')
  await expect(cell('next step', 'Stage Cell B', 'Send a sample')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(cell('next step', 'Stage Cell B', 'empty')).toBeVisible()

  // The owner is a menu.
  await page.getByRole('button', { name: 'Owner of Stage Cell B: nobody' }).click()
  await page.getByRole('menuitemradio', { name: 'Olive Owner' }).click()
  await expect(page.getByRole('button', { name: 'Owner of Stage Cell B: Olive Owner' })).toBeVisible()

  // Someone else is faster: their value is told, and a second Enter replaces it.
  const { leads } = await (await page.request.get('/api/leads?q=stage+cell&sort=name')).json()
  await cell('company', 'Stage Cell A', leads[0].company ?? 'empty').dblclick()
  const data = { changes: { company: { from: leads[0].company, to: 'Theirs' } } }
  await page.request.patch(`/api/leads/${leads[0].reference}`, { data, headers: ours })
  const company = page.getByRole('textbox', { name: 'Company of Stage Cell A' })
  await company.fill('Mine')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Someone else has changed it to “Theirs” meanwhile.').first()).toBeVisible()
  await expect(company).toHaveValue('Mine')
  await company.press('Enter')
  await expect(cell('company', 'Stage Cell A', 'Mine')).toBeVisible()
  await page.goto('/leads?company=mine')
  await expect(page.getByText('Company: mine')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Stage Cell A' })).toBeVisible()
})

test('the list begins on the first screen, the board shows all seven stages and folds its ends, and a lead is won on its page in a few clicks', async ({
  page,
}) => {
  await signInAsOwner(page)
  await addLeads(
    page,
    Array.from({ length: 20 }, (_, at) => `Stage Fold ${at}`),
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await openDesk(page, 'q=stage+fold')
  const bottoms = await page
    .getByRole('row', { name: /Stage Fold/ })
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom))
  expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(15)

  await page.goto('/leads?q=stage+fold&layout=board')
  await expect(columnOf(page, 'Lost')).toBeVisible()
  const lost = await columnOf(page, 'Lost').boundingBox()
  expect((lost?.x ?? 0) + (lost?.width ?? 0)).toBeLessThanOrEqual(1440)
  await expectAccessible(page)
  await columnOf(page, 'Lost').getByRole('button', { name: 'Lost' }).press('Enter')
  await expect(columnOf(page, 'Lost').getByText('No leads in this stage.')).toHaveCount(0)
  await page.reload()
  await expect(columnOf(page, 'Lost').getByRole('button', { name: 'Lost' })).toHaveAttribute('aria-expanded', 'false')
  await columnOf(page, 'Lost').getByRole('button', { name: 'Lost' }).click()
  await expect(columnOf(page, 'Lost').getByText('No leads in this stage.')).toBeVisible()

  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/leads')
  const row = page.getByRole('main').getByRole('row').nth(1)
  await expect(row.getByRole('link')).toBeVisible()
  const first = await row.boundingBox()
  expect(first?.y ?? 740).toBeLessThan(370)
  // What stands above it has words, not signs alone.
  const faces = await page
    .getByRole('main')
    .locator('button, a')
    .evaluateAll(
      (controls, below) =>
        controls.flatMap((control) => {
          const { bottom, width } = control.getBoundingClientRect()
          return bottom < below && width > 0 ? [control.textContent.trim()] : []
        }),
      first?.y ?? 0,
    )
  expect(faces.length).toBeGreaterThan(5)
  expect(faces).not.toContain('')

  // From arrival to won: answered, qualified, with a next step and a value.
  await page.setViewportSize({ width: 1440, height: 900 })
  const data = {
    form: 'home',
    name: 'Winnie Arrival',
    email: 'winnie@arrival.example',
    country: 'France',
    problem: 'Price Monitoring',
    message: 'We want to follow what 12 ports charge for a container, once a week, in dollars.',
  }
  const { reference } = await (await page.request.post('/api/contact', { data, headers: ours })).json()
  await page.goto(`/leads/${reference}`)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const move = async (from: string, to: string) => {
    await click(page.getByRole('button', { name: `Stage of Winnie Arrival: ${from}` }))
    await click(page.getByRole('menuitemradio', { name: to }))
  }
  await click(page.getByRole('button', { name: 'Reply by email' }))
  await page.getByRole('textbox', { name: 'Email' }).fill('We can follow them. Here is what it costs.')
  await click(page.getByRole('button', { name: 'Send', exact: true }))
  await click(page.getByRole('region', { name: 'Scheduled emails' }).getByRole('button', { name: 'Send now' }))
  await move('Acknowledged', 'Qualified')
  await click(page.getByRole('button', { name: 'Add next step' }))
  await page.keyboard.type('Send the proposal')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Edit next step: Send the proposal' })).toBeVisible()
  await move('Qualified', 'Proposal sent')
  await move('Proposal sent', 'Won')
  await page.getByRole('textbox', { name: 'Value' }).fill('900')
  await click(page.getByRole('button', { name: 'Move to Won' }))
  await expect(page.getByRole('button', { name: 'Stage of Winnie Arrival: Won' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit value: $900' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/leads/${reference}`))
  expect(clicks).toBeLessThanOrEqual(12)
})

test('stage cards count every stage, also while the list shows one', async ({ page }) => {
  await signInAsOwner(page)
  await addLeads(page, ['Pair Count A', 'Pair Count B', 'Pair Count C'])
  await openDesk(page, 'q=pair+count')
  const cards = page.getByRole('navigation', { name: 'Stages' })
  const card = (name: RegExp) => cards.getByRole('link', { name })
  await page.getByRole('checkbox', { name: 'Select Pair Count A' }).check()
  await page.keyboard.press('e')
  await page.getByRole('combobox', { name: 'Stage' }).selectOption('Qualified')
  await page.getByRole('button', { name: 'Change stage' }).click()
  await expect(card(/^Qualified/)).toContainText('1')
  await card(/^Qualified/).click()
  await expect(page.getByRole('row', { name: /Pair Count/ })).toHaveCount(1)
  await expect(card(/^New/)).toContainText('2')
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1 lead')
})
