import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import type { Post } from './post.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { findPreview } from './preview.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const [ada, bob, customer] = [
  await signIn('staff', { userMetadata: JSON.stringify({ first_name: 'Ada' }) }),
  await signIn('owner', { userMetadata: JSON.stringify({ first_name: 'Bob' }) }),
  await signIn('customer'),
]
beforeEach(async () => void (await db.deleteFrom('posts').execute()))

type Headers = Record<string, string>
const article = { title: 'Prices', slug: 'prices', content: 'First\nsecond\nthird', published: true, tags: ['law'] }
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: Headers = ada.headers) =>
  app.inject({ method, url: `/api/blog${url}`, headers, ...(payload && { payload }) })
const create = async (given: object = {}): Promise<Post> => (await send('POST', '', { ...article, ...given })).json()
const keep = async (id: string, fields: object, { as = ada, match = '', baseVersion = 1 } = {}) =>
  send('PUT', `/${id}/draft`, { fields, baseVersion }, { ...as.headers, ...(match && { 'if-match': match }) })
const draftOf = async (id: string) => (await send('GET', `/${id}/draft`)).json()
const publicBytes = async () => [(await send('GET', '/prices', undefined, {})).body, (await send('GET', '', undefined, {})).body]

describe('happy', () => {
  test('drafts are saved, valid or not, and readers do not see them', async () => {
    const { id } = await create()
    const before = await publicBytes()
    expect(await draftOf(id)).toEqual({ postVersion: 1, draft: null })

    const first = await keep(id, {
      title: 'Pri',
      slug: 'Not A Slug',
      content: 'half',
      publishedAt: 'next',
      featuredImage: 'htt',
      tags: ['x,'],
    })
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store'])
    const second = await keep(id, { title: '', content: 'whole\0' }, { match: String(first.headers['etag']) })
    expect(second.json()).toMatchObject({
      fields: { title: '', content: 'whole' },
      version: first.json().version + 1,
      editor: 'Ada',
      baseVersion: 1,
    })

    expect(await draftOf(id)).toEqual({ postVersion: 1, draft: second.json() })
    expect((await send('GET', '?page=1')).json().items[0]).toMatchObject({ title: 'Prices', hasDraft: true })
    expect(await publicBytes()).toEqual(before)
    expect((await send('GET', `/${id}/revisions`)).json().total).toBe(1)
  })

  test('saving ends the draft that began from the version saved over; one that began elsewhere stays', async () => {
    const { id } = await create()
    await keep(id, { title: 'Mine' })
    await send('PUT', `/${id}`, { ...article, title: 'Mine' })
    expect(await draftOf(id)).toEqual({ postVersion: 2, draft: null })

    const kept = (await keep(id, { title: 'Late' }, { baseVersion: 1 })).json()
    await send('PUT', `/${id}`, { ...article, title: 'Other' })
    expect(await draftOf(id)).toEqual({ postVersion: 3, draft: kept })
    expect((await send('DELETE', `/${id}/draft`)).statusCode).toBe(204)
    expect((await draftOf(id)).draft).toBeNull()
    expect((await send('DELETE', `/${id}/draft`)).statusCode).toBe(204)
  })

  test('every version is listed with its hand, compared line by line, and put back into the draft alone', async () => {
    const { id } = await create()
    await send('PUT', `/${id}`, { ...article, title: 'Costs', content: 'First\nanother\nthird', tags: [] }, bob.headers)
    const list = (await send('GET', `/${id}/revisions`)).json()
    expect(list).toMatchObject({ total: 2, page: 1, pages: 1 })
    expect(list.items).toMatchObject([
      { version: 2, title: 'Costs', editor: 'Bob', editorId: bob.user.id, published: true },
      { version: 1, title: 'Prices', editor: 'Ada', editorId: ada.user.id, published: true },
    ])
    expect((await send('GET', `/${id}/revisions/1`)).json()).toMatchObject({
      version: 1,
      fields: { content: article.content, tags: ['law'] },
    })

    const today = {
      from: 1,
      to: 2,
      fields: [
        { field: 'title', before: 'Prices', after: 'Costs' },
        { field: 'excerpt', before: 'First second third', after: 'First another third' },
        { field: 'tags', before: 'law', after: '' },
      ],
      content: [
        { kind: 'same', lines: ['First'] },
        { kind: 'removed', lines: ['second'] },
        { kind: 'added', lines: ['another'] },
        { kind: 'same', lines: ['third'] },
      ],
    }
    const diff = (await send('GET', `/${id}/revisions/1/diff`)).json()
    expect({ ...diff, fields: new Set(diff.fields) }).toEqual({ ...today, fields: new Set(today.fields) })
    expect((await send('GET', `/${id}/revisions/2/diff?against=1`)).json()).toMatchObject({ from: 2, to: 1 })

    await send('PUT', `/${id}`, { ...article, slug: 'costs', title: 'Costs', published: false })
    const before = await publicBytes()
    const restored = await send('POST', `/${id}/revisions/1/restore`)
    expect(restored.json()).toMatchObject({
      baseVersion: 3,
      fields: { title: 'Prices', content: article.content, slug: 'costs', published: false },
    })
    expect(restored.json().fields).not.toHaveProperty('authorId')
    expect(await publicBytes()).toEqual(before)
    expect((await send('GET', `/${id}`)).json()).toMatchObject({ title: 'Costs', version: 3 })
  })

  test('the preview is exactly what readers get', async () => {
    const content = '## Why\n\nA <b>line</b>\nand `another`'
    await create({ content })
    const preview = (await send('POST', '/preview', { content })).json()
    const { html, headings, words } = await db.selectFrom('posts').selectAll().executeTakeFirstOrThrow()
    expect(preview).toEqual({ html, headings, words, readingMinutes: 1 })
  })

  test('a link shows the post as it is being written, until it is taken back', async () => {
    const { id } = await create({ published: false })
    const made = await send('POST', `/${id}/preview-links`, {})
    expect(made.statusCode).toBe(201)
    const { url, ...link } = made.json()
    const [, token = ''] = /^https?:\/\/[^/]+\/blog\/preview\/([\w-]{43})$/.exec(url) ?? []
    expect(Math.round((Date.parse(link.expiresAt) - Date.now()) / 86_400_000)).toBe(7)
    expect((await send('GET', `/${id}/preview-links`)).json()).toEqual([{ ...link, createdBy: 'Ada' }])
    const rows = await db.selectFrom('postPreviews').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)

    expect(await findPreview(token)).toMatchObject({ title: 'Prices', content: article.content, author: { name: 'Ada', picture: null } })
    expect((await send('GET', `/prices?preview=${token}`, undefined, {})).json()).toMatchObject({ id, published: false })
    await keep(id, { title: 'Costs', content: '*New*', featuredImage: 'htt', excerpt: '' })
    expect(await findPreview(token)).toMatchObject({
      title: 'Costs',
      html: '<p><em>New</em></p>',
      featuredImage: null,
      excerpt: 'First second third',
    })

    expect((await send('DELETE', `/${id}/preview-links/${link.id}`)).statusCode).toBe(204)
    expect(await findPreview(token)).toBeUndefined()
    expect((await send('GET', `/prices?preview=${token}`, undefined, {})).statusCode).toBe(404)
  })
})

