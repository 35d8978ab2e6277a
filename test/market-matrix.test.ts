import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKey, revokeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { listEndpoints, startEndpoints } from './app.ts'
import { tus } from './tus.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from './factories.ts'

// Every endpoint of the data marketplace times every kind of caller: each has its line here, or the first test fails.

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const callers = [
  'anonymous',
  'customer',
  'entitled customer',
  'other customer',
  'staff',
  'owner',
  'key',
  'key without the scope',
  'revoked key',
] as const

/** One status for each of the callers, in order. */
type Answers = readonly [number, number, number, number, number, number, number, number, number]
type Line = { answers: Answers; body?: object; query?: string; headers?: Record<string, string>; path?: () => string }

const app = await startEndpoints()
const headersOf = new Map<string, Record<string, string>>()
const names = { paid: '', key: '', link: '', nowhere: newId() }
beforeEach(closeLimits)

/** Anonymous; signed in; entitled; staff. A key works only for the Data API: elsewhere its caller is anonymous. */
const anyone: Answers = [200, 200, 200, 200, 200, 200, 200, 200, 200]
const signedIn = (done: number): Answers => [401, done, done, done, done, done, 401, 401, 401]
const having = (done: number): Answers => [401, 402, done, 402, done, done, 401, 401, 401]
const staff = (done: number): Answers => [401, 403, 403, 403, done, done, 401, 401, 401]
/** Records of the entitled customer: others get 404, in any role. */
const theirs = (done: number): Answers => [401, 404, done, 404, 404, 404, 401, 401, 401]

const nowhere = (rest: string) => () => rest.replace('{}', names.nowhere)
const product = { slug: 'another', name: 'Another', description: 'Another.', category: 'Prices', price: 0, isFree: true }

