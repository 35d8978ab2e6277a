import { SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { makeServiceKey, signingKey } from '#app/auth/sessions/jwt.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { factorClient } from '#test/mfa.ts'
import { signedInAs } from '#test/signed-in.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

const id = newId()
const endpoints: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: object }[] = [
  { method: 'GET', path: '/admin/users' },
  { method: 'GET', path: '/admin/audit' },
  { method: 'POST', path: '/admin/users', body: { email: 'who@example.com' } },
  { method: 'GET', path: `/admin/users/${id}` },
  { method: 'PUT', path: `/admin/users/${id}`, body: { email_confirm: true } },
  { method: 'DELETE', path: `/admin/users/${id}` },
  { method: 'GET', path: `/admin/users/${id}/factors` },
  { method: 'PUT', path: `/admin/users/${id}/factors/${id}`, body: { friendly_name: 'x' } },
  { method: 'DELETE', path: `/admin/users/${id}/factors/${id}` },
  { method: 'POST', path: '/admin/generate_link', body: { type: 'recovery', email: 'who@example.com' } },
  { method: 'POST', path: '/invite', body: { email: 'who@example.com' } },
]

/** A token with these claims, signed with our key. */
async function tokenSaying(payload: Record<string, unknown>, end = '1 hour') {
  const { kid, alg, key } = await signingKey()
  const token = await new SignJWT(payload).setProtectedHeader({ alg, kid }).setExpirationTime(end).sign(key)
  return { authorization: `Bearer ${token}` }
}

const usersBefore = () => db.selectFrom('users').select('id').execute()

describe.each(endpoints)('$method $path', ({ method, path, body }) => {
  test('is for administrators alone, and says what is missing before it looks at anything', async () => {
    const before = await usersBefore()
    const answers = [
      [{}, 401, 'no_authorization'],
      [{ authorization: 'Bearer nonsense' }, 403, 'bad_jwt'],
      [await signedInAs('customer'), 403, 'not_admin'],
      [await signedInAs('staff'), 403, 'not_admin'],
      [await signedInAs('owner'), 403, 'not_admin'],
    ] as const
    for (const [headers, status, code] of answers) {
      const reply = await call(method, path, body, headers)
      expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    }
    // The three users above have an account each.
    expect(await usersBefore()).toHaveLength(before.length + 3)
  })
})

test('an endpoint that there is not is refused in the words of the protocol, to administrators too', async () => {
  const headers = { authorization: `Bearer ${await makeServiceKey(1)}` }
  for (const path of ['/admin/oauth/clients', '/admin/custom-providers']) {
    const reply = await call('GET', path, undefined, headers)
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
  }
})

describe('security', () => {
  test('a key needs no user, no end and no session; both names of the role count', async () => {
    const { kid, alg, key } = await signingKey()
    for (const role of ['service_role', 'supabase_admin']) {
      const token = await new SignJWT({ role }).setProtectedHeader({ alg, kid }).sign(key)
      expect((await call('GET', '/admin/users', undefined, { authorization: `bearer ${token}` })).statusCode).toBe(200)
    }
  })

  test('an expired, foreign or unsigned key is refused', async () => {
    const expired = await call('GET', '/admin/users', undefined, await tokenSaying({ role: 'service_role' }, '-1 minute'))
    expect([expired.statusCode, expired.json().code]).toEqual([403, 'bad_jwt'])
    const { kid } = await signingKey()
    const foreign = await new SignJWT({ role: 'service_role' }).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.alloc(32, 1))
    const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${Buffer.from('{"role":"service_role"}').toString('base64url')}.`
    for (const token of [foreign, unsigned]) {
      const reply = await call('GET', '/admin/users', undefined, { authorization: `Bearer ${token}` })
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'bad_jwt'])
    }
  })

  test('a person whose tokens have the role may administer while their session lasts', async () => {
    const { session, email, password } = await signUpAndConfirm(app)
    await db.updateTable('users').set({ tokenRole: 'service_role' }).where('id', '=', session.user.id).execute()
    const again = (await call('POST', '/token?grant_type=password', { email, password })).json()
    expect((await call('GET', '/admin/users', undefined, bearer(again))).statusCode).toBe(200)
    await call('POST', '/logout', undefined, bearer(again))
    const reply = await call('GET', '/admin/users', undefined, bearer(again))
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'session_not_found'])
  })

  test('a person who has a second factor administers nothing without it', async () => {
    const { session, email, password } = await signUpAndConfirm(app)
    await db.updateTable('users').set({ tokenRole: 'service_role' }).where('id', '=', session.user.id).execute()
    const raised = await factorClient(app).finish(session)
    const low = sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password })).json())
    const reply = await call('GET', '/admin/users', undefined, bearer(low))
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'insufficient_aal'])
    expect((await call('GET', '/admin/users', undefined, bearer(raised.session))).statusCode).toBe(200)
  })

  test('a key that names a session is worth what the session is worth', async () => {
    const user = await makeUser({ bannedUntil: new Date(Date.now() + 60_000) })
    const session = await db
      .insertInto('sessions')
      .values({ id: newId(), userId: user.id, amr: '[]' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answers = [
      [{ session_id: session.id }, 'session_not_found'],
      [{ session_id: 'none', sub: user.id }, 'session_not_found'],
      [{ session_id: session.id, sub: newId() }, 'user_not_found'],
      [{ session_id: session.id, sub: user.id }, 'user_banned'],
    ] as const
    for (const [claims, code] of answers) {
      const reply = await call('GET', '/admin/users', undefined, await tokenSaying({ role: 'service_role', ...claims }))
      expect([reply.statusCode, reply.json().code]).toEqual([403, code])
    }
  })

  test('an operator’s key is not a session', async () => {
    const headers = { authorization: `Bearer ${await makeServiceKey(1)}` }
    expect((await call('GET', '/user', undefined, headers)).json().code).toBe('bad_jwt')
    expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(401)
  })
})
