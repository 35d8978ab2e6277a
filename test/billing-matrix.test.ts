import { beforeAll, beforeEach, expect, test } from 'vitest'
import { insertOrganization } from '#app/organizations/organization/organization.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { listEndpoints, startEndpoints } from './app.ts'
import { makeOrder, pressTest, startTestCheckout } from './billing.ts'
import { signIn, type SignedIn } from './factories.ts'

// Every endpoint about money times every kind of caller: each has its line here, or the first test fails.

const callers = ['anonymous', 'reader', 'member', 'buyer', 'admin', 'other', 'staff', 'trusted staff', 'owner'] as const
type Caller = (typeof callers)[number]
type Answers = readonly [number, number, number, number, number, number, number, number, number]
type Line = { answers: Answers; body?: object; path?: () => string }

const app = await startEndpoints()
const people = new Map<Caller, SignedIn>()
const names = { company: '', reference: '', order: '', payment: '', invoice: '' }
beforeEach(closeLimits)

/** Staff read; those to whom the owner gave the right change. The members of a company have pages of their own. */
const staff = (done: number): Answers => [401, 403, 403, 403, 403, 403, done, done, done]
const trusted = (done: number): Answers => [401, 403, 403, 403, 403, 403, 403, done, done]
/** Those who buy. Orders and invoices of others do not exist. */
const buying = (done: number, ofOthers = 404): Answers => [401, 403, 403, done, done, 404, ofOthers, ofOthers, ofOthers]
/** Everyone buys for an organization of their own. */
const buyer = (done: number): Answers => [401, 403, 403, done, done, done, done, done, done]
const owned = (done: number): Answers => [401, 403, 403, 403, 403, 403, 403, 403, done]
const noOne = (code: number): Answers => [code, code, code, code, code, code, code, code, code]
const desk = '/api/admin/billing'
const unknown = (rest: string) => () => rest.replace('{}', newId())

