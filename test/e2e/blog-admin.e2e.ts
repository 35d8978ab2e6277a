import type { Locator, Page } from '@playwright/test'
import { atLength } from '#test/length.ts'
import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { enterAsOwner, signInAsOwner } from './steps.ts'

const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const edited = (page: Page) => page.getByRole('form', { name: 'Edit Blog Post' })
/** The editor, not the plain field that it replaces after loading. */
const content = (form: Locator) => form.getByRole('textbox', { name: 'Content' }).and(form.locator('.cm-content'))
const rowOf = (page: Page, name: string) => page.getByRole('table', { name: 'Posts' }).getByRole('row').filter({ hasText: name })
/** A badge or a text of a row; the other one is for narrow windows. */
const shownIn = (row: Locator, text: string) => row.getByText(text, { exact: true }).filter({ visible: true })
const title = (form: Locator) => form.getByLabel('Title', { exact: true })

test('staff write a post by keyboard, preview it, publish it, move it and delete it', async ({ page }) => {
  await enterAsOwner(page, '/admin/blog')
  await page.getByRole('button', { name: 'New Post' }).click()
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await expect(title(form)).toBeFocused()
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('region', { name: 'Errors to correct' })).toContainText('Please correct 3 things')
  await expect(title(form)).toBeFocused()
  await expectSound(page)
  // A refused post is not published by the next press of another button.
  await form.getByRole('button', { name: 'Publish' }).click()
  await expect(form.getByRole('button', { name: 'Publish' })).toBeVisible()
  await expect(form.getByRole('switch', { name: 'Published' })).not.toBeChecked()

  await title(form).focus()
  await page.keyboard.type('How Often Should Prices Be Read?')
  await expect(form.getByLabel('Slug')).toHaveValue('how-often-should-prices-be-read')
  await expect(form.getByLabel('Slug')).not.toHaveAttribute('aria-invalid', 'true')
  // Tab moves through the editor like through other fields, and Escape moves to its toolbar.
  await expect(form.locator('.cm-content')).toBeVisible()
  for (let stops = 0; stops < 7 && !(await isFocused(content(form))); stops += 1) await page.keyboard.press('Tab')
  // There is room for the settings or for the preview.
  await form.getByRole('button', { name: 'Side by side' }).press('Enter')
  await expect(form.getByRole('complementary', { name: 'Settings' })).toBeHidden()
  await title(form).press('Enter')
  await expect(content(form)).toBeFocused()
  await page.keyboard.type('Once a day is ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('enough')
  await expect(form.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('enough')
  await expect(form.getByText('5 words, 1 min read')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form.getByRole('button', { name: 'Bold' })).toBeFocused()
  await useSlashMenu(page, form)
  await form.getByRole('button', { name: 'Settings' }).press('Enter')
  await form.getByLabel('Tags').fill(' prices,, web scraping ,a,b')
  await form.getByRole('switch', { name: 'Published' }).press('Space')
  await expect(form.getByText('Publishes the post for everyone.')).toBeVisible()
  await form.getByRole('button', { name: 'Create' }).press('Enter')
  await expect(notice(page).getByText('Blog post created successfully')).toBeVisible()

  const post = rowOf(page, 'How Often Should Prices Be Read?')
  await expect(shownIn(post, 'Published')).toBeVisible()
  await expect(shownIn(post, '/blog/how-often-should-prices-be-read')).toBeVisible()
  await expect(post.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText(['prices', 'web scraping', 'a'])
  await expectSound(page)
  const opening = page.waitForEvent('popup')
  await post.getByRole('link', { name: 'View How Often Should Prices Be Read? in a new tab' }).click()
  const reader = await opening
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('How Often Should Prices Be Read?')
  await expect(reader.locator('.prose strong')).toHaveText('enough')

  await post.getByRole('link', { name: /^Edit/ }).click()
  await edited(page).getByLabel('Slug').fill('how-often')
  await expect(edited(page).getByText('/blog/how-often-should-prices-be-read will redirect (301) to the new URL')).toBeVisible()
  await edited(page).getByRole('button', { name: 'Update' }).click()
  await expect(notice(page).getByText('Blog post updated successfully')).toBeVisible()

  await post.getByRole('button', { name: /^Delete/ }).click()
  const asking = page.getByRole('dialog', { name: 'Are you sure you want to delete this blog post?' })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await post.getByRole('button', { name: /^Delete/ }).click()
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(notice(page).getByText('Blog post deleted successfully')).toBeVisible()
  await expect(post).toHaveCount(0)
  expect((await page.request.get('/blog/how-often')).status()).toBe(410)
  await page.keyboard.press('Control+z')
  await expect(notice(page).getByText('Undone')).toBeVisible()
  await expect(shownIn(post, 'Published')).toBeVisible()
  expect((await page.request.get('/blog/how-often')).status()).toBe(200)
})

test('on a phone, the form of a post and the list after it begin at their top', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 560 })
  await signInAsOwner(page)
  for (let count = 1; count <= 12; count += 1) {
    const data = { title: `Tall ${count}`, slug: `tall-${count}`, content: 'One line.\n\n'.repeat(40), published: false }
    expect((await page.request.post('/api/blog', { headers: { origin: site.url }, data })).status()).toBe(201)
  }
  await page.goto('/admin/blog?q=tall')
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY))
  await page.getByRole('button', { name: 'More actions for Tall 1', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = edited(page)
  await expect(title(form)).toBeVisible()
  await expect.poll(scrolled).toBe(0)
  await content(form).click()
  await page.keyboard.type('More. ')
  await form.getByRole('button', { name: 'Settings' }).click()
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await sheet.getByLabel('Tags').fill('tall')
  await expectSound(page)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
  const save = form.getByRole('button', { name: 'Update' })
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect(await scrolled()).toBeGreaterThan(100)
  await save.click()
  await expect(page.getByRole('table', { name: 'Posts' })).toBeVisible()
  await expect.poll(scrolled).toBe(0)
})

