import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makePost, signIn } from '#test/factories.ts'
import { jobOf } from '#test/job.ts'
import type { Post } from './post.ts'

const app = await startEndpoints()
const [staff, owner, customer] = [await signIn('staff'), await signIn('owner'), await signIn('customer')]
beforeEach(async () => {
  await db.deleteFrom('posts').execute()
  await db.deleteFrom('redirects').execute()
  await db.deleteFrom('jobs').execute()
})

type Headers = Record<string, string>
const article = { title: 'Prices of 40 shops', slug: 'prices-of-40-shops', content: 'Every **morning** at 6.\n\n## Why\n\nBecause.' }
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const get = async (url: string, headers: Headers = {}) => app.inject({ url: `/api/blog${url}`, headers })
const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url: `/api/blog${url}`, headers, ...(payload && { payload }) })
const create = async (given: object = {}): Promise<Post> => {
  const reply = await send('POST', '', { ...article, ...given })
  expect(reply.body).toContain('"version":1')
  return reply.json()
}
const slugs = (posts: Post[]) => posts.map(({ slug }) => slug)
const redirects = async () =>
  db.selectFrom('redirects').select(['fromPath', 'toPath', 'statusCode', 'isActive']).orderBy('position').execute()

describe('happy', () => {
  test('a draft is made, published, read by everybody, changed and removed', async () => {
    const made = await send('POST', '', { ...article, tags: [' law ', 'law', ''], metaTitle: ' ', authorId: newId() })
    expect(made.statusCode).toBe(201)
    expect(made.headers).toMatchObject({ etag: '"1"', 'cache-control': 'no-store' })
    const draft: Post = made.json()
    expect(draft).toMatchObject({
      tags: ['law'],
      metaTitle: null,
      published: false,
      publishedAt: null,
      version: 1,
      words: 6,
      readingMinutes: 1,
    })
    expect(draft).toMatchObject({ authorId: staff.user.id, excerpt: 'Every morning at 6. Because.', featuredImage: null })
    expect((await get('/prices-of-40-shops')).statusCode).toBe(404)

    const published: Post = (await send('PUT', `/${draft.id}`, { ...article, published: true })).json()
    expect(published).toMatchObject({ published: true, version: 2, authorId: staff.user.id })
    expect(Math.abs(Date.now() - Date.parse(published.publishedAt ?? ''))).toBeLessThan(HOUR_MS)
    const read = await get('/prices-of-40-shops')
    expect([read.statusCode, read.headers['etag']]).toEqual([200, '"2"'])
    expect(read.json()).toEqual(published)
    expect(slugs((await get('?published=true')).json())).toEqual(['prices-of-40-shops'])

    expect((await send('DELETE', `/${draft.id}`)).statusCode).toBe(204)
    expect((await get('/prices-of-40-shops')).statusCode).toBe(410)
    expect((await get('/prices-of-40-shops', staff.headers)).statusCode).toBe(410)
    expect((await get('')).json()).toEqual([])
    expect((await send('PUT', `/${draft.id}`, article)).statusCode).toBe(404)
    // Its slug is free again.
    expect((await send('POST', '', article)).statusCode).toBe(201)
  })

  test('the time of the first publication stays: unpublished and published again, it is the same', async () => {
    const { id, publishedAt } = await create({ published: true, publishedAt: '2026-03-01T08:00:00+01:00' })
    expect(publishedAt).toBe('2026-03-01T07:00:00.000Z')
    for (const change of [
      { published: false },
      { published: false, publishedAt: null },
      { published: true },
      { published: true, publishedAt: null },
    ]) {
      expect((await send('PUT', `/${id}`, { ...article, ...change })).json().publishedAt).toBe(publishedAt)
    }
  })

  test('a post with a time to come is public from then on; without the time, at once', async () => {
    const { id, publishedAt } = await create({ published: true, publishedAt: inHours(2) })
    expect((await get('/prices-of-40-shops')).statusCode).toBe(404)
    expect((await get('')).json()).toEqual([])
    const job = await db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    expect([job.kind, job.runAt.toISOString(), job.payload]).toEqual(['posts.publish', publishedAt, { postId: id, at: publishedAt }])

    await db.updateTable('posts').set({ publishedAt: new Date() }).execute()
    expect((await get('/prices-of-40-shops')).statusCode).toBe(200)
    await db
      .updateTable('posts')
      .set({ publishedAt: new Date(inHours(2)) })
      .execute()
    const now: Post = (await send('PUT', `/${id}`, { ...article, published: true, publishedAt: null })).json()
    expect(Date.parse(now.publishedAt ?? '')).toBeLessThan(Date.now() + HOUR_MS)
    expect((await get('/prices-of-40-shops')).statusCode).toBe(200)
  })

  test('the address of a post that was public leads to its new one, in one step, also back again', async () => {
    const { id } = await create({ published: true })
    const move = async (slug: string) => expect((await send('PUT', `/${id}`, { ...article, slug, published: true })).statusCode).toBe(200)
    const rule = (from: string, to: string) => ({ fromPath: `/blog/${from}`, toPath: `/blog/${to}`, statusCode: 301, isActive: true })
    await move('second')
    await move('third')
    expect(await redirects()).toEqual([rule('prices-of-40-shops', 'third'), rule('second', 'third')])
    await move('prices-of-40-shops')
    expect(await redirects()).toEqual([rule('second', 'prices-of-40-shops'), rule('third', 'prices-of-40-shops')])
  })

  test('a post that is published where another had moved away from is found there; a draft takes no address away', async () => {
    const { id } = await create({ published: true })
    await send('PUT', `/${id}`, { ...article, slug: 'second', published: true })
    const draft = await create()
    expect(await redirects()).toHaveLength(1)
    await send('PUT', `/${draft.id}`, { ...article, published: true })
    expect(await redirects()).toEqual([])
  })

  test('an address that another post had moved away from leads there until a scheduled post is public', async () => {
    const { id } = await create({ published: true })
    await send('PUT', `/${id}`, { ...article, slug: 'second', published: true })
    const publishedAt = new Date(Date.now() + 3_600_000).toISOString()
    const planned = await create({ published: true, publishedAt })
    expect(await redirects()).toHaveLength(1)
    await db
      .updateTable('posts')
      .set({ publishedAt: new Date(Date.now() - 1000) })
      .where('id', '=', planned.id)
      .execute()
    const { publishedAt: at } = await db.selectFrom('posts').select('publishedAt').where('id', '=', planned.id).executeTakeFirstOrThrow()
    const payload = { postId: planned.id, at: at?.toISOString() }
    await jobOf('posts.publish').run(payload, { id: newId(), attempt: 1, signal: new AbortController().signal })
    expect(await redirects()).toEqual([])
  })

  test('a draft was never public, so its slug changes without a redirect', async () => {
    const { id } = await create()
    await send('PUT', `/${id}`, { ...article, slug: 'second' })
    await send('PUT', `/${id}`, { ...article, slug: 'second', published: true, publishedAt: inHours(1) })
    await send('PUT', `/${id}`, { ...article, slug: 'third', published: true, publishedAt: inHours(1) })
    expect(await redirects()).toEqual([])
  })

  test('every version is kept whole, with who made it', async () => {
    const { id } = await create()
    await send('PUT', `/${id}`, { ...article, content: 'Second', tags: ['x'] }, owner.headers)
    await send('DELETE', `/${id}`)
    const kept = await db.selectFrom('postRevisions').selectAll().where('postId', '=', id).orderBy('version').execute()
    expect(kept.map(({ version, editorId, fields }) => [version, editorId, fields['content']])).toEqual([
      [1, staff.user.id, article.content],
      [2, owner.user.id, 'Second'],
    ])
    expect(kept[1]?.fields).toMatchObject({ tags: ['x'], slug: article.slug, published: false, publishedAt: null })
  })

  test('invisible changes are no change for crawlers', async () => {
    const { id, updatedAt } = await create({ published: true })
    expect((await send('PUT', `/${id}`, { ...article, published: true })).json()).toMatchObject({ updatedAt, version: 2 })
    const changed = (await send('PUT', `/${id}`, { ...article, content: 'Other', published: true })).json()
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(updatedAt))
  })

  test('writers page, search and filter their list, which has no content', async () => {
    await makePost({ slug: 'old', tags: ['law'], createdAt: new Date('2026-01-01') })
    await makePost({ slug: 'waiting', publishedAt: new Date(inHours(1)), title: 'Robots' })
    await makePost({ slug: 'draft', published: false, publishedAt: null })
    const asked = async (query: string) => {
      const { items, total, pages } = (await get(`?${query}`, staff.headers)).json()
      return [slugs(items), total, pages]
    }
    expect(await asked('page=1')).toEqual([['draft', 'waiting', 'old'], 3, 1])
    expect(await asked('limit=2&page=2')).toEqual([['old'], 3, 2])
    expect(await asked('status=scheduled')).toEqual([['waiting'], 1, 1])
    expect(await asked('status=draft')).toEqual([['draft'], 1, 1])
    expect(await asked('status=published')).toEqual([['old'], 1, 1])
    expect(await asked('tag=law')).toEqual([['old'], 1, 1])
    expect(await asked('q=robot')).toEqual([['waiting'], 1, 1])
    expect((await get('?page=1', staff.headers)).json().items[0]).not.toHaveProperty('content')
    expect(slugs((await get('?published=false', staff.headers)).json())).toEqual(['draft', 'waiting'])
    expect((await get('/draft', staff.headers)).statusCode).toBe(200)
  })

  test('the array ends after a thousand posts or some megabytes, and says where the rest is', async () => {
    const content = 'x'.repeat(1_500_000)
    for (const slug of ['c', 'b', 'a']) await makePost({ slug, content })
    const reply = await get('', staff.headers)
    expect(slugs(reply.json())).toEqual(['a', 'b'])
    expect(reply.headers['x-total-count']).toBe('3')
    expect(reply.headers['link']).toMatch(/\/api\/blog\?limit=200&page=1>; rel="next"$/)
  })

  test('the excerpt is the beginning of the running text, to the end of a word', async () => {
    const words = Array.from({ length: 60 }, (_, at) => `wörd${at}`).join(' ')
    const { excerpt } = await create({ content: `# Title\n\n| a |\n|---|\n| b |\n\n5 < 6 & "so" ${words}` })
    expect(excerpt).toMatch(/^5 < 6 & "so" wörd0 .* wörd\d+…$/)
    expect(excerpt.length).toBeLessThanOrEqual(200)
    expect((await create({ slug: 'no-text', content: '---' })).excerpt).toBe(article.title)
  })
})

