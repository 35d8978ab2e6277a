import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import type { Post } from './post.ts'
import type { ChangedPosts } from './post-bulk.ts'

const app = await startEndpoints()
const [staff, owner, customer] = [await signIn('staff'), await signIn('owner'), await signIn('customer')]
beforeEach(async () => {
  await db.deleteFrom('posts').execute()
  await db.deleteFrom('redirects').execute()
})

type Headers = Record<string, string>
const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url: `/api/blog${url}`, headers, ...(payload && { payload }) })
const body = { title: 'Prices', content: 'Every morning.', tags: ['law'], published: true }
const create = async (slug: string, given: object = {}): Promise<Post> => (await send('POST', '', { ...body, slug, ...given })).json()
const change = async (payload: object, headers: Headers = staff.headers) => send('POST', '/bulk', payload, headers)
const undo = async (posts: object[], headers: Headers = staff.headers) => send('POST', '/bulk/undo', { posts }, headers)
const read = async (slug: string, headers: Headers = staff.headers) => send('GET', `/${slug}`, undefined, headers)
const statuses = async (...slugs: string[]) => Promise.all(slugs.map(async (slug) => (await read(slug, {})).statusCode))
const columns = async () =>
  db.selectFrom('posts').select(['slug', 'tags', 'published', 'publishedAt', 'removedAt']).orderBy('slug').execute()
const soon = new Date(Date.now() + 3_600_000).toISOString()

describe('happy', () => {
  test('drafts are published or scheduled by their dates, what is public already stays, and an undo restores exactly these', async () => {
    const [draft, planned, live] = [
      await create('draft', { published: false }),
      await create('planned', { published: false, publishedAt: soon }),
      await create('live'),
    ]
    const before = await columns()
    const reply = await change({ change: 'publish', ids: [draft.id, planned.id, live.id, newId()] })
    const { posts }: ChangedPosts = reply.json()
    expect(new Map(posts.map(({ id, version }) => [id, version]))).toEqual(new Map([draft, planned].map(({ id }) => [id, 2])))
    expect(posts.find(({ id }) => id === planned.id)).toMatchObject({ published: true, publishedAt: soon })
    expect(await statuses('draft', 'planned', 'live')).toEqual([200, 404, 200])
    expect((await undo(posts, owner.headers)).json()).toEqual({ restored: 2, left: 0 })
    expect(await columns()).toEqual(before)
    // The change and its undo are versions with their editors.
    const { items } = (await send('GET', `/${draft.id}/revisions`)).json()
    expect(items.map(({ published, editorId }: { published: boolean; editorId: string }) => [published, editorId])).toEqual([
      [false, owner.user.id],
      [true, staff.user.id],
      [false, staff.user.id],
    ])
  })

  test('several posts are unpublished, tagged, untagged and deleted, and an undo returns them', async () => {
    const [one, other] = [await create('one'), await create('other', { tags: ['law', 'prices'] })]
    const ids = [one.id, other.id]
    const before = await columns()
    const states: unknown[] = []
    for (const payload of [
      { change: 'unpublish', ids },
      { change: 'tag', tag: ' prices ', ids },
      { change: 'untag', tag: 'law', ids },
      { change: 'delete', ids },
    ]) {
      const { posts }: ChangedPosts = (await change(payload)).json()
      const { items } = (await send('GET', '?page=1')).json()
      states.push([posts.length, await statuses('one', 'other'), items.map(({ tags }: Post) => tags.join())])
      await undo(posts)
      expect(await columns()).toEqual(before)
    }
    expect(states).toEqual([
      [2, [404, 404], ['law,prices', 'law']],
      [1, [200, 200], ['law,prices', 'law,prices']],
      [2, [200, 200], ['prices', '']],
      [2, [410, 410], []],
    ])
  })

  test('the redirect that a publication took away is back after its undo', async () => {
    const moved = await create('first')
    await send('PUT', `/${moved.id}`, { ...body, slug: 'second' })
    const ways = async () => db.selectFrom('redirects').select(['id', 'fromPath', 'toPath', 'position']).orderBy('position').execute()
    const before = await ways()
    expect(before).toMatchObject([{ fromPath: '/blog/first', toPath: '/blog/second' }])
    const draft = await create('first', { published: false })
    const { posts }: ChangedPosts = (await change({ change: 'publish', ids: [draft.id] })).json()
    expect(await ways()).toEqual([])
    expect((await undo(posts)).json()).toEqual({ restored: 1, left: 0 })
    expect(await ways()).toEqual(before)
  })

  test('text and drafts stay as they are, and a post that was never saved can only be deleted', async () => {
    const { id } = await create('one')
    const begun = newId()
    await send('PUT', `/${id}/draft`, { fields: { title: 'Typed' }, baseVersion: 1 })
    await send('PUT', `/${begun}/draft`, { fields: { title: 'Begun' }, baseVersion: 0 })
    const { posts }: ChangedPosts = (await change({ change: 'tag', tag: 'new', ids: [id, begun] })).json()
    expect(posts.map((post) => post.id)).toEqual([id])
    expect((await send('GET', `/${id}/draft`)).json()).toMatchObject({
      postVersion: 2,
      draft: { fields: { title: 'Typed' }, baseVersion: 1 },
    })
    expect((await read('one')).json()).toMatchObject({ content: 'Every morning.', tags: ['law', 'new'] })
    const removal: ChangedPosts = (await change({ change: 'delete', ids: [begun] })).json()
    expect((await undo(removal.posts)).json()).toEqual({ restored: 1, left: 0 })
    expect((await send('GET', `/${begun}/draft`)).json()).toMatchObject({ postVersion: 0, draft: { fields: { title: 'Begun' } } })
  })
})

