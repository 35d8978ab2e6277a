import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { exportPosts } from '#app/blog/import-export/export.server.ts'
import { newestPosts } from '#app/blog/public/feed.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import type { PostSummary } from './post-query.ts'
import { listPublicPosts, publicPostDates } from './post-listing.server.ts'
import { findPreview } from './preview.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const [ada, bob, customer] = [await signIn('staff'), await signIn('owner'), await signIn('customer')]
beforeEach(async () => void (await db.deleteFrom('posts').execute()))

type Headers = Record<string, string>
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: Headers = ada.headers) =>
  app.inject({ method, url: `/api/blog${url}`, headers, ...(payload && { payload }) })
const keep = async (id: string, fields: object, { as = ada, match = '' } = {}) =>
  send('PUT', `/${id}/draft`, { fields, baseVersion: 0 }, { ...as.headers, ...(match && { 'if-match': match }) })
const matchOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['etag'])
const discard = async (id: string, match?: string) =>
  send('DELETE', `/${id}/draft`, undefined, { ...ada.headers, ...(match && { 'if-match': match }) })
const listed = async (query = '?page=1'): Promise<PostSummary[]> => (await send('GET', query)).json().items
const stored = async () => db.selectFrom('posts').select(['id', 'version', 'removedAt']).execute()
const create = async (id: string, payload: object, as = ada) => send('POST', '', payload, { ...as.headers, 'idempotency-key': id })
const article = { title: 'Prices', slug: 'prices', content: 'Every morning.', tags: ['law'] }

