import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { removePost } from '#app/blog/posts/post.server.ts'
import { startApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { makePost } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'
import { scheduleFirstPosts } from './first-posts.server.ts'
import { rerenderPosts } from './rerender.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startApp()
beforeAll(openSignals)
afterAll(closeSignals)

const work = async (kind: string) => jobOf(kind).run({}, { id: '', attempt: 1, signal: new AbortController().signal })
const asked = async (kind: string) => (await db.selectFrom('jobs').select('id').where('kind', '=', kind).execute()).length

test('a fresh installation has three posts, each of them whole: contents, a table, code, words for the head', async () => {
  await scheduleFirstPosts()
  expect(await asked('blog.begin')).toBe(1)
  await work('blog.begin')

  const posts = await db.selectFrom('posts').selectAll().orderBy('publishedAt').execute()
  expect(posts.map(({ slug }) => slug)).toEqual(['is-web-scraping-legal', 'monitoring-competitor-prices', 'files-or-an-api'])
  for (const { slug, words, html, headings } of posts) {
    expect(words).toBeGreaterThanOrEqual(900)
    expect(words).toBeLessThanOrEqual(1500)
    expect(headings.length).toBeGreaterThan(5)
    expect(html).toContain('<table>')
    expect(html).toContain('<span class="code-')
    const page = await readPage(app, `/blog/${slug}`)
    expect([page.status, page.text.includes('min read')]).toEqual([200, true])
    expect(page.title.split(' | ')[0]?.length).toBeLessThanOrEqual(60)
    expect(page.meta('description')?.length).toBeLessThanOrEqual(170)
  }
})

test('deleted sample posts are not created again', async () => {
  const { id } = await db.selectFrom('posts').select('id').where('slug', '=', 'files-or-an-api').executeTakeFirstOrThrow()
  await removePost(id)
  await work('blog.begin')
  const before = await asked('blog.begin')
  await scheduleFirstPosts()

  expect(await asked('blog.begin')).toBe(before)
  await eventually(async () => expect((await readPage(app, '/blog/files-or-an-api')).status).toBe(410))
  expect((await readPage(app, '/blog')).text).not.toContain('Files or an API')
})

test('posts of an older rendering are rendered anew, and readers see it', async () => {
  await makePost({ slug: 'stale', content: '**new**', html: '<p>old</p>', rendering: 0 })
  expect((await readPage(app, '/blog/stale')).main).toContain('<p>old</p>')
  await rerenderPosts()
  expect(await asked('blog.render')).toBe(1)
  await work('blog.render')

  await eventually(async () => expect((await readPage(app, '/blog/stale')).main).toContain('<p><strong>new</strong></p>'))
  await rerenderPosts()
  expect(await asked('blog.render')).toBe(1)
})
