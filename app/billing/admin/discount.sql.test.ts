import { beforeEach, describe, expect, test } from 'vitest'
import { findDiscount } from '#app/billing/orders/discount.server.ts'
import { businessDay, daysLater } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeOrder } from '#test/billing.ts'
import { makeProduct, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const [clerk, reader, customer] = [await signIn('staff', { rights: '["billing.write"]' }), await signIn('staff'), await signIn()]
beforeEach(closeLimits)

const DISCOUNTS = '/api/admin/billing/discounts'
const tenth = { share: 1000, amount: null, currency: null, productId: null, mostUses: null, lastDay: null }
const today = businessDay(new Date(), billing.zone)
const make = (body: object, { headers } = clerk) => app.inject({ method: 'POST', url: DISCOUNTS, headers, payload: { ...tenth, ...body } })
const archive = (id: string, archived: boolean, { headers } = clerk) =>
  app.inject({ method: 'PUT', url: `${DISCOUNTS}/${id}/archived`, headers, payload: { archived } })
const list = async (query = '') => (await app.inject({ url: `${DISCOUNTS}${query}`, headers: clerk.headers })).json().discounts
const actionsOf = async (subjectId: string) =>
  (await db.selectFrom('auditEvents').select('action').where('subjectId', '=', subjectId).orderBy('id').execute()).map(
    ({ action }) => action,
  )

describe('happy', () => {
  test('a code of a percentage for one dataset holds through its last day, and its uses are counted until it has ended', async () => {
    const product = await makeProduct({ priceCents: 14_900, name: 'Prices of shoes' })
    const made = await make({ code: ' spring-26 ', share: 1250, productId: product.id, mostUses: 1, lastDay: today })
    expect(made.statusCode).toBe(201)
    const { id } = made.json()
    const found = await findDiscount({ code: 'spring-26', productId: product.id, organizationId: customer.user.id, currency: 'USD' })
    expect(found).toMatchObject({ id, share: 1250 })
    expect(await list('?q=shoes')).toMatchObject([
      { code: 'SPRING-26', share: 1250, product: 'Prices of shoes', uses: 0, mostUses: 1, lastDay: today, state: 'usable' },
    ])
    const order = await makeOrder({ userId: customer.user.id, productId: product.id })
    await db.insertInto('discountUses').values({ codeId: id, organizationId: customer.user.id, orderId: order.id }).execute()
    expect(await list('?q=shoes')).toEqual([])
    expect(await list('?q=shoes&state=ended')).toMatchObject([{ id, uses: 1, state: 'ended' }])
  })

  test('an archived code is refused at an order, an undo brings it back, and the log names both; codes are listed page by page', async () => {
    const { id } = (await make({ code: 'TWENTY', share: null, amount: 2000, currency: 'USD' })).json()
    const wanted = { code: 'TWENTY', productId: newId(), organizationId: customer.user.id, currency: 'USD' }
    expect((await archive(id, true)).statusCode).toBe(204)
    await expect(findDiscount(wanted)).rejects.toMatchObject({ data: 'There is no such discount code.' })
    expect(await list('?q=twenty&state=archived')).toMatchObject([{ id, amount: 2000, currency: 'USD', product: null }])
    for (const archived of [false, false]) expect((await archive(id, archived)).statusCode).toBe(204)
    expect(await findDiscount(wanted)).toMatchObject({ id, amount: 2000 })
    expect(await actionsOf(id)).toEqual(['discount_code_made', 'discount_code_archived', 'discount_code_restored'])
    await make({ code: 'ELEVEN' })
    const url = `${DISCOUNTS}?sort=code&limit=1`
    const first = (await app.inject({ url, headers: clerk.headers })).json()
    const second = (await app.inject({ url: `${url}&cursor=${first.nextCursor}`, headers: clerk.headers })).json()
    expect([first.discounts[0].code, second.discounts[0].code, second.nextCursor]).toEqual(['ELEVEN', 'TWENTY', null])
  })
})

describe('error', () => {
  test.each([
    ['a code with a space', { code: 'TWO WORDS' }, 'code'],
    ['more than everything', { code: 'ALL', share: 10_001 }, 'share'],
    ['both a share and an amount', { code: 'BOTH', amount: 100, currency: 'USD' }, 'share'],
    ['an amount without its currency', { code: 'NAKED', share: null, amount: 100 }, 'currency'],
    ['a day that has passed', { code: 'LATE', lastDay: daysLater(today, -1) }, 'lastDay'],
    ['a dataset that does not exist', { code: 'NONE', productId: newId() }, 'productId'],
    ['no use at all', { code: 'NEVER', mostUses: 0 }, 'mostUses'],
  ])('%s is refused at its field', async (_name, body, field) => {
    const refused = await make(body)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]])
  })

  test('a code that exists is refused; an archived one frees its name, and is not brought back beside the new one', async () => {
    const { id } = (await make({ code: 'TWICE' })).json()
    expect((await make({ code: 'twice' })).json().errors).toEqual({ code: 'There is such a code already' })
    await archive(id, true)
    expect((await make({ code: 'TWICE' })).statusCode).toBe(201)
    const refused = await archive(id, false)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'code_taken'])
  })
})

describe('security', () => {
  test('staff without the right and customers neither see nor change codes', async () => {
    const { id } = (await make({ code: 'SECRET' })).json()
    for (const who of [reader, customer]) {
      const read = await app.inject({ url: DISCOUNTS, headers: who.headers })
      const answers = [read, await make({ code: 'MINE' }, who), await archive(id, true, who)]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
    }
    expect(await list('?q=SECRET')).toMatchObject([{ id, state: 'usable' }])
  })
})
