import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { insertOrganization } from '#app/organizations/organization/organization.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { listEndpoints, startEndpoints } from './app.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from './factories.ts'

// Every endpoint of organizations, and every one that acts for an organization, times everyone who may ask: in each role, of another organization,
// removed a second ago, of a suspended or closed one, staff and the owner.

const callers = ['anonymous', 'reader', 'member', 'buyer', 'admin', 'other', 'removed', 'suspended', 'closed', 'staff', 'owner'] as const
type Caller = (typeof callers)[number]
/** One status for each of the callers, in order. */
type Answers = readonly [number, number, number, number, number, number, number, number, number, number, number]
type Line = { answers: Answers; body?: object | (() => object); path?: () => string }

const app = await startEndpoints()
const people = new Map<Caller, SignedIn>()
const places = new Map<Caller, string>()
const names = { company: '', paid: '', colleague: '', key: '', invitation: '' }
beforeEach(closeLimits)

/** Members in every role; a suspended organization can still be read. Others do not know of it; staff act on behalf of its admins. */
const seeing = (done: number): Answers => [401, done, done, done, done, 404, 404, done, 404, done, done]
const managing = (done: number): Answers => [401, 403, 403, 403, done, 404, 404, 403, 404, done, done]
/** For the organization that the header names: who is no member is refused. Staff act for themselves. */
const taking = (done: number): Answers => [401, 403, done, done, done, 403, 403, 403, 403, 403, 403]
const reading = (done: number): Answers => [401, done, done, done, done, 403, 403, done, 403, 403, 403]
const buying = (done: number): Answers => [401, 403, 403, done, done, 403, 403, 403, 403, 403, 403]
const anyone = (done: number): Answers => [401, done, done, done, done, done, done, done, done, done, done]

const staffOnly = (done: number): Answers => [401, 403, 403, 403, 403, 403, 403, 403, 403, done, done]

const unknownInvitation =
  (rest = '') =>
  () =>
    `/api/organization-invitations/${newId()}${rest}`

