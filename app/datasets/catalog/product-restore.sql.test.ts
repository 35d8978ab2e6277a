import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { localFile } from '#app/platform/storage/storage.server.ts'
import { grant } from '#app/datasets/access/grant.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import { fileKey } from './version-files.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const [staff, owner, customer] = [await signIn('staff'), await signIn('owner'), await signIn('customer')]
beforeEach(async () => void (await db.deleteFrom('dataProducts').execute()))

type Headers = Record<string, string>
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url: `/api/data-products${url}`, headers, ...(payload && { payload }) })
const restore = (id: string, headers: Headers = staff.headers) => ask('POST', `/${id}/restore`, undefined, headers)
const remove = async (id: string) => expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
const statusFor = async (slug: string, headers: Headers) => (await ask('GET', `/${slug}`, undefined, headers)).statusCode
const order = async () => (await ask('GET', '')).json<{ slug: string }[]>().map(({ slug }) => slug)
const run = async (kind: string, payload: object) => jobOf(kind).run(payload, { id: '', attempt: 1, signal: new AbortController().signal })
const removedDaysAgo = (days: number) =>
  db
    .updateTable('dataProducts')
    .set({ removedAt: new Date(Date.now() - days * 86_400_000) })
    .where('removedAt', 'is not', null)
    .execute()
const body = { slug: 'wine', name: 'Wine', description: 'Prices of wine.', category: 'Retail', price: 0 }

describe('happy', () => {
  test('a removed product is gone at once, and an undo restores it exactly: data, grants, keys to its files and place', async () => {
    const product = await makeProduct({ slug: 'wine', position: 2, priceCents: 4900 })
    for (const [slug, position] of [
      ['tea', 1],
      ['rice', 3],
    ] as const)
      await makeProduct({ slug, position })
    const { id: versionId } = await makeDataset(product, 'shop,price\nNorth,1.5\n')
    await grant({ productId: product.id, userId: customer.user.id, organizationId: customer.user.id }, staff.user)
    const before = await db.selectFrom('dataProducts').selectAll().orderBy('id').execute()
    const shown = (await ask('GET', '/wine', undefined, customer.headers)).json()
    expect(shown).toMatchObject({ access: 'granted', rows: 1 })

    await remove(product.id)
    for (const headers of [{}, customer.headers, staff.headers]) expect(await statusFor('wine', headers)).toBe(404)
    const download = { downloadType: 'file', format: 'original' }
    expect((await ask('POST', `/${product.id}/download`, download, customer.headers)).statusCode).toBe(404)
    expect(await order()).toEqual(['tea', 'rice'])

    const restored = await restore(product.id, owner.headers)
    expect([restored.statusCode, restored.headers['etag']]).toEqual([200, '"1"'])
    expect(await db.selectFrom('dataProducts').selectAll().orderBy('id').execute()).toEqual(before)
    expect((await ask('GET', '/wine', undefined, customer.headers)).json()).toEqual(shown)
    expect((await ask('POST', `/${product.id}/download`, download, customer.headers)).statusCode).toBe(200)
    expect(await order()).toEqual(['tea', 'wine', 'rice'])
    expect(await localFile(fileKey(versionId, 'data.parquet'))).toContain(versionId)
  })

  test('others make room for it where the list was reordered meanwhile; a hidden one stays hidden', async () => {
    const wine = await makeProduct({ slug: 'wine', position: 1, hidden: true })
    const [tea, rice] = [await makeProduct({ slug: 'tea', position: 2 }), await makeProduct({ slug: 'rice', position: 3 })]
    await remove(wine.id)
    expect((await ask('PATCH', '/order', { ids: [rice.id, tea.id] })).statusCode).toBe(204)
    const replies = await Promise.all([restore(wine.id), restore(wine.id, owner.headers)])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const all = (await app.inject({ url: '/api/admin/data-products', headers: staff.headers })).json<{ slug: string; hidden: boolean }[]>()
    expect(all.map(({ slug, hidden }) => [slug, hidden])).toEqual([
      ['wine', true],
      ['rice', false],
      ['tea', false],
    ])
    const events = db.selectFrom('auditEvents').select('detail').where('action', '=', 'product_removal_undone')
    expect((await events.execute()).filter(({ detail }) => detail['product'] === wine.id)).toHaveLength(1)
  })

  test('its data are erased a month after its last removal, and not before', async () => {
    const product = await makeProduct({ slug: 'wine' })
    const { id: versionId } = await makeDataset(product, 'shop,price\nNorth,1.5\n')
    await remove(product.id)
    const [job] = await db.selectFrom('jobs').select('runAt').where('kind', '=', 'datasets.erase').execute()
    expect(Math.round(((job?.runAt.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(30)
    const erase = async () => run('datasets.erase', { productId: product.id })
    const sweep = async () => run('datasets.sweep', { versionId })
    await removedDaysAgo(29)
    await erase()
    await sweep()
    expect((await restore(product.id)).json()).toMatchObject({ rows: 1 })

    await erase()
    await remove(product.id)
    await removedDaysAgo(31)
    await erase()
    await sweep()
    expect(await db.selectFrom('datasetFiles').selectAll().where('versionId', '=', versionId).execute()).toEqual([])
    const late = await restore(product.id)
    expect([late.statusCode, late.json().code]).toEqual([409, 'too_late'])
  })
})

describe('error', () => {
  test('a slug that another product has meanwhile keeps it removed, also when both come at the same moment', async () => {
    const { id } = await makeProduct({ slug: 'wine' })
    await remove(id)
    const [restored, made] = await Promise.all([restore(id), ask('POST', '', body)])
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual([restored.statusCode, made.statusCode])
    await db.deleteFrom('dataProducts').execute()

    const product = await makeProduct({ slug: 'wine' })
    await remove(product.id)
    expect((await ask('POST', '', body)).statusCode).toBe(201)
    const refused = await restore(product.id)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'slug_taken'])
    expect((await ask('GET', '/wine')).json().name).toBe('Wine')
    expect((await restore(newId())).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('only staff restore a product', async () => {
    const { id } = await makeProduct({ slug: 'wine' })
    await remove(id)
    expect([(await restore(id, {})).statusCode, (await restore(id, customer.headers)).statusCode]).toEqual([401, 403])
    expect(await statusFor('wine', staff.headers)).toBe(404)
  })
})