const lines: Record<string, Line> = {
  'GET /api/v1/datasets': { answers: [401, 200, 200, 200, 200, 200, 200, 200, 401] },
  'GET /api/v1/datasets/:slug': { answers: [401, 200, 200, 200, 200, 200, 200, 403, 401] },
  'GET /api/v1/datasets/:slug/schema': { answers: [401, 200, 200, 200, 200, 200, 200, 403, 401] },
  'GET /api/v1/datasets/:slug/rows': { answers: [401, 402, 200, 402, 200, 200, 200, 403, 401] },
  'GET /api/v1/datasets/:slug/download': { query: '?format=original', answers: [401, 402, 200, 402, 200, 200, 200, 403, 401] },
  'GET /api/v1/datasets/:slug/changes': { query: '?since=1', answers: [401, 402, 200, 402, 200, 200, 200, 403, 401] },

  'GET /api/keys': { answers: signedIn(200) },
  'POST /api/keys': { body: { name: 'Import' }, answers: signedIn(201) },
  'PATCH /api/keys/:id': { body: { name: 'Import' }, answers: theirs(200) },
  'POST /api/keys/:id/rotate': { body: { overlapHours: 1 }, answers: theirs(201) },
  'GET /api/keys/:id/usage': { answers: theirs(200) },
  'DELETE /api/keys/:id': { answers: theirs(204) },
  'POST /api/keys/:id/restore': { answers: theirs(200) },
  'PATCH /api/admin/keys/:id': { body: { monthlyQuota: 5000 }, answers: staff(200) },

  'GET /api/data-products': { answers: anyone },
  'GET /api/data-products/:idOrSlug': { answers: anyone },
  'GET /api/data-products/:id/manifest': { answers: anyone },
  'GET /api/data-products/:id/own-access': { answers: signedIn(200) },
  'GET /api/data-products/:id/count': { answers: having(200) },
  'POST /api/data-products/:id/download': { body: { downloadType: 'api' }, answers: having(200) },
  'GET /api/user/downloads': { answers: signedIn(200) },
  'POST /api/data-products/:id/query': { body: { sql: 'SELECT 1', version: 99 }, answers: having(404) },
  'GET /api/data-products/:id/queries': { answers: signedIn(200) },
  'POST /api/data-products/:id/queries': { body: { name: 'All', sql: 'SELECT 1' }, answers: signedIn(201) },
  'PATCH /api/saved-queries/:id': { body: { name: 'All' }, path: nowhere('/api/saved-queries/{}'), answers: signedIn(404) },
  'DELETE /api/saved-queries/:id': { path: nowhere('/api/saved-queries/{}'), answers: signedIn(404) },
  'GET /api/data-products/:id/past-queries': { answers: signedIn(200) },
  'DELETE /api/data-products/:id/past-queries': { answers: signedIn(204) },
  'POST /api/data-products/:id/request-access': { body: {}, answers: [401, 201, 409, 201, 409, 409, 401, 401, 401] },

  'GET /api/admin/data-products': { answers: staff(200) },
  'POST /api/data-products': { body: { ...product, slug: '-' }, answers: staff(422) },
  'PUT /api/data-products/:idOrSlug': { body: product, path: nowhere('/api/data-products/{}'), answers: staff(404) },
  'DELETE /api/data-products/:idOrSlug': { path: nowhere('/api/data-products/{}'), answers: staff(404) },
  'POST /api/data-products/:id/restore': { path: nowhere('/api/data-products/{}/restore'), answers: staff(404) },
  'POST /api/data-products/bulk': { body: { ids: ['x'], change: 'hide' }, answers: staff(422) },
  'PATCH /api/data-products/order': { body: { ids: ['x'] }, answers: staff(422) },
  'GET /api/data-products/:id/versions': { answers: staff(200) },
  'POST /api/data-products/:id/versions/:number/publish': {
    path: nowhere('/api/data-products/{}/versions/1/publish'),
    answers: staff(404),
  },
  'POST /api/data-products/:id/versions/:number/current': {
    path: nowhere('/api/data-products/{}/versions/1/current'),
    answers: staff(404),
  },
  'POST /api/data-products/:id/versions/:number/columns': {
    body: { names: [{ column: 1, name: 'shop' }] },
    path: nowhere('/api/data-products/{}/versions/1/columns'),
    answers: staff(404),
  },
  'POST /api/data-products/:id/versions/:number/readings': {
    body: { readings: [{ column: 'shop', reading: 'text' }] },
    path: nowhere('/api/data-products/{}/versions/1/readings'),
    answers: staff(404),
  },
  'DELETE /api/data-products/:id/versions/:number': { path: nowhere('/api/data-products/{}/versions/1'), answers: staff(404) },
  'POST /api/dataset-uploads': { headers: { ...tus, 'upload-length': '5' }, answers: staff(422) },
  'HEAD /api/dataset-uploads/:id': { headers: tus, path: nowhere('/api/dataset-uploads/{}'), answers: staff(404) },
  'PATCH /api/dataset-uploads/:id': { body: {}, path: nowhere('/api/dataset-uploads/{}'), headers: tus, answers: staff(415) },
  'DELETE /api/dataset-uploads/:id': { headers: tus, path: nowhere('/api/dataset-uploads/{}'), answers: staff(404) },
  'GET /api/product-requests': { answers: staff(200) },
  'POST /api/product-requests/:id/decline': { body: {}, path: nowhere('/api/product-requests/{}/decline'), answers: staff(404) },
  'GET /api/data-products/:id/offers': {
    path: () => `/api/data-products/${newId()}/offers`,
    answers: staff(200),
  },
  'POST /api/data-products/:id/offers': { body: {}, answers: staff(422) },
  'PUT /api/data-products/:id/offers/:offerId': {
    path: nowhere(`/api/data-products/${newId()}/offers/{}`),
    body: { amount: 1 },
    answers: staff(404),
  },
  'DELETE /api/data-products/:id/offers/:offerId': {
    path: nowhere(`/api/data-products/${newId()}/offers/{}`),
    answers: staff(404),
  },
  'GET /api/data-products/:id/entitlements': { answers: staff(200) },
  'POST /api/data-products/:id/entitlements': { body: {}, answers: staff(422) },
  'GET /api/openapi.json': { answers: anyone },
  // A file address works only for its person, by session or by key.
  'GET /files/*': { path: () => names.link, answers: [401, 403, 200, 403, 403, 403, 200, 403, 401] },
  'DELETE /api/entitlements/:id': { path: nowhere('/api/entitlements/{}'), answers: staff(404) },
}

/** Prefixes of other parts of the product. Everything else counts as marketplace, so a new prefix cannot escape the test. */
const elsewhere = [
  /^\/(auth\/v1|avatars|brand|calendar|dev|enquiry|healthz|images|metrics|og|proposal|readyz|site-files|verify)\b/,
  /^\/api\/(access-requests|account|invoices|orders|payment-events|proposals|subscriptions|organization-invitations|organization-offers|organizations|blog|booking|bookings|consultations|contact|contacts|events|images|lead-\w+|leads|letters|login|logout|me|missing-paths|newsletter|notifications|own-proposals|redirects|search|settings|staff|visitor-pages|webhook-deliveries|webhooks|workspace)\b/,
  /^\/api\/admin\/(access-requests|audit|billing|organization-merges|organizations|subscriptions|users)\b/,
]
const isOfTheMarket = (url: string) => !elsewhere.some((place) => place.test(url))