describe('happy', () => {
  test('the first words of a new post make a draft that staff find in the list, and the first save makes version 1', async () => {
    const id = newId()
    const begun = await keep(id, { title: '', content: 'Every' })
    expect([begun.statusCode, begun.json()]).toMatchObject([200, { baseVersion: 0, fields: { title: '', content: 'Every' } }])
    expect(await listed()).toMatchObject([{ id, title: '', version: 0, published: false, hasDraft: true }])

    const next = await keep(id, { ...article, published: true }, { match: matchOf(begun) })
    expect(await listed('?q=prices&status=draft')).toMatchObject([{ id, title: 'Prices', published: false }])
    expect((await send('GET', `/${id}`)).json()).toMatchObject({ version: 0, slug: id, content: '', authorId: ada.user.id })

    const saved = await create(id, { ...article, published: true })
    expect([saved.statusCode, saved.headers['etag']]).toEqual([201, '"1"'])
    expect(saved.json()).toMatchObject({ id, version: 1, slug: 'prices', published: true, authorId: ada.user.id })
    expect((await send('GET', `/${id}/draft`)).json()).toEqual({ postVersion: 1, draft: null })
    expect((await send('GET', `/${id}/revisions`)).json().items).toMatchObject([{ version: 1, title: 'Prices' }])
    expect((await send('GET', '/prices', undefined, {})).statusCode).toBe(200)
    expect((await keep(id, { title: 'Late' }, { match: matchOf(next) })).json()).toMatchObject({ status: 409, current: null })
    const events = await db
      .selectFrom('auditEvents')
      .select(['action', 'detail'])
      .where('actorId', '=', ada.user.id)
      .orderBy('id')
      .execute()
    expect(events.filter(({ detail }) => detail['object'] === id).map(({ action }) => action)).toEqual(['post_created'])
  })

  test('a save that is repeated, or sent twice at once, makes one post; another text under its id is a conflict', async () => {
    const id = newId()
    const both = await Promise.all([create(id, article), create(id, article)])
    expect(both.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect((await create(id, article)).json()).toMatchObject({ id, version: 1, slug: 'prices' })
    expect((await create(id, { ...article, title: 'Costs' }, bob)).json()).toMatchObject({ status: 409, code: 'edit_conflict' })
    expect(await stored()).toMatchObject([{ id, version: 1 }])
  })

  test('a repeated save asks for the same post in every field', async () => {
    const id = newId()
    const full = { ...article, excerpt: 'Short.', metaTitle: 'Prices of today', published: true, publishedAt: '2026-01-01T00:00:00Z' }
    expect((await create(id, full)).statusCode).toBe(201)
    expect((await create(id, { ...full, publishedAt: '2026-01-01T01:00:00+01:00' })).json()).toMatchObject({ id, version: 1 })
    const others = {
      tags: ['law', 'shops'],
      excerpt: '',
      metaTitle: 'Other',
      metaDescription: 'New',
      featuredImage: 'https://shop.example/x.png',
    }
    for (const [name, value] of Object.entries({ ...others, publishedAt: null, authorId: bob.user.id })) {
      const repeated = await create(id, { ...full, [name]: value }, bob)
      expect([name, repeated.statusCode]).toEqual([name, 409])
    }
  })

  test('a save that is refused leaves no post behind, and an id that is none is named', async () => {
    await create(newId(), article)
    expect((await create(newId(), article)).json()).toMatchObject({ status: 409, code: 'slug_taken' })
    expect(await stored()).toHaveLength(1)
    const wrong = await create('first', { ...article, slug: 'other' })
    expect([wrong.statusCode, wrong.json().detail]).toEqual([422, expect.stringContaining('UUID')])
    const gone = (await create(newId(), { ...article, slug: 'gone' })).json().id
    await send('DELETE', `/${gone}`)
    expect((await create(gone, { ...article, slug: 'gone' })).json()).toMatchObject({ status: 409, code: 'post_deleted' })
  })

  test('readers, feeds, the sitemap and the export never see a draft that was only begun', async () => {
    const id = newId()
    await keep(id, { ...article, published: true, publishedAt: '2026-01-01' })
    for (const query of ['', '?published=true', '?published=false', '?q=prices', '?status=draft', '?tag=law']) {
      expect((await send('GET', query, undefined, customer.headers)).body).not.toContain(id)
    }
    for (const name of [id, 'prices']) expect((await send('GET', `/${name}`, undefined, {})).statusCode).toBe(404)
    expect([await listPublicPosts({}), await publicPostDates(), (await newestPosts()).entries]).toMatchObject([{ total: 0 }, [], []])
    const chunks = await Array.fromAsync(exportPosts())
    expect(Buffer.concat(chunks).includes(id)).toBe(false)
  })

  test('a preview link shows it as it is being written', async () => {
    const id = newId()
    await keep(id, { content: '*New*' })
    const { url } = (await send('POST', `/${id}/preview-links`, {})).json()
    expect(await findPreview(url.split('/').at(-1))).toMatchObject({ title: 'Untitled draft', html: '<p><em>New</em></p>' })
  })

  test('left empty, it is deleted; discarded with words in it, it can be restored with them', async () => {
    const [empty, full] = [newId(), newId()]
    const typed = await keep(empty, { title: 'P' })
    const emptied = await keep(
      empty,
      { title: '', slug: '', content: '', excerpt: null, tags: [], published: false },
      { match: matchOf(typed) },
    )
    expect((await discard(empty, matchOf(typed))).statusCode).toBe(409)
    expect([(await discard(empty, matchOf(emptied))).statusCode, await stored()]).toEqual([204, []])

    const kept = await keep(full, { title: 'Prices' })
    expect((await discard(full, matchOf(kept))).statusCode).toBe(204)
    expect([await listed(), (await send('GET', `/${full}`)).statusCode]).toEqual([[], 404])
    expect((await send('POST', `/${full}/restore`)).json()).toMatchObject({ version: 0, title: 'Prices' })
    expect((await send('GET', `/${full}/draft`)).json()).toEqual({ postVersion: 0, draft: kept.json() })
  })

  test('one that a closed window left empty is deleted a day later; others stay', async () => {
    const [left, fresh, full] = [newId(), newId(), newId()]
    const nothing = { title: '', content: '' }
    await keep(left, nothing)
    await keep(full, { ...nothing, tags: ['law'] })
    await db
      .updateTable('postDrafts')
      .set({ updatedAt: new Date(Date.now() - 25 * 3_600_000) })
      .execute()
    await keep(fresh, nothing)
    await jobOf('drafts-empty').run(null, { id: '', attempt: 1, signal: new AbortController().signal })
    expect(new Set((await stored()).map(({ id }) => id))).toEqual(new Set([fresh, full]))
  })
})

describe('error', () => {
  test('a repeated request, another window and another person begin no second post, also at the same moment', async () => {
    const id = newId()
    const both = await Promise.all([keep(id, { title: 'Ada' }), keep(id, { title: 'Bob' }, { as: bob })])
    const [kept, refused] = both.toSorted((one, other) => one.statusCode - other.statusCode)
    expect([kept?.statusCode, refused?.statusCode]).toEqual([200, 409])
    expect(refused?.json()).toMatchObject({ code: 'edit_conflict', current: kept?.json() })
    expect((await keep(id, { title: 'Ada' })).json()).toMatchObject({ status: 409, current: kept?.json() })
    expect(await stored()).toHaveLength(1)
  })

  test('an empty draft that another window has removed is begun again; a deleted post is not', async () => {
    const id = newId()
    const match = matchOf(await keep(id, { title: '' }))
    await discard(id)
    expect((await keep(id, { title: 'Prices' }, { match })).json()).toMatchObject({ status: 409, current: null })
    expect((await keep(id, { title: 'Prices' })).statusCode).toBe(200)
    await send('DELETE', `/${id}`)
    for (const over of ['', match]) expect((await keep(id, { title: 'Again' }, { match: over })).statusCode).toBe(404)
    expect(await stored()).toMatchObject([{ id, removedAt: expect.any(Date) }])
    expect((await send('PUT', `/${newId()}/draft`, { fields: { title: 'None' }, baseVersion: 1 })).statusCode).toBe(404)
  })

  test('a draft of someone else, which the one who saves has not seen, stays', async () => {
    const id = newId()
    const kept = await keep(id, { title: 'Ada' })
    expect((await send('PUT', `/${id}`, article, bob.headers)).json()).toMatchObject({ version: 1, authorId: ada.user.id })
    expect((await send('GET', `/${id}/draft`)).json()).toEqual({ postVersion: 1, draft: kept.json() })
  })
})

describe('security', () => {
  test('users without write access begin nothing', async () => {
    expect((await send('PUT', `/${newId()}/draft`, { fields: { title: 'Mine' }, baseVersion: 0 }, {})).statusCode).toBe(401)
    expect((await keep(newId(), { title: 'Mine' }, { as: customer })).statusCode).toBe(403)
    expect(await stored()).toEqual([])
  })
})
