import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const [staff, customer] = [await signIn('staff'), await signIn('customer')]
beforeEach(async () => void (await db.deleteFrom('dataProducts').execute()))

type Headers = Record<string, string>
const bulk = (payload: object, headers: Headers = staff.headers) =>
  app.inject({ method: 'POST', url: '/api/data-products/bulk', headers, payload })
const listed = async () => (await app.inject('/api/data-products')).json<{ slug: string }[]>().map(({ slug }) => slug)
const three = async () => {
  const products = []
  for (const [at, slug] of ['tea', 'rice', 'wine'].entries()) products.push(await makeProduct({ slug, position: at + 1 }))
  return products.map(({ id }) => id)
}
const rows = () => db.selectFrom('dataProducts').select(['slug', 'position', 'hidden', 'removedAt']).orderBy('position').execute()

describe('happy', () => {
  test('several products are hidden and published; those that are so already stay, and their versions with them', async () => {
    const [tea = '', rice = '', wine = ''] = await three()
    await bulk({ ids: [tea], change: 'hide' })
    expect((await bulk({ ids: [tea, rice, newId()], change: 'hide' })).json()).toEqual({ ids: [rice] })
    expect(await listed()).toEqual(['wine'])
    expect((await bulk({ ids: [tea, rice, wine], change: 'publish' })).json().ids.toSorted()).toEqual([tea, rice].toSorted())
    expect(await listed()).toEqual(['tea', 'rice', 'wine'])
    const { version } = await db.selectFrom('dataProducts').select('version').where('id', '=', wine).executeTakeFirstOrThrow()
    expect(version).toBe(1)
    const noted = await db.selectFrom('auditEvents').select('actorId').where('action', '=', 'product_changed').execute()
    expect(noted.map(({ actorId }) => actorId)).toEqual(Array.from({ length: 4 }, () => staff.user.id))
  })

  test('several products are deleted, and an undo returns them to their places', async () => {
    const [tea = '', rice = '', wine = ''] = await three()
    const before = await rows()
    expect((await bulk({ ids: [wine, tea], change: 'delete' })).json().ids.toSorted()).toEqual([tea, wine].toSorted())
    expect(await listed()).toEqual(['rice'])
    expect((await bulk({ ids: [rice, tea], change: 'hide' })).json()).toEqual({ ids: [rice] })
    await bulk({ ids: [rice], change: 'publish' })
    expect((await bulk({ ids: [wine, tea], change: 'restore' })).json().ids.toSorted()).toEqual([tea, wine].toSorted())
    expect(await rows()).toEqual(before)
  })
})

describe('error', () => {
  test('no product, one that is none and an unknown change are refused', async () => {
    const refused = [{ ids: [], change: 'hide' }, { ids: ['x'], change: 'hide' }, { ids: [newId()], change: 'erase' }, { ids: [newId()] }]
    const replies = await Promise.all(refused.map((payload) => bulk(payload)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 422))
  })

  test('a product whose slug another one has stays deleted', async () => {
    const [tea = ''] = await three()
    await bulk({ ids: [tea], change: 'delete' })
    await makeProduct({ slug: 'tea', position: 9 })
    const reply = await bulk({ ids: [tea], change: 'restore' })
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'slug_taken'])
  })
})

test('only staff may, and no answer is stored', async () => {
  const ids = await three()
  const replies = await Promise.all([{}, customer.headers, staff.headers].map((headers) => bulk({ ids, change: 'hide' }, headers)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 403, 200])
  expect(replies.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store', 'no-store'])
})