describe('error', () => {
  test('of two who write one draft, the second is told what is kept, also at the same moment', async () => {
    const { id } = await create()
    const [one, other] = await Promise.all([keep(id, { title: 'Ada' }), keep(id, { title: 'Bob' }, { as: bob })])
    const [kept, refused] = one.statusCode === 200 ? [one, other] : [other, one]
    expect([kept.statusCode, refused.statusCode]).toEqual([200, 409])
    expect(refused.json()).toMatchObject({ code: 'edit_conflict', current: kept.json() })

    const match = String(kept.headers['etag'])
    const again = await Promise.all([keep(id, { title: 'Ada 2' }, { match }), keep(id, { title: 'Bob 2' }, { as: bob, match })])
    expect(new Set(again.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
    const stale = { ...ada.headers, 'if-match': match }
    expect((await send('DELETE', `/${id}/draft`, undefined, stale)).json()).toMatchObject({ status: 409, code: 'edit_conflict' })
    expect((await send('POST', `/${id}/revisions/1/restore`)).statusCode).toBe(409)
  })

  test('a draft that has ended is not brought back by who still has it open, nor taken for the next one', async () => {
    const { id } = await create()
    const first = await keep(id, { title: 'Mine' })
    const match = String(first.headers['etag'])
    await send('DELETE', `/${id}/draft`)
    expect((await keep(id, { title: 'Again' }, { match })).json()).toMatchObject({ status: 409, current: null })
    await keep(id, { title: 'Bob' }, { as: bob })
    expect((await keep(id, { title: 'Again' }, { match })).json()).toMatchObject({ status: 409, current: { fields: { title: 'Bob' } } })
  })

  test('an invalid draft is refused by field', async () => {
    const { id } = await create()
    for (const [fields, name] of [
      [{ title: 5 }, 'title'],
      [{ content: 'x'.repeat(400_001) }, 'content'],
      [{ tags: 'law' }, 'tags'],
      [{ tags: Array.from({ length: 201 }, String) }, 'tags'],
      [{ published: 'yes' }, 'published'],
    ] as const) {
      const reply = await keep(id, fields)
      expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [`fields.${name}`]])
    }
    expect((await keep(id, {}, { baseVersion: -1 })).statusCode).toBe(422)
    expect((await send('PUT', `/${id}/draft`, { fields: {} })).statusCode).toBe(422)
    expect((await keep(id, {}, { match: 'x' })).statusCode).toBe(400)
    expect((await keep(id, { title: '\uD800', content: '\0' })).statusCode).toBe(200)
  })

  test('missing posts, versions and links return 404', async () => {
    const { id } = await create()
    const post = newId()
    await create({ slug: 'removed' })
    for (const url of [
      `/${post}/draft`,
      `/${post}/revisions`,
      `/${id}/revisions/2`,
      `/${id}/revisions/1/diff?against=9`,
      `/${post}/preview-links`,
    ]) {
      expect((await send('GET', url)).statusCode).toBe(404)
    }
    expect((await keep(post, {})).statusCode).toBe(404)
    expect((await send('POST', `/${id}/revisions/7/restore`)).statusCode).toBe(404)
    expect((await send('POST', `/${post}/preview-links`, {})).statusCode).toBe(404)
    expect((await send('DELETE', `/${id}/preview-links/${newId()}`)).statusCode).toBe(404)
    for (const days of [0, 31, 1.5, '7']) expect((await send('POST', `/${id}/preview-links`, { days })).statusCode).toBe(422)
    for (const version of ['0', 'x', '99999999999']) expect((await send('GET', `/${id}/revisions/${version}`)).statusCode).toBe(422)
  })

  test('with a post its draft and its links go, and return with it; a month later they are deleted, and its versions are kept', async () => {
    const { id } = await create()
    await keep(id, { title: 'Mine' })
    const { url } = (await send('POST', `/${id}/preview-links`, {})).json()
    await send('DELETE', `/${id}`)
    expect(await findPreview(url.split('/').at(-1))).toBeUndefined()
    const clean = async () => jobOf('drafts-housekeeping').run(null, { id: '', attempt: 1, signal: new AbortController().signal })
    await clean()
    expect((await send('POST', `/${id}/restore`)).statusCode).toBe(200)
    expect((await draftOf(id)).draft.fields).toEqual({ title: 'Mine' })
    expect(await findPreview(url.split('/').at(-1))).toMatchObject({ title: 'Mine' })

    await send('DELETE', `/${id}`)
    await db
      .updateTable('posts')
      .set({ removedAt: new Date(Date.now() - 31 * 86_400_000) })
      .execute()
    await clean()
    for (const table of ['postDrafts', 'postPreviews'] as const) expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    expect(await db.selectFrom('postRevisions').select('version').where('postId', '=', id).execute()).toHaveLength(1)
    for (const path of ['draft', 'revisions', 'revisions/1', 'preview-links'])
      expect((await send('GET', `/${id}/${path}`)).statusCode).toBe(404)
  })

  test('two texts that have nothing in common are compared in a moment', async () => {
    const lines = (email: string) => Array.from({ length: 3_000 }, (_, at) => `${email}${at}`).join('\n')
    const { id } = await create({ content: lines('a') })
    await send('PUT', `/${id}`, { ...article, content: lines('b') })
    const { content } = (await send('GET', `/${id}/revisions/1/diff`)).json()
    expect(content.map(({ kind, lines: shown }: { kind: string; lines: string[] }) => [kind, shown.length])).toEqual([
      ['removed', 3_000],
      ['added', 3_000],
    ])
  })
})

