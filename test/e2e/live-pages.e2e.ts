import { expect, workingTest as test } from './fixtures.ts'
import { expectSound } from './sound.ts'
import { signInAsOwner } from './steps.ts'

test.use({ viewport: { width: 1280, height: 844 } })

/** An export of one post, as WordPress writes it. */
const wxr = `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:wp="w"><channel><item><title>From before</title><link>https://old.example/from-before/</link>
<content:encoded><![CDATA[<p>Read <img src="https://old.example/wp-content/uploads/a.png" alt="A"></p>]]></content:encoded>
<wp:post_id>1</wp:post_id><wp:post_date_gmt>2024-05-01 08:30:00</wp:post_date_gmt><wp:post_name>from-before</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`

test('the Home menu can be hit at every width at which it is shown, and no header is wider than the window', async ({ page }) => {
  await signInAsOwner(page)
  for (const path of ['/dashboard', '/services', '/dev/mail']) {
    await page.goto(path)
    for (const width of [768, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      const box = await page.getByRole('button', { name: 'Home menu' }).boundingBox()
      expect.soft([path, width, Math.min(box?.width ?? 0, box?.height ?? 0) >= 24]).toEqual([path, width, true])
      expect.soft([path, width, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([path, width, true])
    }
  }
})

test('posts of WordPress are looked at, then imported, and their old addresses lead to them', async ({ page }) => {
  await signInAsOwner(page)
  await page.goto('/admin/blog')
  await page.getByRole('button', { name: /^Import/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Import posts' })
  await dialog.getByLabel('File').setInputFiles({ name: 'old.xml', mimeType: 'text/xml', buffer: Buffer.from(wxr) })
  await expect(dialog.getByText('1 new', { exact: true })).toBeVisible()
  await expect(dialog.getByText('301 from /from-before/')).toBeVisible()
  await expect(dialog.getByText('This image is not in the archive; its URL stays.')).toBeVisible()
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Import 1 post' }).click()
  await expect(dialog.getByRole('region', { name: 'Import report' })).toContainText('301 from /from-before/')
  await page.goto('/from-before/')
  await expect(page).toHaveURL('/blog/from-before')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('From before')
})