describe('error', () => {
  test('a slug that is taken is refused with one that is free, also when two ask at once', async () => {
    const replies = await Promise.all([send('POST', '', article), send('POST', '', article)])
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 409]))
    await create({ slug: 'prices-of-40-shops-2' })
    const reply = await send('POST', '', article)
    expect(reply.json()).toMatchObject({
      status: 409,
      code: 'slug_taken',
      suggestion: 'prices-of-40-shops-3',
      errors: { slug: expect.any(String) },
    })
    const { id } = await create({ slug: 'other' })
    expect((await send('PUT', `/${id}`, article)).json()).toMatchObject({ code: 'slug_taken' })
    expect(await db.selectFrom('postRevisions').select('id').where('postId', '=', id).execute()).toHaveLength(1)
  })

  test('of two who change one version, the second is told what stands there, and nothing is written', async () => {
    const { id } = await create()
    const put = async (content: string, version: string) =>
      send('PUT', `/${id}`, { ...article, content }, { ...staff.headers, 'if-match': version })
    const replies = await Promise.all([put('Mine', '"1"'), put('Yours', 'W/"1"')])
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
    const [kept, refused] = replies.toSorted((one, other) => one.statusCode - other.statusCode)
    expect(refused?.json()).toMatchObject({ code: 'edit_conflict', current: kept?.json() })
    const remove = async (version: string) => send('DELETE', `/${id}`, undefined, { ...staff.headers, 'if-match': version })
    expect((await remove('"1"')).json()).toMatchObject({ status: 409, code: 'edit_conflict', current: { version: 2 } })
    expect((await get('/prices-of-40-shops', staff.headers)).json()).toEqual(kept?.json())
    expect((await remove('"2"')).statusCode).toBe(204)
    expect((await put('Later', 'tomorrow')).statusCode).toBe(400)
  })

  test.each([
    [{ title: ' ' }, { title: 'Title is required' }],
    [{ slug: 'Über' }, { slug: 'Slug can have lowercase letters, digits and single hyphens between them' }],
    [{ slug: '018f4d7a-0000-7000-8000-000000000000' }, { slug: 'This slug is reserved' }],
    [{ slug: 'feed' }, { slug: 'This slug is reserved' }],
    [{ content: '' }, { content: 'Content is required' }],
    [{ content: 'x'.repeat(200_001) }, { content: 'Content must be at most 200,000 characters' }],
    [{ featuredImage: 'javascript:alert(1)' }, { featuredImage: 'Featured image must be an http(s) URL or an uploaded image' }],
    [{ tags: 'law' }, { tags: 'Tags must be a list' }],
    [{ publishedAt: 'tomorrow' }, { publishedAt: 'Publication time must be a date, or a date and time with its zone' }],
    [{ publishedAt: '2026-01-01T10:00' }, { publishedAt: 'Publication time must be a date, or a date and time with its zone' }],
    [{ publishedAt: '0000-01-01T10:00:00Z' }, { publishedAt: 'Publication time must be a date, or a date and time with its zone' }],
    [{ authorId: 'me' }, { authorId: 'An author must be an id' }],
  ])('%o is refused by name', async (given, errors) => {
    const reply = await send('POST', '', { ...article, ...given })
    expect([reply.statusCode, reply.json().errors]).toEqual([422, errors])
  })

  test.each(['?page=0', '?limit=201', '?status=new', '?published=perhaps', `?q=${'x'.repeat(201)}`])(
    'the list %s does not exist',
    async (query) => {
      expect((await get(query, staff.headers)).statusCode).toBe(422)
    },
  )

  test('odd addresses and posts that are not there are no fault of ours', async () => {
    for (const slug of ['unknown', newId(), '%00', "'; DROP TABLE posts", 'x'.repeat(150)]) {
      expect((await get(`/${encodeURIComponent(slug)}`)).statusCode).toBe(404)
    }
    for (const method of ['PUT', 'DELETE'] as const) {
      expect((await send(method, `/${newId()}`, method === 'PUT' ? article : undefined)).statusCode).toBe(404)
      expect((await send(method, '/no-id', method === 'PUT' ? article : undefined)).statusCode).toBe(404)
    }
  })
})

