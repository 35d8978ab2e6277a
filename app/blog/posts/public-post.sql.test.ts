import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { makePost, makeUser } from '#test/factories.ts'
import { listPublicPosts, listPublicTags, publicPostDates } from './post-listing.server.ts'
import { findPublicPost, neighboursOf, relatedPosts, wasRemoved } from './public-post.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)
beforeEach(async () => void (await db.deleteFrom('posts').execute()))

const day = (date: number) => new Date(Date.UTC(2026, 9, date))
const slugs = (posts: { slug: string }[]) => posts.map(({ slug }) => slug)
const tomorrow = () => new Date(Date.now() + 86_400_000)

/** Creates one hidden post of each kind. */
async function makeHidden() {
  await makePost({ slug: 'draft', published: false, tags: ['prices'] })
  await makePost({ slug: 'waiting', publishedAt: tomorrow(), tags: ['prices'] })
  await makePost({ slug: 'removed', removedAt: new Date(), wasPublic: true, tags: ['prices'] })
  await makePost({ slug: 'never-shown', removedAt: new Date(), tags: ['prices'] })
}

test('drafts, posts that wait for their time and removed ones are found in no way', async () => {
  await makeHidden()
  const shown = await makePost({ slug: 'shown', tags: ['prices'] })

  expect((await findPublicPost('shown'))?.id).toBe(shown.id)
  for (const slug of ['draft', 'waiting', 'removed', 'never-shown', 'unknown']) expect(await findPublicPost(slug)).toBeUndefined()
  for (const asked of [{}, { tag: 'prices' }, { q: 'prices' }]) {
    const { posts, total } = await listPublicPosts(asked)
    expect([slugs(posts), total]).toEqual([['shown'], 1])
  }
  expect(await listPublicTags()).toEqual([{ tag: 'prices', posts: 1 }])
  expect(slugs(await publicPostDates())).toEqual(['shown'])
  expect(await relatedPosts({ id: shown.id, tags: ['prices'] })).toEqual([])
  expect(await neighboursOf({ id: shown.id, publishedAt: new Date('2026-10-01T08:00:00Z') })).toEqual({
    previous: undefined,
    next: undefined,
  })
})

test('only what the public could read is gone for good', async () => {
  await makeHidden()
  expect(await Promise.all(['removed', 'never-shown', 'draft', 'unknown'].map(wasRemoved))).toEqual([true, false, false, false])
})

test('a post comes with what was made of it and how its writer calls themselves, but nothing for staff', async () => {
  const writer = await makeUser({ userMetadata: JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace' }) })
  await makePost({ slug: 'shown', authorId: writer.id, headings: JSON.stringify([{ id: 'why', depth: 2, title: 'Why' }]) })

  const post = await findPublicPost('shown')
  expect(post).toMatchObject({
    author: { name: 'Ada Lovelace', picture: null },
    html: '<p>Every <strong>morning</strong>.</p>',
    words: 2,
    headings: [{ id: 'why' }],
  })
  expect(post).not.toHaveProperty('search')
  await db.deleteFrom('users').where('id', '=', writer.id).execute()
  expect((await findPublicPost('shown'))?.author).toBeNull()
})

test('the listing is in pages, newest first; posts of one moment keep their order', async () => {
  for (let at = 1; at <= 26; at += 1) await makePost({ slug: `post-${at}`, publishedAt: day(1 + Math.floor(at / 5)) })
  const pages = [await listPublicPosts({}), await listPublicPosts({ page: 2 }), await listPublicPosts({ page: 3 })]

  expect(pages.map(({ posts, total, pages: count }) => [posts.length, total, count])).toEqual([
    [12, 26, 3],
    [12, 26, 3],
    [2, 26, 3],
  ])
  expect(pages.flatMap(({ posts }) => slugs(posts))).toEqual(Array.from({ length: 26 }, (_, at) => `post-${26 - at}`))
  expect((await listPublicPosts({ page: 4 })).posts).toEqual([])
})

test('a search means every word of it, anywhere in title, excerpt and content', async () => {
  await makePost({ slug: 'one', title: 'Robots and the law', content: 'About 100% of courts.' })
  await makePost({ slug: 'two', title: 'Prices', excerpt: 'What the LAW says' })
  const found = async (q: string) => slugs((await listPublicPosts({ q })).posts).toSorted()

  expect(await found('law')).toEqual(['one', 'two'])
  expect(await found('law robots')).toEqual(['one'])
  expect(await found('100%')).toEqual(['one'])
  expect(await found('%')).toEqual([])
})

test('previous and next follow the time of publication, also within one moment', async () => {
  for (const slug of ['a', 'b', 'c']) await makePost({ slug, publishedAt: day(3) })
  await makePost({ slug: 'oldest', publishedAt: day(1) })
  const around = async (slug: string) => {
    const post = await findPublicPost(slug)
    const { previous, next } = await neighboursOf({ id: post?.id ?? '', publishedAt: post?.publishedAt ?? day(1) })
    return [previous?.slug, next?.slug]
  }
  expect(await Promise.all(['oldest', 'a', 'b', 'c'].map(around))).toEqual([
    [undefined, 'a'],
    ['oldest', 'b'],
    ['a', 'c'],
    ['b', undefined],
  ])
})

test('related posts share tags, the most first', async () => {
  const post = await makePost({ tags: ['law', 'prices', "O'Neil, {x}"] })
  await makePost({ slug: 'one-tag', tags: ['law', 'other'], publishedAt: day(9) })
  await makePost({ slug: 'two-tags', tags: ['law', "O'Neil, {x}"], publishedAt: day(2) })
  await makePost({ slug: 'unrelated', tags: ['files'], publishedAt: day(9) })
  expect(slugs(await relatedPosts(post))).toEqual(['two-tags', 'one-tag'])
  expect(slugs((await listPublicPosts({ tag: "O'Neil, {x}" })).posts)).toContain('two-tags')
})

test('for crawlers, a post changed when it was published or when its words changed, whichever came later', async () => {
  await makePost({ slug: 'edited', publishedAt: day(1), updatedAt: day(5) })
  await makePost({ slug: 'was-waiting', publishedAt: day(4), updatedAt: day(2) })
  expect((await publicPostDates()).map(({ slug, changedAt }) => [slug, changedAt])).toEqual([
    ['was-waiting', day(4)],
    ['edited', day(5)],
  ])
})