describe('error', () => {
  test('an undo leaves posts that have changed since, and those whose slug another post has', async () => {
    const [one, other] = [await create('one'), await create('other')]
    const tagged: ChangedPosts = (await change({ change: 'tag', tag: 'new', ids: [one.id, other.id] })).json()
    await send('PUT', `/${one.id}`, { ...body, slug: 'one', title: 'Costs' })
    expect((await undo(tagged.posts)).json()).toEqual({ restored: 1, left: 1 })
    expect((await read('one')).json()).toMatchObject({ title: 'Costs', version: 3 })
    expect((await undo(tagged.posts)).json()).toEqual({ restored: 0, left: 2 })
    const removed: ChangedPosts = (await change({ change: 'delete', ids: [one.id, other.id] })).json()
    await create('one')
    expect((await undo(removed.posts)).json()).toEqual({ restored: 1, left: 1 })
  })

  test('a post with the most tags gets no other one', async () => {
    const { id } = await create('one', { tags: Array.from({ length: 20 }, (_nothing, at) => `tag ${at}`) })
    expect((await change({ change: 'tag', tag: 'new', ids: [id] })).json()).toEqual({ posts: [] })
  })

  test('a request without posts, with too many, with an unknown change or an empty tag is refused', async () => {
    const ids = [newId()]
    const many = Array.from({ length: 201 }, () => newId())
    const refused = [
      { change: 'publish', ids: [] },
      { change: 'publish', ids: many },
      { change: 'publish', ids: ['x'] },
      { change: 'hide', ids },
      { change: 'tag', tag: ' ', ids },
      { change: 'tag', tag: 'x'.repeat(41), ids },
      { change: 'tag', ids },
    ]
    const replies = await Promise.all(refused.map((payload) => change(payload)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 422))
    expect((await undo([])).statusCode).toBe(422)
  })

  test('two changes of the same posts at the same moment both succeed, one after the other', async () => {
    const ids = [(await create('one')).id, (await create('other')).id]
    const replies = await Promise.all([
      change({ change: 'tag', tag: 'a', ids }),
      change({ change: 'tag', tag: 'b', ids: ids.toReversed() }),
    ])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await read('one')).json().tags.toSorted()).toEqual(['a', 'b', 'law'])
  })
})

describe('security', () => {
  test('only staff may, the log says who did, and no answer is stored', async () => {
    const { id } = await create('one')
    const refusals = await Promise.all(
      [{}, customer.headers].flatMap((headers) => [change({ change: 'delete', ids: [id] }, headers), undo([{ id, version: 1 }], headers)]),
    )
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([401, 401, 403, 403])
    const reply = await change({ change: 'unpublish', ids: [id] })
    expect(reply.headers['cache-control']).toBe('no-store')
    await undo(reply.json().posts)
    const events = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('action', 'like', 'posts_chang%').execute()
    expect(events).toEqual(
      expect.arrayContaining(['posts_changed', 'posts_change_undone'].map((action) => ({ action, actorId: staff.user.id }))),
    )
  })
})