test('one post is created and deleted by the requests that the API describes, and a failure says what the server said', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/blog(\/[\da-f-]{36})?(\/(restore|undo))?$/.test(pathname) && !/^(GET|HEAD)$/.test(request.method()))
      calls.push(`${request.method()} ${pathname} ${request.headers()['idempotency-key'] ?? ''}`.trim())
  })
  await enterAsOwner(page, '/admin/blog')
  await page.getByRole('button', { name: 'New Post' }).click()
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await title(form).fill('One call, one post')
  await expect(form.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  const id = new URL(page.url()).searchParams.get('edit') ?? ''
  await content(form).click()
  await page.keyboard.type('Every morning.')

  const refusal = { status: 503, contentType: 'application/problem+json', body: problemText }
  await page.route('**/api/blog', (route) => (route.request().method() === 'POST' ? route.fulfill(refusal) : route.continue()))
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Error creating blog post')).toBeVisible()
  await expect(notice(page).getByText('The database is restarting.')).toBeVisible()
  await page.unroute('**/api/blog')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Blog post created successfully')).toBeVisible()
  expect(calls).toEqual([`POST /api/blog ${id}`, `POST /api/blog ${id}`])

  calls.length = 0
  const post = rowOf(page, 'One call, one post')
  await page.route(`**/api/blog/${id}`, (route) => (route.request().method() === 'DELETE' ? route.fulfill(refusal) : route.continue()))
  const remove = async () => {
    await post.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  }
  await remove()
  await expect(notice(page).getByText('Error deleting blog post')).toBeVisible()
  await expect(notice(page).getByText('The database is restarting.')).toBeVisible()
  await expect(post).toBeVisible()
  await page.unroute(`**/api/blog/${id}`)
  await remove()
  await expect(notice(page).getByText('Blog post deleted successfully')).toBeVisible()
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect(post).toBeVisible()
  expect(calls).toEqual([`DELETE /api/blog/${id}`, `DELETE /api/blog/${id}`, `POST /api/blog/${id}/restore`])
})

