import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import type { Post } from './post.ts'

const app = await startEndpoints()
const [staff, owner, customer] = [await signIn('staff'), await signIn('owner'), await signIn('customer')]
beforeEach(async () => {
  await db.deleteFrom('posts').execute()
  await db.deleteFrom('redirects').execute()
})

type Headers = Record<string, string>
const article = { title: 'Prices', slug: 'prices', content: 'Every morning.', published: true, tags: ['law'] }
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url: `/api/blog${url}`, headers, ...(payload && { payload }) })
const create = async (given: object = {}): Promise<Post> => (await send('POST', '', { ...article, ...given })).json()
const statusFor = async (slug: string, headers: Headers = {}) => (await send('GET', `/${slug}`, undefined, headers)).statusCode
const removed = async (given: object = {}) => {
  const post = await create(given)
  expect((await send('DELETE', `/${post.id}`)).statusCode).toBe(204)
  return post
}
const restore = async (id: string, headers: Headers = staff.headers) => send('POST', `/${id}/restore`, undefined, headers)
const undone = async () => db.selectFrom('auditEvents').select('id').where('action', '=', 'post_removal_undone').execute()

describe('happy', () => {
  test('a deleted post is gone at once, and an undo restores it exactly, by any of the staff', async () => {
    const post = await create()
    await send('PUT', `/${post.id}`, { ...article, title: 'Costs' })
    const before = await db.selectFrom('posts').selectAll().execute()
    await send('DELETE', `/${post.id}`)
    expect([await statusFor('prices'), (await send('GET', '', undefined, {})).json()]).toEqual([410, []])

    const restored = await restore(post.id, owner.headers)
    expect([restored.statusCode, restored.headers['etag']]).toEqual([200, '"2"'])
    expect(await db.selectFrom('posts').selectAll().execute()).toEqual(before.map((row) => ({ ...row, wasPublic: true })))
    expect([await statusFor('prices'), (await send('GET', '', undefined, {})).json()]).toEqual([200, [restored.json()]])
    expect((await send('GET', `/${post.id}/revisions`)).json().total).toBe(2)
    // An editor who had it open saves over the version that they saw.
    const saved = await send('PUT', `/${post.id}`, article, { ...staff.headers, 'if-match': '"2"' })
    expect(saved.json()).toMatchObject({ version: 3 })
  })

  test('a draft stays a draft, and undoing twice, also at the same moment, changes nothing more', async () => {
    const { id } = await removed({ published: false })
    const before = await undone()
    const replies = await Promise.all([restore(id), restore(id, owner.headers)])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await restore(id)).json()).toMatchObject({ version: 1, published: false })
    expect([await statusFor('prices'), await statusFor('prices', staff.headers)]).toEqual([404, 200])
    expect((await undone()).length - before.length).toBe(1)
  })

  test('its address is its own again where another post has moved there and away meanwhile', async () => {
    const { id } = await removed()
    const other = await create({ title: 'Other' })
    await send('PUT', `/${other.id}`, { ...article, title: 'Other', slug: 'other' })
    expect(await db.selectFrom('redirects').select('fromPath').execute()).toEqual([{ fromPath: '/blog/prices' }])
    expect((await restore(id)).statusCode).toBe(200)
    expect(await db.selectFrom('redirects').select('fromPath').execute()).toEqual([])
    expect([await statusFor('prices'), await statusFor('other')]).toEqual([200, 200])
  })
})

describe('error', () => {
  test('a slug that another post has meanwhile keeps the post deleted, until it is free', async () => {
    const { id } = await removed()
    const other = await create({ title: 'Other' })
    const refused = await restore(id)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'slug_taken'])
    expect((await send('GET', '/prices')).json()).toMatchObject({ id: other.id, title: 'Other' })
    await send('PUT', `/${other.id}`, { ...article, slug: 'other' })
    expect((await restore(id)).statusCode).toBe(200)
  })

  test('of a restored post and a new one with its slug at the same moment, one gets the slug', async () => {
    const { id } = await removed()
    const [restored, made] = await Promise.all([restore(id), send('POST', '', { ...article, title: 'Other' })])
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual([restored.statusCode, made.statusCode])
  })

  test('a month later it is too late, and posts that never were cannot be restored', async () => {
    const { id } = await removed()
    await db
      .updateTable('posts')
      .set({ removedAt: new Date(Date.now() - 31 * 86_400_000) })
      .execute()
    const late = await restore(id)
    expect([late.statusCode, late.json().code, await statusFor('prices')]).toEqual([409, 'too_late', 410])
    expect((await restore(newId())).statusCode).toBe(404)
    expect((await restore('prices')).statusCode).toBe(422)
  })
})

describe('security', () => {
  test('users without write access restore nothing', async () => {
    const { id } = await removed()
    for (const [headers, status] of [
      [{}, 401],
      [customer.headers, 403],
      [{ cookie: staff.headers.cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ] as const) {
      expect((await restore(id, headers)).statusCode).toBe(status)
    }
    expect(await statusFor('prices')).toBe(410)
  })
})
