import { expect, test } from 'vitest'
import { makePreviewLink } from '#app/blog/posts/preview-link.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makePost } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'

const app = await startApp()
const editor = newId()
const post = await makePost({ slug: 'not-yet', title: 'Not yet', published: false, publishedAt: null, html: '<p>Saved.</p>' })

const linkTo = async () => new URL((await makePreviewLink(post.id, 7, editor))?.url ?? '').pathname

test('a link shows the draft as it would look, with a word that it is one, and is kept nowhere', async () => {
  const fields = JSON.stringify({ title: 'Being written', content: '## Now\n\nTyped.' })
  await db.insertInto('postDrafts').values({ postId: post.id, fields, baseVersion: 1, editorId: editor }).execute()
  const path = await linkTo()
  const page = await readPage(app, path)

  expect(page.status).toBe(200)
  expect(page.text).toContain('Anyone with this link can read this draft.')
  expect(page.main).toMatch(/<h1[^>]*>Being written<.*<p>Typed.<\/p>/s)
  expect(page.meta('robots')).toBe('noindex')
  const { headers } = await app.inject(path)
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
  expect(headers.etag).toBeUndefined()
  expect((await readPage(app, '/blog/not-yet')).status).toBe(404)
})

test('a link that has expired, was taken back or was made up shows nothing', async () => {
  const path = await linkTo()
  await db
    .updateTable('postPreviews')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute()
  for (const url of [path, '/blog/preview/made-up', `/blog/preview/${'x'.repeat(3000)}`]) {
    const page = await readPage(app, url)
    expect([page.status, page.meta('robots')]).toEqual([404, 'noindex'])
    expect(page.text).toContain('This preview link has expired or was revoked.')
    expect(page.text).not.toMatch(/Being written|Not yet/)
  }
})
