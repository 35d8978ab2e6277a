import { describe, expect, test } from 'vitest'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const [free, paid] = await Promise.all([makeProduct(), makeProduct({ priceCents: 900 })])
for (const product of [free, paid]) await makeDataset(product, 'shop,price\nNorth,1.5\nSouth,2.5\nNorth,3.5\n')
const customer = await signIn()

const count = async (id: string, query: string, headers: Record<string, string> = customer.headers) => {
  const reply = await app.inject({ url: `/api/data-products/${id}/count?${query}`, headers })
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}

test('rows that fit all conditions are counted', async () => {
  const asked = ['', 'shop[eq]=North', 'shop[eq]=North&price[gt]=2', 'price[gte]=100'].map(
    async (query) => (await count(free.slug, query)).body,
  )
  expect(await Promise.all(asked)).toEqual([{ rows: 3 }, { rows: 2 }, { rows: 1 }, { rows: 0 }])
})

describe('error', () => {
  test('what no column can answer is named', async () => {
    expect(await count(free.id, 'colour[eq]=red')).toMatchObject({ status: 422, body: { errors: { colour: 'There is no column colour' } } })
    expect((await count('unknown', '')).status).toBe(404)
    expect((await count((await makeProduct()).id, '')).status).toBe(409)
  })
})

describe('security', () => {
  test('a count tells of the data, so it is for those who may have them', async () => {
    expect((await count(free.id, '', {})).status).toBe(401)
    expect((await count(paid.id, '')).status).toBe(402)
    expect((await count(free.id, '', (await signIn('customer', { emailConfirmedAt: null })).headers)).status).toBe(403)
    expect((await count(paid.id, '', (await signIn('staff')).headers)).body).toEqual({ rows: 3 })
    const hidden = await makeProduct({ hidden: true })
    await makeDataset(hidden, 'shop\nNorth\n')
    expect((await count(hidden.id, '')).status).toBe(404)
    expect((await count(hidden.slug, '', (await signIn('staff')).headers)).body).toEqual({ rows: 1 })
  })
})