describe('security', () => {
  test('readers, with an account or without, see what is public and nothing else, however they ask', async () => {
    const shown = await makePost({ slug: 'shown' })
    const draft = await makePost({ slug: 'draft', published: false })
    await makePost({ slug: 'waiting', publishedAt: new Date(inHours(1)) })
    const readers: Headers[] = [{}, customer.headers, { authorization: 'Bearer nonsense' }]
    for (const headers of readers) {
      for (const query of ['', '?published=true', '?published=false']) expect(slugs((await get(query, headers)).json())).toEqual(['shown'])
      for (const query of ['?status=draft', '?status=scheduled&page=1', '?q=prices']) {
        expect(slugs((await get(query, headers)).json().items)).toEqual(['shown'])
      }
      for (const slug of ['draft', 'waiting', draft.id, shown.id, 'draft?preview=x'])
        expect((await get(`/${slug}`, headers)).statusCode).toBe(404)
    }
  })

  test('users without write access change nothing', async () => {
    const { id } = await makePost({ slug: 'shown' })
    const before = await db.selectFrom('posts').selectAll().execute()
    for (const [headers, status] of [
      [{}, 401],
      [customer.headers, 403],
      [{ cookie: staff.headers.cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ] as const) {
      expect((await send('POST', '', article, headers)).statusCode).toBe(status)
      expect((await send('PUT', `/${id}`, article, headers)).statusCode).toBe(status)
      expect((await send('DELETE', `/${id}`, undefined, headers)).statusCode).toBe(status)
    }
    expect(await db.selectFrom('posts').selectAll().execute()).toEqual(before)
  })

  test('only the owner hands a post to somebody else, and only to their staff', async () => {
    const { id } = await create()
    const hand = async (authorId: string, headers: Headers) => send('PUT', `/${id}`, { ...article, authorId }, headers)
    expect((await hand(owner.user.id, staff.headers)).json().authorId).toBe(staff.user.id)
    expect((await hand(owner.user.id, owner.headers)).json().authorId).toBe(owner.user.id)
    expect((await hand(staff.user.id, owner.headers)).json().authorId).toBe(staff.user.id)
    for (const unknown of [newId(), customer.user.id]) {
      const reply = await hand(unknown, owner.headers)
      expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, ['authorId']])
    }
  })

  test('no field that a post does not have can be set', async () => {
    const hostile = {
      id: newId(),
      html: '<script>',
      version: 9,
      wasPublic: true,
      removedAt: '2026-01-01',
      createdAt: '2020-01-01T00:00:00Z',
      words: 0,
    }
    const { id } = await create(hostile)
    const row = await db.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ version: 1, wasPublic: false, removedAt: null })
    expect([id === hostile.id, row.html.includes('script'), row.createdAt.getFullYear() > 2020]).toEqual([false, false, true])
  })
})