const lines: Record<string, Line> = {
  'GET /api/orders': { answers: [401, 200, 200, 200, 200, 200, 200, 200, 200] },
  'POST /api/orders/:reference/cancel': { answers: buying(409) },
  // Only the signature counts.
  'POST /api/payment-events/:provider': { path: () => '/api/payment-events/test', answers: noOne(403) },
  'GET /api/invoices/:id/pdf': { path: unknown('/api/invoices/{}/pdf'), answers: [401, 404, 404, 404, 404, 404, 404, 404, 404] },
  'GET /api/invoices/:id/xml': { path: unknown('/api/invoices/{}/xml'), answers: [401, 404, 404, 404, 404, 404, 404, 404, 404] },
  'POST /api/invoices/:id/correct': { path: unknown('/api/invoices/{}/correct'), body: { reason: 'A name' }, answers: trusted(404) },
  [`GET ${desk}/orders`]: { answers: staff(200) },
  [`GET ${desk}/orders.csv`]: { answers: staff(200) },
  [`GET ${desk}/invoices`]: { answers: staff(200) },
  [`GET ${desk}/invoices.csv`]: { answers: staff(200) },
  [`GET ${desk}/payments`]: { answers: staff(200) },
  [`GET ${desk}/payments.csv`]: { answers: staff(200) },
  [`GET ${desk}/subscriptions`]: { answers: staff(200) },
  [`GET ${desk}/subscriptions.csv`]: { answers: staff(200) },
  [`GET ${desk}/payments/:id`]: { answers: staff(200) },
  [`GET ${desk}/orders/:reference`]: { answers: staff(200) },
  [`POST ${desk}/orders/:reference/cancel`]: { body: { reason: 'A test' }, answers: trusted(409) },
  [`POST ${desk}/orders/:reference/cancel/approve`]: { answers: trusted(409) },
  [`POST ${desk}/orders/:reference/cancel/decline`]: { body: { reason: 'A test' }, answers: trusted(409) },
  [`POST ${desk}/payments`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/payments/:id/allocate`]: { body: {}, answers: trusted(422) },
  [`PUT ${desk}/orders/:reference/reminders`]: { body: {}, answers: trusted(422) },
  [`GET ${desk}/figures`]: { answers: staff(200) },
  [`GET ${desk}/months`]: { answers: staff(200) },
  [`GET ${desk}/months/:month/journal.csv`]: { path: () => `${desk}/months/2026-01/journal.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/open-items.csv`]: { path: () => `${desk}/months/2026-01/open-items.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/vat.csv`]: { path: () => `${desk}/months/2026-01/vat.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/ec-sales.csv`]: { path: () => `${desk}/months/2026-01/ec-sales.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/us-sales.csv`]: { path: () => `${desk}/months/2026-01/us-sales.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/datev.csv`]: { path: () => `${desk}/months/2026-01/datev.csv`, answers: staff(200) },
  [`GET ${desk}/months/:month/documents.zip`]: { path: () => `${desk}/months/2026-01/documents.zip`, answers: staff(200) },
  // It is not over yet.
  [`POST ${desk}/months/:month/close`]: { path: () => `${desk}/months/2099-01/close`, answers: trusted(409) },
  [`GET ${desk}/tasks`]: { answers: staff(200) },
  [`POST ${desk}/tasks/:id/done`]: { answers: trusted(409) },
  [`GET ${desk}/disputes/:id/evidence`]: { answers: staff(404) },
  [`POST ${desk}/payments/:id/refunds`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/refunds/:id/approve`]: { answers: trusted(409) },
  [`POST ${desk}/refunds/:id/decline`]: { body: { reason: 'A test' }, answers: trusted(404) },
  [`POST ${desk}/refunds/:id/sent`]: { answers: trusted(404) },
  [`POST ${desk}/test-payments/:id/dispute`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/test-refunds/:id/fail`]: { answers: trusted(404) },
  [`GET ${desk}/discounts`]: { answers: trusted(200) },
  [`POST ${desk}/discounts`]: { body: {}, answers: trusted(422) },
  [`PUT ${desk}/discounts/:id/archived`]: { body: { archived: true }, answers: trusted(404) },
  [`GET ${desk}/test-data`]: { answers: owned(200) },
  [`POST ${desk}/test-data/remove`]: { body: { orders: 0 }, answers: owned(409) },
  [`GET ${desk}/transfers`]: { answers: staff(200) },
  [`POST ${desk}/transfers/import`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/transfers/:id/decide`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/transfers/:id/pay`]: { body: {}, answers: trusted(422) },
  [`POST ${desk}/transfers/:id/ignore`]: { answers: trusted(409) },
  [`POST ${desk}/transfers/:id/reopen`]: { answers: trusted(409) },

  'GET /api/own-proposals': { answers: [401, 200, 200, 200, 200, 200, 200, 200, 200] },
  'GET /api/leads/:reference/proposals': { answers: staff(404) },
  'POST /api/leads/:reference/proposals': { answers: staff(404) },
  'GET /api/proposals/:id': { answers: staff(404) },
  'GET /api/proposals/:id/signed.pdf': { answers: staff(404) },
  'PUT /api/proposals/:id': { answers: staff(422) },
  'DELETE /api/proposals/:id': { answers: staff(404) },
  'POST /api/proposals/:id/send': { answers: staff(404) },
  'POST /api/proposals/:id/withdraw': { body: { reason: '' }, answers: staff(404) },
  'PUT /api/proposals/:id/questions/:questionId': { path: unknown('/api/proposals/{}/questions/x'), answers: staff(422) },
  'POST /api/proposals/:id/countersign': { body: { name: 'Ada' }, answers: staff(404) },
  'POST /api/proposals/:id/start': { body: { reason: 'A test' }, answers: staff(404) },
  'POST /api/proposals/:id/final': { answers: staff(404) },

  'GET /api/subscriptions': { answers: buyer(200) },
  'POST /api/subscriptions/:reference/payment-method': { answers: buyer(404) },
  'POST /api/subscriptions/:reference/cancel': { body: { when: 'now' }, answers: buyer(404) },
  'POST /api/subscriptions/:reference/continue': { answers: buyer(404) },
  'POST /api/subscriptions/:reference/plan': { body: { offerId: newId() }, answers: buyer(404) },
  'POST /api/subscriptions/:reference/test-clock': { body: { turn: 'renew' }, answers: buyer(404) },
  'POST /api/admin/subscriptions/:reference/reopen': { body: { paymentId: newId() }, answers: trusted(404) },
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const endpoints = (await listEndpoints()).flatMap(({ method: given, url }) =>
  methods.flatMap((method) => {
    const isMoney =
      /^\/api\/(admin\/(billing|subscriptions)|invoices|leads\/:reference\/proposals|orders|own-proposals|payment-events|proposals|subscriptions)\b/.test(
        url,
      )
    return isMoney && [given].flat().includes(method) ? { name: `${method} ${url}`, method, url } : []
  }),
)

beforeAll(async () => {
  names.company = await transaction((trx) => insertOrganization(trx, 'Acme Retail'))
  for (const caller of callers) {
    if (caller !== 'anonymous') people.set(caller, await signIn(/staff/.test(caller) ? 'staff' : caller === 'owner' ? 'owner' : 'customer'))
  }
  for (const role of ['reader', 'member', 'buyer', 'admin'] as const) {
    const userId = people.get(role)?.user.id ?? ''
    await db.insertInto('organizationMembers').values({ organizationId: names.company, userId, role }).execute()
  }
  await db
    .updateTable('users')
    .set({ rights: JSON.stringify(['billing.write']) })
    .where('id', '=', people.get('trusted staff')?.user.id ?? '')
    .execute()
  const order = await makeOrder({ userId: people.get('buyer')?.user.id ?? '', organizationId: names.company })
  await pressTest(await startTestCheckout(order.id), 'pay')
  const { id } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()
  Object.assign(names, { reference: order.reference, order: order.id, payment: id })
})

test('each endpoint about money has its line, and each line its endpoint', () => {
  expect(endpoints.flatMap(({ name }) => (name in lines ? [] : name))).toEqual([])
  expect(Object.keys(lines).filter((line) => !endpoints.some(({ name }) => name === line))).toEqual([])
})

test.each(endpoints)('$name answers everyone as it is declared', async ({ name, method, url }) => {
  const line = lines[name]
  if (!line) throw new Error(`${name} has no line.`)
  const found = []
  for (const caller of callers) {
    const { statusCode } = await app.inject({
      method,
      url: line.path?.() ?? url.replace(':reference', names.reference).replace(':id', names.payment),
      headers: {
        ...people.get(caller)?.headers,
        ...(['reader', 'member', 'buyer', 'admin'].includes(caller) && { organization: names.company }),
      },
      ...(method !== 'GET' && { payload: line.body ?? {} }),
    })
    found.push([caller, statusCode])
  }
  expect(found).toEqual(callers.map((caller, at) => [caller, line.answers[at]]))
})

test('readers and members see what was bought, and no amount or invoice; buyers see both; others see nothing of it', async () => {
  const read = async (caller: Caller, query = '') => {
    const headers = { ...people.get(caller)?.headers, ...(caller !== 'other' && { organization: names.company }) }
    return (await app.inject({ url: `/api/orders${query}`, headers })).json().items
  }
  for (const caller of ['reader', 'member'] as const)
    expect(await read(caller)).toMatchObject([{ state: 'paid', net: null, tax: null, gross: null, invoices: [] }])
  const bought = { state: 'paid', gross: 14_900, invoices: [{ title: expect.stringMatching(/^Invoice TEST-/), pdfUrl: null }] }
  for (const caller of ['buyer', 'admin'] as const) expect(await read(caller)).toMatchObject([bought])
  expect(await read('buyer', `?reference=${names.reference}`)).toMatchObject([bought])
  expect(await read('buyer', '?reference=B-NONE')).toEqual([])
  expect(await read('other', `?reference=${names.reference}`)).toEqual([])
})