const lines: Record<string, Line> = {
  'GET /api/organizations': { answers: anyone(200) },
  'POST /api/organizations': { body: { name: 'Another' }, answers: anyone(201) },
  'PUT /api/organizations/current': {
    body: () => ({ id: names.company }),
    answers: [401, 204, 204, 204, 204, 404, 404, 204, 404, 404, 404],
  },
  'GET /api/organizations/:id': { answers: seeing(200) },
  'PATCH /api/organizations/:id': { body: { version: 99 }, answers: managing(409) },
  'DELETE /api/organizations/:id': { answers: [401, 403, 403, 403, 204, 404, 404, 403, 404, 404, 404] },
  'GET /api/organizations/:id/members': { answers: seeing(200) },
  'PATCH /api/organizations/:id/members/:userId': { body: { role: 'member' }, answers: managing(200) },
  // The admin removes the colleague, so the others find nobody.
  'DELETE /api/organizations/:id/members/:userId': { answers: [401, 403, 403, 403, 204, 404, 404, 403, 404, 404, 404] },
  'GET /api/organizations/:id/invitations': { answers: managing(200) },
  'POST /api/organizations/:id/invitations': { body: () => ({ email: `${newId()}@example.com`, role: 'member' }), answers: managing(201) },
  'POST /api/organizations/:id/invitations/:invitationId/send': { answers: managing(404) },
  'DELETE /api/organizations/:id/invitations/:invitationId': { answers: managing(404) },
  'GET /api/organizations/:id/domains': { answers: managing(200) },
  'POST /api/organizations/:id/domains': { body: () => ({ domain: `shop-${newId()}.example` }), answers: managing(201) },
  'POST /api/organizations/:id/domains/:domainId/check': { answers: managing(404) },
  // Without a record only staff confirm it.
  'POST /api/organizations/:id/domains/:domainId/prove': { answers: [401, 403, 403, 403, 403, 403, 403, 403, 403, 404, 404] },
  'POST /api/organizations/:id/domains/:domainId/restore': { answers: managing(404) },
  'DELETE /api/organizations/:id/domains/:domainId': { answers: managing(404) },
  'GET /api/organization-offers': { answers: anyone(200) },
  'POST /api/organization-offers/:id/ask': { path: () => `/api/organization-offers/${newId()}/ask`, answers: anyone(404) },
  'GET /api/organizations/:id/join-requests': { answers: managing(200) },
  'POST /api/organizations/:id/join-requests/:requestId/accept': { body: { role: 'member' }, answers: managing(404) },
  'POST /api/organizations/:id/join-requests/:requestId/decline': { answers: managing(404) },
  'GET /api/organizations/:id/sign-in': { answers: managing(200) },
  'PUT /api/organizations/:id/sign-in': { body: { provider: '' }, answers: managing(200) },
  'GET /api/organizations/:id/audit.csv': { answers: managing(200) },
  'GET /api/organizations/:id/invoices': { answers: [401, 403, 403, 200, 200, 404, 404, 403, 404, 403, 403] },
  'GET /api/organizations/:id/keys': { answers: managing(200) },
  'POST /api/organizations/:id/keys': { body: { name: 'Warehouse' }, answers: managing(201) },
  'POST /api/organizations/:id/keys/:keyId/rotate': { body: {}, answers: managing(404) },
  'PATCH /api/organizations/:id/keys/:keyId': { body: { monthlyQuota: 10 }, answers: managing(404) },
  'DELETE /api/organizations/:id/keys/:keyId': { answers: managing(404) },
  'POST /api/organizations/:id/keys/:keyId/restore': { answers: managing(404) },
  'GET /api/organization-invitations': { answers: anyone(200) },
  'POST /api/organization-invitations/:id/accept': { body: {}, path: unknownInvitation('/accept'), answers: anyone(404) },
  'POST /api/organization-invitations/:id/decline': { path: unknownInvitation('/decline'), answers: anyone(404) },

  'GET /api/admin/organizations': { answers: staffOnly(200) },
  'POST /api/admin/organizations': { body: { name: 'Added' }, answers: staffOnly(201) },
  'GET /api/admin/organizations/:id': { answers: staffOnly(200) },
  'PATCH /api/admin/organizations/:id': { body: { version: 99 }, answers: staffOnly(409) },
  'PUT /api/admin/organizations/:id/state': { body: { state: 'active' }, answers: staffOnly(200) },
  'POST /api/admin/organizations/:id/admin': { body: { email: 'nobody@example.com' }, answers: staffOnly(422) },
  'POST /api/admin/organizations/:id/merge': { body: { into: 'O-NONE' }, answers: staffOnly(422) },
  'POST /api/admin/organization-merges/:mergeId/undo': {
    path: () => `/api/admin/organization-merges/${newId()}/undo`,
    answers: staffOnly(404),
  },
  'GET /api/admin/organizations/:id/people': { answers: staffOnly(200) },
  'GET /api/admin/organizations/:id/calls': { answers: staffOnly(200) },
  'GET /api/admin/organizations/:id/orders': { answers: staffOnly(200) },
  'GET /api/admin/organizations/:id/entitlements': { answers: staffOnly(200) },

  'POST /api/keys': { body: { name: 'Import' }, answers: taking(201) },
  'GET /api/data-products': { answers: [200, 200, 200, 200, 200, 403, 403, 200, 403, 403, 403] },
  'GET /api/data-products/:idOrSlug': { answers: [200, 200, 200, 200, 200, 403, 403, 200, 403, 403, 403] },
  'GET /api/data-products/:id/own-access': { answers: reading(200) },
  'GET /api/data-products/:id/count': { answers: reading(200) },
  'POST /api/data-products/:id/download': { body: { downloadType: 'api' }, answers: taking(200) },
  'POST /api/data-products/:id/query': { body: { sql: 'SELECT 1', version: 99 }, answers: taking(404) },
  'POST /api/data-products/:id/request-access': { body: {}, answers: [401, 409, 409, 409, 409, 403, 403, 409, 403, 403, 403] },
  'GET /api/subscriptions': { answers: buying(200) },
  'POST /api/subscriptions/:reference/payment-method': { answers: buying(404) },
  'POST /api/subscriptions/:reference/cancel': { body: { when: 'now' }, answers: buying(404) },
  'POST /api/subscriptions/:reference/continue': { answers: buying(404) },
  'POST /api/subscriptions/:reference/plan': { body: { offerId: 'none' }, answers: buying(404) },
  'POST /api/subscriptions/:reference/test-clock': { body: { turn: 'renew' }, answers: buying(404) },
  'GET /api/v1/datasets': { answers: reading(200) },
  'GET /api/v1/datasets/:slug': { answers: reading(200) },
  'GET /api/v1/datasets/:slug/rows': { answers: reading(200) },
  'GET /api/v1/datasets/:slug/schema': { answers: reading(200) },
  'GET /api/v1/datasets/:slug/download': { path: () => `/api/v1/datasets/${names.paid}/download?format=original`, answers: taking(200) },
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const endpoints = (await listEndpoints()).flatMap(({ method: given, url }) =>
  methods.flatMap((method) => {
    const name = `${method} ${url}`
    const isOurs = /^\/api\/(admin\/)?organization/.test(url) || name in lines
    return isOurs && [given].flat().includes(method) ? { name, method, url } : []
  }),
)

beforeAll(async () => {
  const paid = await makeProduct({ priceCents: 4900 })
  await makeDataset(paid, 'shop,price\nNorth,1.50\nSouth,2.25\n')
  names.paid = paid.slug
  for (const caller of callers)
    if (caller !== 'anonymous') people.set(caller, await signIn(caller === 'staff' || caller === 'owner' ? caller : 'customer'))
  names.colleague = (await signIn()).user.id
  names.company = await company(paid.id)
})

/** A company with everyone in their role. Suspended and closed ones are others with the same facts. */
async function company(productId: string): Promise<string> {
  const make = async (state: 'active' | 'suspended' | 'closed') => {
    const id = await transaction((trx) => insertOrganization(trx, 'Acme Retail'))
    await db.updateTable('organizations').set({ state }).where('id', '=', id).execute()
    await db.insertInto('entitlements').values({ id: newId(), productId, organizationId: id, userId: null, grantedBy: newId() }).execute()
    return id
  }
  const join = (organizationId: string, caller: Caller, role: 'reader' | 'member' | 'buyer' | 'admin') =>
    db
      .insertInto('organizationMembers')
      .values({ organizationId, userId: people.get(caller)?.user.id ?? '', role })
      .execute()
  const [active, suspended, closed, other] = [await make('active'), await make('suspended'), await make('closed'), await make('active')]
  for (const role of ['reader', 'member', 'buyer', 'admin'] as const) await join(active, role, role)
  await db.insertInto('organizationMembers').values({ organizationId: active, userId: names.colleague, role: 'member' }).execute()
  await join(suspended, 'suspended', 'admin')
  await join(closed, 'closed', 'admin')
  await join(other, 'other', 'admin')
  places.set('suspended', suspended)
  places.set('closed', closed)
  return active
}

const idFor = (caller: Caller) => places.get(caller) ?? names.company

function addressOf(url: string, caller: Caller, { path }: Line): string {
  if (path) return path()
  return url
    .replace(':userId', url.includes('members') ? names.colleague : newId())
    .replace(/:(invitationId|keyId|domainId|requestId)/, newId())
    .replace(/:(id|slug|idOrSlug)\b/, /^\/api\/(admin\/)?organizations/.test(url) ? idFor(caller) : names.paid)
}

test('each endpoint of organizations has its line, and each line its endpoint', () => {
  expect(endpoints.flatMap(({ name }) => (name in lines ? [] : name))).toEqual([])
  expect(Object.keys(lines).filter((line) => !endpoints.some(({ name }) => name === line))).toEqual([])
})

// The last ones change what the others need.
const order = ({ name }: { name: string }) => (name === 'DELETE /api/organizations/:id' ? 1 : 0)

test.each(endpoints.toSorted((one, other) => order(one) - order(other)))(
  '$name answers everyone as it is declared',
  async ({ name, method, url }) => {
    const line = lines[name]
    if (!line) throw new Error(`${name} has no line.`)
    // Only these act for the organization of the header; the others name it in their address.
    const isByHeader = !/^\/api\/(admin\/)?organization/.test(url)
    const found = []
    for (const caller of callers) {
      const payload = typeof line.body === 'function' ? line.body() : (line.body ?? {})
      const { statusCode } = await app.inject({
        method,
        url: addressOf(url, caller, line),
        headers: { ...people.get(caller)?.headers, ...(isByHeader && caller !== 'anonymous' && { organization: idFor(caller) }) },
        ...(method !== 'GET' && { payload: caller === 'suspended' && name.endsWith('/current') ? { id: idFor(caller) } : payload }),
      })
      found.push([caller, statusCode])
    }
    expect(found).toEqual(callers.map((caller, at) => [caller, line.answers[at]]))
  },
)

test('a key opens the datasets of its organization alone, and ends with the role that may have one', async () => {
  const member = people.get('member')
  if (!member) throw new Error('No member')
  const { key } = await makeKey(ownKeys(member.user.id, names.company), { name: 'Import', productIds: null, expiresInDays: null }, {})
  const read = async () =>
    (await app.inject({ url: `/api/v1/datasets/${names.paid}/rows`, headers: { authorization: `Bearer ${key}` } })).statusCode
  const set = (change: object) =>
    db
      .updateTable('organizationMembers')
      .set(change)
      .where('userId', '=', member.user.id)
      .where('organizationId', '=', names.company)
      .execute()
  expect(await read()).toBe(401)
  await db.updateTable('organizations').set({ state: 'active' }).where('id', '=', names.company).execute()
  await db.updateTable('apiKeys').set({ revokedAt: null }).execute()
  expect(await read()).toBe(200)
  await set({ role: 'reader' })
  expect(await read()).toBe(403)
  await set({ role: 'member' })
  await db.updateTable('organizations').set({ state: 'suspended' }).where('id', '=', names.company).execute()
  expect(await read()).toBe(403)
})