test('a scheduled post says when it will be published, in the list and in its history', async ({ page }) => {
  await enterAsOwner(page, '/admin/blog')
  const payload = { title: 'Next year', slug: 'next-year', content: 'Soon.', published: true, publishedAt: '2099-01-05T09:30:00Z' }
  const created = await page.request.post('/api/blog', { data: payload, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(created.status()).toBe(201)
  await page.reload()
  const post = rowOf(page, 'Next year')
  await expect(shownIn(post, 'Scheduled')).toBeVisible()
  await expect(shownIn(post, 'Jan 5, 2099, 09:30')).toBeVisible()
  await post.getByRole('link', { name: /^Edit/ }).click()
  await page.getByRole('button', { name: 'History' }).click()
  const version = page.getByRole('dialog', { name: 'History' }).getByRole('listitem').first()
  await expect(version).toContainText('Scheduled')
  await expect(version).toContainText('Jan 5, 2099, 09:30')
  await expect(version).not.toContainText('Published')
})

const problemText = JSON.stringify({
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The database is restarting.',
  message: 'The database is restarting.',
})

/** Inserts a quote by name, hides and shows the preview, and fills the window with the form; all by keyboard. */
async function useSlashMenu(page: Page, form: Locator) {
  await content(form).focus()
  await page.keyboard.press('Control+End')
  const choose = async (typed: string, name: string) => {
    await page.keyboard.type(`\n\n/${typed}`)
    await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName(name)
    await page.keyboard.press('Enter')
  }
  const preview = form.getByRole('region', { name: 'Preview' })
  await choose('ta', 'Table')
  await page.keyboard.type('Shop')
  await expect(preview.getByRole('columnheader')).toHaveText(['Shop', 'Column'])
  await page.keyboard.press('Control+End')
  await choose('h2', 'Heading')
  await page.keyboard.type('Readers')
  await page.keyboard.type('\n\n/')
  await expect(page.getByRole('option')).toHaveCount(10)
  await expectSound(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(content(form)).toBeFocused()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('/li')
  await page.getByRole('option', { name: 'Numbered list' }).click()
  await page.keyboard.type('First')
  await expect(preview.locator('ol li')).toHaveText(['First'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await choose('quo', 'Quote')
  await page.keyboard.type('Said by a reader')
  await expect(preview.locator('blockquote')).toHaveText('Said by a reader')
  await form.getByRole('button', { name: 'Write' }).press('Enter')
  await expect(preview).toBeHidden()
  await form.getByRole('button', { name: 'Preview', exact: true }).press('Enter')
  await expect(preview).toBeVisible()
  await expect(content(form)).toBeHidden()
  await form.getByRole('button', { name: 'Side by side' }).press('Enter')

  await form.getByRole('button', { name: 'Full screen' }).press('Enter')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect.poll(async () => (await form.boundingBox())?.height).toBe(height)
  expect((await form.boundingBox())?.width).toBe(width)
  await expectSound(page)
  await page
    .getByRole('button', { name: 'New Post' })
    .or(page.getByRole('link', { name: 'Blog' }))
    .first()
    .focus()
  await expect(form.getByRole('button', { name: 'Full screen' })).toBeVisible()
}

test('staff list twelve posts without scrolling', async ({ page, site }) => {
  await signInAsOwner(page)
  for (let count = 1; count <= 12; count += 1) {
    const data = { title: `Post ${count}`, slug: `post-${count}`, content: 'Text', tags: ['one', 'two', 'three', 'four'], published: true }
    expect((await page.request.post('/api/blog', { headers: { origin: site.url }, data })).status()).toBe(201)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/admin/blog')
  const rows = page.getByRole('table', { name: 'Posts' }).getByRole('row', { name: /Post \d/ })
  await expect(rows.nth(11)).toBeInViewport({ ratio: 1 })
  await expectSound(page)
})

test('staff select posts by keyboard, publish, tag and delete them at once, undo that, and save the filters of the list', async ({
  page,
  site,
}) => {
  await signInAsOwner(page)
  for (const name of ['First', 'Second', 'Third']) {
    const data = { title: `${name} part`, slug: name.toLowerCase(), content: 'Text', tags: ['series'], published: false }
    expect((await page.request.post('/api/blog', { headers: { origin: site.url }, data })).status()).toBe(201)
  }
  await page.goto('/admin/blog')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const statusForReaders = async (slug: string) => (await fetch(`${site.url}/blog/${slug}`)).status
  const select = async (name: string) => page.getByRole('checkbox', { name: `Select ${name} part` }).press('Space')
  await select('First')
  await select('Third')
  await expect(bar).toContainText('2 selected')
  await expectSound(page)
  await bar.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
  await expect(notice(page).getByText('2 posts published')).toBeVisible()
  await expect(bar).toBeHidden()
  // The bar is gone with the focus, which is in the list again.
  await expect(page.locator('tr :focus')).toHaveCount(1)
  await expect(shownIn(rowOf(page, 'First part'), 'Published')).toBeVisible()
  await expect(shownIn(rowOf(page, 'Second part'), 'Draft')).toBeVisible()
  expect(await statusForReaders('third')).toBe(200)
  await page.keyboard.press('Control+z')
  await expect(shownIn(rowOf(page, 'Third part'), 'Draft')).toBeVisible()
  expect(await statusForReaders('third')).toBe(404)

  await select('First')
  await select('Second')
  await bar.getByRole('button', { name: 'Tag', exact: true }).press('Enter')
  const tagging = page.getByRole('dialog', { name: 'Tag 2 posts' })
  await tagging.getByRole('button', { name: 'Add tag' }).click()
  await expect(tagging.getByText('Enter a tag')).toBeVisible()
  await tagging.getByLabel('Tag').fill('nights')
  await page.keyboard.press('Enter')
  await expect(notice(page).getByText('2 posts tagged nights')).toBeVisible()
  await rowOf(page, 'First part').getByRole('link', { name: 'nights' }).press('Enter')
  await expect(page).toHaveURL('/admin/blog?tag=nights')
  await expect(rowOf(page, 'Third part')).toHaveCount(0)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter')
  const saving = page.getByRole('dialog', { name: 'Save this view' })
  await expect(saving).toBeVisible()
  await page.keyboard.press('Escape')
  // The dialog gives the focus back to the menu that opened it.
  await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter')
  await saving.getByLabel('Name').fill('About nights')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Remove the filter: tag nights' }).press('Enter')
  await expect(rowOf(page, 'Third part')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'About nights' }).press('Enter')
  await expect(page).toHaveURL('/admin/blog?tag=nights')
  await page.keyboard.press('Escape')

  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).press('Space')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  const asking = page.getByRole('dialog', { name: 'Are you sure you want to delete these blog posts?' })
  await expect(asking.getByText('First part')).toBeVisible()
  await expectSound(page)
  await asking.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(notice(page).getByText('2 posts deleted')).toBeVisible()
  await expect(page.getByText('No matches')).toBeFocused()
  await notice(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(rowOf(page, 'Second part')).toBeVisible()

  await page.getByRole('button', { name: 'Columns' }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Words' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Words' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Words' })).toBeVisible()
  await expectSound(page)
})

test('staff paste an image, describe it, insert it, and readers see it as in the preview', async ({ page }) => {
  await enterAsOwner(page, '/admin/blog?new=post')
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await expect(form.locator('.cm-content')).toBeVisible()
  await title(form).fill('A picture')
  await form.getByRole('button', { name: 'Side by side' }).click()
  await content(form).click()
  await page.keyboard.type('## Seen')
  await content(form).evaluate(pastePicture)

  const picker = page.getByRole('dialog', { name: 'Images' })
  await expect(picker.getByLabel('Alt text')).toBeVisible()
  await picker.getByRole('button', { name: 'Use image' }).click()
  await expect(picker.getByText('Alt text is required')).toBeVisible()
  await expect(picker.getByLabel('Alt text')).toBeFocused()
  await expectSound(page)
  await page.keyboard.type('One point')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveCount(0)
  await expect(content(form)).toBeFocused()
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('img', { name: 'One point' })).toBeVisible()
  await expect(preview.locator('h2 a')).toHaveCSS('text-decoration-line', 'none')
  await pasteDocument(page, form)

  await form.getByRole('button', { name: 'Settings' }).click()
  await form.getByRole('button', { name: 'Choose an image' }).click()
  await picker.getByRole('button', { name: 'point.png' }).click()
  await picker.getByRole('button', { name: 'Use image' }).click()
  await expect(form.getByLabel('Alt text')).toHaveValue('One point')
  await form.getByLabel('Alt text').fill('A point above the post')
  await form.getByRole('switch', { name: 'Published' }).press('Space')
  await form.getByRole('button', { name: 'Create' }).press('Enter')
  await expect(notice(page).getByText('Blog post created successfully')).toBeVisible()
  await page.goto('/blog/a-picture')
  await expect(page.getByRole('img', { name: 'One point' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'A point above the post' })).toBeVisible()
  await expect(page.getByText('by Olive Owner').first()).toBeVisible()
  const shared = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? ''
  expect((await page.request.get(new URL(shared).pathname)).headers()['content-type']).toBe('image/jpeg')
  await expect(page.locator('.prose h2 a')).toHaveCSS('text-decoration-line', 'none')
})

test('a new post is a draft on the server from its first words on, also after a time offline and in a second window', async ({
  page,
  context,
}) => {
  await enterAsOwner(page, '/admin/blog')
  await page.getByRole('button', { name: 'New Post' }).click()
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await title(form).fill('Prices at night')
  await expect(form.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await expect(page).toHaveURL(/\?edit=[\da-f-]{36}$/)
  await page.reload()
  await expect(title(form)).toHaveValue('Prices at night')
  await expectSound(page)

  const second = await context.newPage()
  await second.goto(page.url())
  await title(second.getByRole('form')).fill('Prices at noon')
  await expect(second.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  // The refused save shows the other draft, without the next check for it.
  await page.route('**/draft', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
  await title(form).fill('Prices in the morning')
  await expect(page.getByText(/^You, in another window, changed this draft/)).toBeVisible()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('dialog', { name: 'Two drafts of this post' }).getByRole('button', { name: 'Use mine' }).click()
  await page.unroute('**/draft')
  await expect(form.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await second.close()

  await form.getByRole('button', { name: 'Side by side' }).click()
  await content(form).click()
  await page.keyboard.type('A **nightly** look')
  await expect(form.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('nightly')
  await expect(form.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await context.setOffline(true)
  await title(form).fill('Prices in the morning, offline')
  await expect(form.getByText('Offline: kept on this device, will be sent')).toBeVisible()
  await expectRefusalOffline(page, form)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Keep this draft?' }).getByRole('button', { name: 'Save draft' }).click()
  const unsent = page.getByRole('list', { name: 'Drafts on this device' })
  await expect(unsent.getByRole('link', { name: 'Prices in the morning, offline' })).toBeVisible()
  await context.setOffline(false)
  await expect(unsent).toHaveCount(0)
  const draft = rowOf(page, 'Prices in the morning, offline')
  await expect(shownIn(draft, 'Draft')).toBeVisible()
  await expectSound(page)

  await page.getByRole('button', { name: 'New Post' }).click()
  await title(form).fill('x')
  await expect(form.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await title(form).fill('')
  await page.goBack()
  await expect(draft).toBeVisible()
  await expect(page.getByText('Untitled draft')).toHaveCount(0)
  await draft.getByRole('link', { name: /^Edit/ }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Keep this draft?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(notice(page).getByText('Draft discarded')).toBeVisible()
  await notice(page).getByRole('button', { name: 'Undo' }).click()
  await expect(draft.getByRole('link', { name: /^Edit/ })).toBeVisible()
})

test('drafts survive, and two editors of one post never overwrite each other unseen', async ({ page, browser, site }) => {
  await signInAsOwner(page)
  const made = await page.request.post('/api/blog', {
    headers: { origin: site.url },
    data: { title: 'Shared', slug: 'shared', content: 'First words', published: true },
  })
  expect(made.status()).toBe(201)
  const { id } = await made.json()
  await page.goto(`/admin/blog?edit=${id}`)
  await expect(edited(page).locator('.cm-content')).toBeVisible()
  await content(edited(page)).fill('First words, kept by the draft')
  await expect(edited(page).getByText(/^Draft saved \d\d:\d\d$/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This draft is newer than the published post' })).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Continue with the draft' }).click()
  await expect(content(edited(page))).toHaveText('First words, kept by the draft')
  expect((await (await page.request.get('/api/blog/shared')).json()).content).toBe('First words')

  const other = await (await browser.newContext({ baseURL: site.url })).newPage()
  await signInAsOwner(other)
  await other.goto(`/admin/blog?edit=${id}`)
  await other.getByRole('button', { name: 'Discard and edit the published post' }).click()
  await content(edited(other)).fill('Words of another')
  await edited(other).getByRole('button', { name: 'Update' }).click()
  await expect(notice(other).getByText('Blog post updated successfully')).toBeVisible()

  await title(edited(page)).fill('Shared by both')
  await edited(page).getByRole('button', { name: 'Update' }).click()
  await expect(notice(page).getByText('Error updating blog post').first()).toBeVisible()
  const both = page.getByRole('dialog', { name: 'Someone else saved this post' })
  await expect(both.getByRole('textbox', { name: 'Their text' })).toHaveText('Words of another')
  await expectSound(page)
  await both.getByRole('button', { name: 'Overwrite with mine' }).click()
  await expect(notice(page).getByText('Blog post updated successfully')).toBeVisible()
  expect(await (await page.request.get('/api/blog/shared')).json()).toMatchObject({ title: 'Shared by both', version: 3 })

  await page.getByRole('link', { name: 'Edit Shared by both' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await history.getByRole('button', { name: 'Compare version 2 with now' }).click()
  await expect(history.getByText('Words of another')).toBeVisible()
  await expectSound(page)
  await history.getByRole('button', { name: 'Restore version 2' }).click()
  await expect(content(edited(page))).toHaveText('Words of another')
  expect((await (await page.request.get('/api/blog/shared')).json()).version).toBe(3)

  await page.getByRole('button', { name: 'Preview links' }).click()
  const links = page.getByRole('dialog', { name: 'Preview links' })
  await links.getByRole('button', { name: 'Create link' }).click()
  await expect(links.getByLabel('New link')).toHaveValue(/\/blog\/preview\/[\w-]{40,}$/)
  await links.getByRole('button', { name: /^Revoke/ }).click()
  await expect(links.getByText('No active links.')).toBeVisible()
  await links.getByRole('button', { name: 'Close' }).click()
  await edited(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Edit Shared by both' })).toBeVisible()
})

/** Offline a post cannot be created: that is said, the button is itself again, and the preview keeps what it showed. */
async function expectRefusalOffline(page: Page, form: Locator) {
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview.locator('strong')).toHaveText('nightly')
  await content(form).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(', offline')
  await expect(preview.getByText('We couldn’t update the preview. It retries when you type.')).toBeVisible()
  await expect(preview.locator('strong')).toHaveText('nightly')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(notice(page).getByText('Error creating blog post')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Create', exact: true })).toBeEnabled()
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found === document.activeElement)
}

/** A document keeps its form and loses its pictures, one undo takes it back whole, and a block of code takes its plain text. */
async function pasteDocument(page: Page, form: Locator) {
  const preview = form.getByRole('region', { name: 'Preview' })
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('elsewhere.example') && asked.push(request.url())))
  const written = {
    'text/html': `<b style="font-weight:normal"><h1>Shops</h1><ul><li>North<ul><li>Gate</li></ul></li></ul>
      <table><tr><td><p>Shop</p></td><td><p>Price</p></td></tr><tr><td>North</td><td>12</td></tr></table>
      <p>See <a href="https://shop.example/">the <i>shop</i></a><img src="https://elsewhere.example/a.png"><script>fetch('https://elsewhere.example/')</script></p></b>`,
    'text/plain': 'Shops North Gate',
  }
  await content(form).evaluate(pasteText, written)
  await expect(preview.locator('h2').last()).toHaveText('Shops')
  await expect(preview.locator('ul ul li')).toHaveText('Gate')
  await expect(preview.getByRole('columnheader')).toHaveText(['Shop', 'Price'])
  await expect(preview.getByRole('link', { name: 'the shop' }).locator('em')).toHaveText('shop')
  await expect(notice(page).getByText('1 picture not pasted')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(preview.locator('h2')).toHaveText(['Seen'])
  await expect(preview.getByRole('table')).toHaveCount(0)

  await page.keyboard.type('\n\n/code b')
  await page.getByRole('option', { name: 'Code block' }).click()
  await content(form).evaluate(pasteText, written)
  await expect(preview.locator('pre')).toHaveText('Shops North Gate')
  expect(asked).toEqual([])
}

/** Runs in the browser: pastes a text like a copied one. */
function pasteText(target: HTMLElement, written: Record<string, string>) {
  const clipboardData = new DataTransfer()
  for (const [type, text] of Object.entries(written)) clipboardData.setData(type, text)
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

/** Runs in the browser: pastes a generated picture like a copied one. */
async function pastePicture(target: HTMLElement) {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 40
  canvas.getContext('2d')?.fillRect(0, 0, 40, 40)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  const clipboardData = new DataTransfer()
  if (picture) clipboardData.items.add(new File([picture], 'point.png', { type: 'image/png' }))
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

test('a text typed without a pause on a slow computer arrives whole', atLength, async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  await enterAsOwner(page, '/admin/blog')
  await page.getByRole('button', { name: 'New Post' }).click()
  const form = page.getByRole('form', { name: 'Create New Blog Post' })
  await title(form).fill('Typed without a pause')
  await content(form).click()
  const slow = await page.context().newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const text = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
  await page.keyboard.type(text)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await expect(content(form)).toHaveText(text)
  await expect(page.getByText('30 words').first()).toBeVisible()
  expect(errors).toEqual([])
})
