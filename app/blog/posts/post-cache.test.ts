import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { savePostDraft } from './draft.server.ts'
import { restoreRevision } from './revision.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { PageCache } from '#app/platform/page-cache/page-cache.server.ts'
import { closeSignals, onSignal, openSignals, signal } from '#app/platform/database/signals.server.ts'
import type { Post, PostBody } from './post.ts'
import { createPost, removePost, savePost } from './post.server.ts'
import { jobOf } from '#test/job.ts'

const writer = { id: newId(), role: 'staff' } as const
const body: PostBody = { title: 'Prices', slug: 'prices', content: 'Every morning.', tags: ['law'], published: true }
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

let cache: PageCache
beforeAll(async () => {
  await openDatabase()
  await openSignals()
})
afterAll(async () => {
  await closeSignals()
  await closeDatabase()
})
beforeEach(async () => {
  await db.deleteFrom('posts').execute()
  await db.deleteFrom('jobs').execute()
  cache?.close()
  cache = new PageCache()
})

/** Pages as the routes of the blog cache them. */
const pages = {
  '/blog': ['posts'],
  '/blog/prices': ['post-pages'],
  '/blog/costs': ['post-pages'],
  '/blog/other': ['post-pages'],
  '/about': [],
}

const render = async () => new Response('<p>A page</p>')

/** The pages that some work purges. */
async function forgottenBy(work: () => Promise<unknown>): Promise<string[]> {
  await untilTold()
  for (const [path, tags] of Object.entries(pages)) await cache.obtain(path, { tags }, render)
  const before = Object.keys(pages).map((path) => [path, cache.find(path)] as const)
  await work()
  await untilTold()
  return before.filter(([path, page]) => cache.find(path) !== page).map(([path]) => path)
}

/** Signals arrive in order, so all earlier ones have arrived with this one. */
async function untilTold() {
  const told = new Promise<void>((resolve) => void onSignal('told', () => resolve()))
  await signal('told')
  await told
}

const lists = ['/blog']
const all = ['/blog', '/blog/prices', '/blog/costs', '/blog/other']
const save = async (post: Post, change: Partial<PostBody>) => savePost(post.id, { ...body, ...change }, writer)

test('changes that readers do not see purge no page', async () => {
  let draft: Post | undefined
  expect(await forgottenBy(async () => (draft = await createPost({ ...body, published: false }, writer)))).toEqual([])
  if (!draft) throw new Error('There is no draft.')
  const { id } = draft
  expect(await forgottenBy(() => savePost(id, { ...body, published: false, content: 'Other' }, writer))).toEqual([])
  expect(await forgottenBy(() => savePost(id, { ...body, publishedAt: inHours(2) }, writer))).toEqual([])
  expect(await forgottenBy(() => removePost(id))).toEqual([])

  const post = await createPost(body, writer)
  expect(await forgottenBy(() => savePostDraft(post.id, { fields: { title: 'Costs' }, baseVersion: 1 }, writer.id, undefined))).toEqual([])
  const { version } = await db.selectFrom('postDrafts').select('version').executeTakeFirstOrThrow()
  expect(await forgottenBy(() => restoreRevision(post.id, 1, writer.id, version))).toEqual([])
  expect(await forgottenBy(() => save(post, {}))).toEqual([])
})

test('visible changes purge the pages that show the post, and those that name it if its name changed', async () => {
  const post = await createPost({ ...body, published: false }, writer)
  expect(await forgottenBy(() => save(post, {}))).toEqual(all)
  expect(await forgottenBy(() => save(post, { excerpt: 'Every morning.', metaTitle: 'Prices of shops' }))).toEqual([
    ...lists,
    '/blog/prices',
  ])
  const owner = { id: newId(), role: 'owner' } as const
  const shown = { ...body, excerpt: 'Every morning.', metaTitle: 'Prices of shops' }
  expect(await forgottenBy(() => savePost(post.id, { ...shown, authorId: owner.id }, owner))).toEqual(all)
  expect(await forgottenBy(() => save(post, { ...shown, content: '## Every morning.' }))).toEqual(all)
  expect(await forgottenBy(() => save(post, { title: 'Costs' }))).toEqual(all)
  expect(await forgottenBy(() => save(post, { title: 'Costs', slug: 'costs' }))).toEqual(all)
  expect(await forgottenBy(() => save(post, { published: false, slug: 'costs' }))).toEqual(all)
  expect(await forgottenBy(() => save(post, { slug: 'costs' }))).toEqual(all)
  expect(await forgottenBy(() => removePost(post.id))).toEqual(all)
})

test('a refused change purges no page', async () => {
  const post = await createPost(body, writer)
  const other = await createPost({ ...body, slug: 'other' }, writer)
  expect(await forgottenBy(() => savePost(post.id, { ...body, title: 'Costs' }, writer, 9).catch(() => undefined))).toEqual([])
  expect(await forgottenBy(() => save(other, {}).catch(() => undefined))).toEqual([])
})

test('when the time of a post has come its pages are forgotten; a time that no longer counts changes nothing', async () => {
  const post = await createPost({ ...body, publishedAt: inHours(1) }, writer)
  const moved = await save(post, { publishedAt: inHours(2) })
  // Unpublished, then scheduled for the same time again.
  await save(post, { published: false })
  await save(post, {})
  const jobs = await db
    .selectFrom('jobs')
    .select(['kind', 'payload', 'runAt'])
    .where('kind', '=', 'posts.publish')
    .orderBy('runAt')
    .execute()
  expect(jobs.map(({ runAt }) => runAt.toISOString())).toEqual([post.publishedAt, moved?.publishedAt])

  const [early, late] = jobs.map(({ payload }) => async () => {
    await jobOf('posts.publish').run(payload, { id: newId(), attempt: 1, signal: new AbortController().signal })
  })
  if (!early || !late) throw new Error('Two jobs were to wait.')
  expect(await forgottenBy(early)).toEqual([])
  expect(await forgottenBy(late)).toEqual(all)
  await removePost(post.id)
  expect(await forgottenBy(late)).toEqual(all)
})

test('a change that meets the time of a post is seen by nobody late', async () => {
  const soon = new Date(Date.now() + 20_000).toISOString()
  const post = await createPost({ ...body, publishedAt: soon }, writer)
  expect(await forgottenBy(() => save(post, { publishedAt: soon, content: 'Other' }))).toEqual(all)
})