describe('security', () => {
  test('users without write access cannot see or create drafts, versions and links', async () => {
    const { id } = await create()
    await keep(id, { title: 'Secret' })
    const calls = [
      ['GET', `/${id}/draft`],
      ['PUT', `/${id}/draft`],
      ['DELETE', `/${id}/draft`],
      ['GET', `/${id}/revisions`],
      ['GET', `/${id}/revisions/1`],
      ['GET', `/${id}/revisions/1/diff`],
      ['POST', `/${id}/revisions/1/restore`],
      ['POST', '/preview'],
      ['GET', `/${id}/preview-links`],
      ['POST', `/${id}/preview-links`],
      ['DELETE', `/${id}/preview-links/${id}`],
    ] as const
    for (const [method, url] of calls) {
      const body =
        method === 'PUT' || (method === 'POST' && !url.endsWith('restore')) ? { content: 'x', fields: {}, baseVersion: 1 } : undefined
      expect((await send(method, url, body, {})).statusCode).toBe(401)
      expect((await send(method, url, body, customer.headers)).statusCode).toBe(403)
    }
    expect((await draftOf(id)).draft.fields).toEqual({ title: 'Secret' })
    expect(await db.selectFrom('postPreviews').select('id').execute()).toEqual([])
  })

  test('a link opens its own post alone, and not after its time', async () => {
    const { id } = await create({ published: false })
    const other = await create({ slug: 'other', published: false })
    const { url } = (await send('POST', `/${id}/preview-links`, { days: 30 })).json()
    const token = url.split('/').at(-1)
    const asked = async (slug: string, preview: string) => (await send('GET', `/${slug}?preview=${preview}`, undefined, {})).statusCode
    expect(
      await Promise.all([
        asked('prices', token),
        asked(id, token),
        asked('other', token),
        asked(other.id, token),
        asked('prices', `${token}x`),
      ]),
    ).toEqual([200, 200, 404, 404, 404])
    await db
      .updateTable('postPreviews')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .execute()
    expect(await asked('prices', token)).toBe(404)
    expect(await findPreview(token)).toBeUndefined()
    expect((await send('GET', `/${id}/preview-links`)).json()).toEqual([])
  })
})
