import { afterAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { createHttp } from '#app/platform/http/http.server.ts'
import { endpoints } from './server.ts'
import { authClient } from '#test/auth.ts'
import { signIn } from '#test/factories.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Endpoint = { method: (typeof methods)[number]; url: string; name: string }

const registered: Endpoint[] = []
await openDatabase()
const app = createHttp()
app.addHook('onRoute', ({ method: given, url }) => {
  for (const method of methods)
    if ([given].flat().includes(method) && url.startsWith('/api/')) registered.push({ method, url, name: `${method} ${url}` })
})
app.register(endpoints)
await app.ready()
afterAll(async () => {
  await app.close()
  await closeDatabase()
})

/** Open to anyone, or part of signing out. */
const open = [
  'POST /api/contact',
  'GET /api/contact/token',
  'GET /api/login',
  'GET /api/logout',
  'POST /api/logout',
  // Published content and redirects.
  'GET /api/blog',
  'GET /api/blog/:idOrSlug',
  'GET /api/redirects/resolve',
  // The catalog and the API description.
  'GET /api/data-products',
  'GET /api/data-products/:idOrSlug',
  'GET /api/data-products/:id/manifest',
  'GET /api/openapi.json',
  // Guests have no account: a cookie, a link or a signature stands for them.
  'POST /api/payment-events/:provider',
  'GET /api/booking/slots',
  'POST /api/booking/holds',
  'DELETE /api/booking/holds/:id',
  'POST /api/bookings',
  'GET /api/bookings/:token',
  'PATCH /api/bookings/:token',
  'DELETE /api/bookings/:token',
  'POST /api/bookings/:token/link',
  'POST /api/booking/webhooks/calendly',
  'POST /api/booking/webhooks/cal',
  'POST /api/booking/embedded',
]
const secondStep = 'POST /api/account/recovery-codes/use'

/** Requests that are validated before authentication. */
const bodies: Record<string, object> = {
  'POST /api/access-requests': { area: 'blog' },
  'POST /api/data-products/:id/query': { sql: 'SELECT 1' },
}

const send = ({ method, url, name }: Endpoint, headers: Record<string, string> = {}) =>
  app.inject({
    method,
    url: url.replace(/:\w+/g, newId()),
    headers,
    ...(method !== 'GET' && { payload: bodies[name] ?? {} }),
  })

/** A user with a second factor and a session without it. */
async function beforeMfa(role: 'customer' | 'owner') {
  const { user, session, headers } = await signIn(role)
  await insert(db, 'mfaFactors', { userId: user.id, factorType: 'phone', phone: '4915112345678', status: 'verified' })
  return { user, session, headers, bearer: { authorization: `Bearer ${headers.cookie.split('=')[1]}` } }
}

const closed = () => registered.filter(({ name }) => !open.includes(name) && name !== secondStep)

/** One after the other: the queue of the server refuses what waits too long. */
async function knockAll(headers?: Parameters<typeof send>[1]) {
  const replies = []
  for (const endpoint of closed()) replies.push({ name: endpoint.name, reply: await send(endpoint, headers) })
  return replies
}

test('the list of open endpoints is complete: a stranger opens no other', async () => {
  expect(registered.map(({ name }) => name)).toEqual(expect.arrayContaining([...open, secondStep]))
  const answers = (await knockAll()).map(({ name, reply }) => [name, reply.statusCode])
  expect(answers.filter(([, status]) => status !== 401)).toEqual([])
})

test('people with a second factor need it for everything in the product, in any role, by cookie or by token', async () => {
  const { headers, bearer } = await beforeMfa('owner')
  for (const shown of [headers, bearer]) {
    const replies = await knockAll(shown)
    const others = replies.filter(({ reply }) => reply.statusCode !== 403 || reply.json().code !== 'insufficient_aal')
    expect(others.map(({ name, reply }) => [name, reply.statusCode, reply.body])).toEqual([])
  }
})

test('without their second factor, the auth protocol lets people read their user, change its profile and sign out, and nothing else', async () => {
  const { bearer, user } = await beforeMfa('owner')
  const call = authClient(app)
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const reply = await call(method, path, body, bearer)
    return [path, reply.statusCode, reply.body === '' ? undefined : reply.json().code]
  }
  const wishes = [{ password: 'another horse' }, { email: 'another@example.com' }, { phone: '4915187654321' }]
  for (const wish of wishes) expect(await ask('PUT', '/user', wish)).toEqual(['/user', 401, 'insufficient_aal'])
  expect(await ask('PUT', '/user', { data: { a: 1 } })).toEqual(['/user', 200, undefined])
  expect(await ask('POST', '/factors', { factor_type: 'totp', friendly_name: 'Mine' })).toEqual(['/factors', 403, 'insufficient_aal'])
  const { id } = await db.selectFrom('mfaFactors').select('id').where('userId', '=', user.id).executeTakeFirstOrThrow()
  expect(await ask('DELETE', `/factors/${id}`)).toEqual([`/factors/${id}`, 422, 'insufficient_aal'])
  // An owner's token is not an admin token, and needs the second factor too.
  expect(await ask('GET', '/admin/users')).toEqual(['/admin/users', 403, 'not_admin'])
  expect(await ask('POST', '/logout?scope=local')).toEqual(['/logout?scope=local', 204, undefined])
  expect(await ask('GET', '/user')).toEqual(['/user', 403, 'session_not_found'])
})
