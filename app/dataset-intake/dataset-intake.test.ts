import { describe, expect, test } from 'vitest'
import { db } from '#app/platform/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  url: string,
  payload?: object,
  headers: Record<string, string> = staff.headers,
) => app.inject({ method, url, headers, ...(payload && { payload }) })

describe('happy', () => {
  test('a version is published with its sample; a second one tells how it differs, and can be taken back', async () => {
    const product = await makeProduct({ maskedColumns: ['buyer'], columnDescriptions: JSON.stringify({ price: 'In euros' }) })
    await makeDataset(product, 'shop,price,buyer\nNorth,1.5,Ada\nSouth,2,\n')
    const { json } = await ask('GET', `/api/data-products/${product.slug}`, undefined, {})
    const detail = json()
    expect(detail).toMatchObject({
      rows: 2,
      access: 'signIn',
      sampleData: JSON.stringify([
        { shop: 'North', price: 1.5, buyer: '•••' },
        { shop: 'South', price: 2, buyer: null },
      ]),
      columns: [
        { name: 'shop', type: 'text', fillRate: 1 },
        { name: 'price', type: 'number', description: 'In euros', min: '1.5', max: '2.0' },
        { name: 'buyer', type: 'text', fillRate: 0.5, masked: true, min: null, topValues: [] },
      ],
      versions: [{ number: 1, rows: 2, isCurrent: true, difference: null }],
    })

    await makeDataset(product, 'shop,price,buyer\nNorth,1.5,Ada\nEast,3,Bo\nWest,4,Cy\n', { changes: 'Two shops more' })
    const after = (await ask('GET', `/api/data-products/${product.id}`)).json()
    expect(after).toMatchObject({
      rows: 3,
      access: 'granted',
      versions: [{ number: 2, changes: 'Two shops more', difference: { previous: 1, addedRows: 2, removedRows: 1 } }, { number: 1 }],
    })
    const back = await ask('POST', `/api/data-products/${product.id}/versions/1/current`)
    expect(back.statusCode).toBe(204)
    expect((await ask('GET', `/api/data-products/${product.id}`)).json()).toMatchObject({
      rows: 2,
      versions: [{ isCurrent: false }, { isCurrent: true }],
    })
    const audited = await db.selectFrom('auditEvents').select('action').where('actorId', '=', staff.user.id).execute()
    expect(audited).toEqual([{ action: 'dataset_rolled_back' }])
  })
})