const all = (await listEndpoints()).flatMap(({ method: given, url }) =>
  methods.flatMap((method) => (isOfTheMarket(url) && [given].flat().includes(method) ? { name: `${method} ${url}`, method, url } : [])),
)
const reads = new Set(all.filter(({ method }) => method === 'GET').map(({ url }) => url))
/** HEAD of an endpoint with GET is the same without its body. */
const endpoints = all.filter(({ method, url }) => method !== 'HEAD' || !reads.has(url))

const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })
const keyOf = ({ user }: SignedIn, productIds: string[] | null = null) =>
  makeKey(ownKeys(user.id), { name: 'Import', productIds, expiresInDays: null }, {})

beforeAll(async () => {
  const [paid, other] = [await makeProduct({ priceCents: 4900 }), await makeProduct()]
  await makeDataset(paid, 'shop,price\nNorth,1.50\nSouth,2.25\n')
  const entitled = await signIn()
  await insert(db, 'entitlements', { productId: paid.id, userId: entitled.user.id, organizationId: entitled.user.id, grantedBy: newId() })
  const [key, gone] = [await keyOf(entitled), await keyOf(entitled)]
  await revokeKey(ownKeys(entitled.user.id), gone.id, {})
  const payload = { downloadType: 'file', format: 'original' }
  const taken = await app.inject({ method: 'POST', url: `/api/data-products/${paid.id}/download`, headers: entitled.headers, payload })
  Object.assign(names, { paid: paid.slug, key: key.id, link: taken.json().downloadUrl })
  const shown = [
    {},
    (await signIn()).headers,
    entitled.headers,
    (await signIn()).headers,
    (await signIn('staff')).headers,
    (await signIn('owner')).headers,
    bearer(key),
    bearer(await keyOf(entitled, [other.id])),
    bearer(gone),
  ]
  callers.forEach((caller, at) => headersOf.set(caller, shown[at] ?? {}))
})

/** The target: the paid dataset, or the entitled customer's key; a separate key where the request ends it. */
async function addressOf(url: string, { path, query = '' }: Line): Promise<string> {
  if (path) return path()
  return (
    url.replace(
      /:(slug|id|idOrSlug)\b/,
      url.includes('/keys/') ? await keyToUse(url) : /versions/.test(url) ? await idOfPaid() : names.paid,
    ) + query
  )
}

async function keyToUse(url: string): Promise<string> {
  if (!/rotate|keys\/:id$/.test(url)) return names.key
  const { userId } = await db.selectFrom('apiKeys').select('userId').where('id', '=', names.key).executeTakeFirstOrThrow()
  const id = newId()
  await insert(db, 'apiKeys', {
    id,
    countedAs: id,
    userId,
    organizationId: userId,
    name: 'Import',
    prefix: 'wn_',
    keyHash: id,
    monthlyQuota: 1,
  })
  return id
}

async function idOfPaid(): Promise<string> {
  return (await db.selectFrom('dataProducts').select('id').where('slug', '=', names.paid).executeTakeFirstOrThrow()).id
}

test('each endpoint of the marketplace has its line, and each line its endpoint', () => {
  expect(endpoints.length).toBeGreaterThan(25)
  expect(endpoints.flatMap(({ name }) => (name in lines ? [] : name))).toEqual([])
  expect(Object.keys(lines).filter((line) => !endpoints.some(({ name }) => name === line))).toEqual([])
})

test.each(endpoints)('$name answers everyone as it is declared', async ({ name, method, url }) => {
  const line = lines[name]
  if (!line) throw new Error(`${name} has no line.`)
  const found = []
  for (const caller of callers) {
    const headers = { ...headersOf.get(caller), ...line.headers }
    const body = method === 'GET' || method === 'HEAD' ? {} : { payload: line.body ?? {} }
    const { statusCode } = await app.inject({ method, url: await addressOf(url, line), headers, ...body })
    found.push([caller, statusCode])
  }
  expect(found).toEqual(callers.map((caller, at) => [caller, line.answers[at]]))
})
