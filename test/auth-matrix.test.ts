import { SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true', SECURITY_MANUAL_LINKING_ENABLED: 'true', SMTP_MAX_FREQUENCY: '0' })
})

import { db, newId } from '#app/platform/database/db.server.ts'
import { makeServiceKey, signAccessToken, signingKey } from '#app/auth/sessions/jwt.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { listEndpoints, startEndpoints } from './app.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm, VERSION } from './auth.ts'
import { signIn } from './factories.ts'
import { passkeyClient } from './passkeys.ts'
import { factorClient } from './mfa.ts'

// Every endpoint of the auth service times every kind of caller: each has its line here, or the first test fails.

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Expected = readonly [status: number, code?: string]
type Line = { guard: 'open' | 'session' | 'someone' | 'admin'; path?: () => string; body?: object; good: Expected; elses?: Expected }

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

/** Records of another user, and ids that do not exist. */
const theirs = { factor: '', identity: '', passkey: '', user: '' }
const nobody = newId()

/** `good`: with a session of one's own, or a service key; where it is open, for anyone. `elses`: the same for what is another user's. */
const lines: Record<string, Line> = {
  'POST /signup': { guard: 'open', body: { email: 'no address', password: 'correct horse' }, good: [400, 'validation_failed'] },
  'POST /token': { guard: 'open', body: {}, good: [400, 'invalid_credentials'] },
  'POST /otp': { guard: 'open', body: {}, good: [400, 'validation_failed'] },
  'POST /magiclink': { guard: 'open', body: {}, good: [400, 'validation_failed'] },
  'POST /recover': { guard: 'open', body: {}, good: [400, 'validation_failed'] },
  'POST /resend': { guard: 'open', body: {}, good: [400, 'validation_failed'] },
  'POST /verify': { guard: 'open', body: { type: 'signup', token_hash: 'x' }, good: [403, 'otp_expired'] },
  'GET /verify': { guard: 'open', good: [400, 'validation_failed'] },
  'GET /authorize': { guard: 'open', path: () => '/authorize?provider=google', good: [400, 'validation_failed'] },
  'GET /callback': { guard: 'open', good: [302] },
  'POST /callback': { guard: 'open', good: [302] },
  'POST /sso': { guard: 'open', body: { domain: 'example.com' }, good: [404, 'saml_provider_disabled'] },
  'GET /settings': { guard: 'open', good: [200] },
  'GET /health': { guard: 'open', good: [200] },
  'GET /.well-known/jwks.json': { guard: 'open', good: [200] },
  'GET /.well-known/openid-configuration': { guard: 'open', good: [200] },
  'GET /.well-known/oauth-authorization-server': { guard: 'open', good: [200] },
  'GET /factors/recovery-codes': { guard: 'open', good: [404, 'not_found'] },

  'GET /user': { guard: 'session', good: [200] },
  'PUT /user': { guard: 'session', body: { data: { a: 1 } }, good: [200] },
  'POST /logout': { guard: 'session', path: () => '/logout?scope=others', good: [204] },
  'GET /reauthenticate': { guard: 'session', good: [200] },
  'GET /user/identities': { guard: 'session', good: [200] },
  'GET /user/identities/authorize': { guard: 'session', good: [400, 'validation_failed'] },
  'DELETE /user/identities/:id': {
    guard: 'session',
    path: () => `/user/identities/${nobody}`,
    good: [422, 'single_identity_not_deletable'],
    elses: [422, 'single_identity_not_deletable'],
  },
  'POST /factors': { guard: 'someone', body: { factor_type: 'phone' }, good: [422, 'mfa_phone_enroll_not_enabled'] },
  'POST /factors/:id/challenge': {
    guard: 'someone',
    path: () => `/factors/${nobody}/challenge`,
    good: [404, 'mfa_factor_not_found'],
    elses: [404, 'mfa_factor_not_found'],
  },
  'POST /factors/:id/verify': {
    guard: 'someone',
    path: () => `/factors/${nobody}/verify`,
    body: { challenge_id: nobody, code: '123456' },
    good: [404, 'mfa_factor_not_found'],
    elses: [404, 'mfa_factor_not_found'],
  },
  'DELETE /factors/:id': {
    guard: 'someone',
    path: () => `/factors/${nobody}`,
    good: [404, 'mfa_factor_not_found'],
    elses: [404, 'mfa_factor_not_found'],
  },
  'POST /passkeys/authentication/options': { guard: 'open', body: {}, good: [200] },
  'POST /passkeys/authentication/verify': {
    guard: 'open',
    body: { challenge_id: nobody, credential: {} },
    good: [400, 'webauthn_challenge_not_found'],
  },
  'POST /passkeys/registration/options': { guard: 'someone', body: {}, good: [200] },
  'POST /passkeys/registration/verify': {
    guard: 'someone',
    body: { challenge_id: nobody, credential: {} },
    good: [400, 'webauthn_challenge_not_found'],
  },
  'GET /passkeys': { guard: 'session', good: [200] },
  'PATCH /passkeys/:id': {
    guard: 'session',
    path: () => `/passkeys/${nobody}`,
    body: { friendly_name: 'x' },
    good: [404, 'validation_failed'],
    elses: [404, 'validation_failed'],
  },
  'DELETE /passkeys/:id': {
    guard: 'session',
    path: () => `/passkeys/${nobody}`,
    good: [404, 'validation_failed'],
    elses: [404, 'validation_failed'],
  },

  'GET /admin/users': { guard: 'admin', good: [200] },
  'GET /admin/audit': { guard: 'admin', good: [200] },
  'POST /admin/users': { guard: 'admin', body: {}, good: [400, 'validation_failed'] },
  'GET /admin/users/:id': { guard: 'admin', path: () => `/admin/users/${theirs.user}`, good: [200] },
  'PUT /admin/users/:id': { guard: 'admin', path: () => `/admin/users/${theirs.user}`, body: { user_metadata: { b: 2 } }, good: [200] },
  'DELETE /admin/users/:id': { guard: 'admin', path: () => `/admin/users/${nobody}`, good: [404, 'user_not_found'] },
  'GET /admin/users/:id/factors': { guard: 'admin', path: () => `/admin/users/${theirs.user}/factors`, good: [200] },
  'PUT /admin/users/:id/factors/:factorId': {
    guard: 'admin',
    path: () => `/admin/users/${nobody}/factors/${theirs.factor}`,
    body: { friendly_name: 'x' },
    good: [404, 'user_not_found'],
  },
  'DELETE /admin/users/:id/factors/:factorId': {
    guard: 'admin',
    path: () => `/admin/users/${theirs.user}/factors/${nobody}`,
    good: [404, 'mfa_factor_not_found'],
  },
  'GET /admin/users/:id/passkeys': { guard: 'admin', path: () => `/admin/users/${theirs.user}/passkeys`, good: [200] },
  'DELETE /admin/users/:id/passkeys/:passkeyId': {
    guard: 'admin',
    path: () => `/admin/users/${theirs.user}/passkeys/${nobody}`,
    good: [404, 'validation_failed'],
  },
  'POST /admin/generate_link': { guard: 'admin', body: { type: 'other' }, good: [400, 'validation_failed'] },
  'POST /invite': { guard: 'admin', body: {}, good: [400, 'validation_failed'] },
}

/** An account with an unconfirmed address gets no email to it, and no passkey, because it may be another person's. */
const ofUnconfirmed: Record<string, Expected> = {
  'GET /reauthenticate': [422, 'email_not_confirmed'],
  'POST /passkeys/registration/options': [403, 'email_not_confirmed'],
  'POST /passkeys/registration/verify': [403, 'email_not_confirmed'],
}

const table = Object.entries(lines).map(([name, line]) => {
  const [method = '', address = ''] = name.split(' ')
  return { name, method: methodOf(method), path: line.path ?? (() => address), ...line }
})
const sessions = table.filter(({ guard }) => guard === 'session' || guard === 'someone')

function methodOf(text: string): Method {
  if (text === 'GET' || text === 'POST' || text === 'PUT' || text === 'PATCH' || text === 'DELETE') return text
  throw new Error(`${text} is no method of the protocol.`)
}

const versions = [VERSION, {}, { 'x-supabase-api-version': '2023-01-01' }]

/** The response of an endpoint in each version of the protocol: the whole of a refusal, else only the status. */
async function ask({ name, method, path, body }: (typeof table)[number], headers: Record<string, string>, url = path()) {
  const answers = []
  for (const version of versions) {
    const reply = await app.inject({ method, url: `/auth/v1${url}`, headers: { ...headers, ...version }, ...(body && { payload: body }) })
    const { 'x-sb-error-code': code, 'x-supabase-api-version': shape, 'cache-control': kept } = reply.headers
    answers.push({ name, status: reply.statusCode, ...(code !== undefined && { code, shape, kept, body: reply.json() }) })
  }
  return answers
}

/** The same by the protocol: the format of a refusal depends on the client's version. */
function told({ name }: { name: string }, [status, code]: Expected) {
  const [modern, old] = [
    { shape: '2024-01-01', body: { code, message: expect.any(String) } },
    { shape: undefined, body: { code: status, error_code: code, msg: expect.any(String) } },
  ]
  return versions.map((version) => ({
    name,
    status,
    ...(code !== undefined && { code, kept: 'no-store', ...(version === VERSION ? modern : old) }),
  }))
}

const token = (access_token: string) => bearer({ access_token })

/** A token with any claims, signed by our own key. */
async function signed(claims: Record<string, unknown>, ends = '1 minute') {
  const { kid, alg, key } = await signingKey()
  const signer = new SignJWT(claims).setProtectedHeader({ kid, alg, typ: 'JWT' }).setIssuedAt().setExpirationTime(ends)
  return token(await signer.setIssuer('http://localhost:3000/auth/v1').setAudience('authenticated').sign(key))
}

async function someoneNew() {
  const { user, session } = await signIn()
  return { user, session, headers: token((await signAccessToken(user, session)).token) }
}

/** Callers with invalid credentials, and the expected refusal. */
const strangers: [who: string, headers: () => Promise<Record<string, string>>, expected: Expected][] = [
  ['nobody', async () => ({}), [401, 'no_authorization']],
  ['another scheme', async () => ({ authorization: 'Basic dXNlcjpwYXNz' }), [401, 'no_authorization']],
  ['no token', async () => token('x'), [403, 'bad_jwt']],
  ['a token without a signature', async () => token(`${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.`), [403, 'bad_jwt']],
  ['a token that has ended', async () => signed({ sub: nobody, session_id: nobody, role: 'service_role' }, '-2 minutes'), [403, 'bad_jwt']],
  [
    'a cookie alone',
    async () => ({ cookie: `winnow-access=${(await someoneNew()).headers.authorization.slice(7)}` }),
    [401, 'no_authorization'],
  ],
]

const onlyInSessions: typeof strangers = [
  ['a program of the operator', async () => token(await makeServiceKey(1)), [403, 'bad_jwt']],
  ['a token for no user', async () => signed({ sub: 'x', session_id: nobody }), [400, 'bad_jwt']],
  ['a user who is gone', async () => signed({ sub: nobody, session_id: nobody }), [403, 'user_not_found']],
  ['a session that has ended', endedSession, [403, 'session_not_found']],
  [
    'the session of another user',
    async () => signed({ sub: (await someoneNew()).user.id, session_id: (await someoneNew()).session.id }),
    [403, 'session_not_found'],
  ],
  ['a user who is banned', banned, [403, 'user_banned']],
  ['a user who was emptied', emptied, [403, 'user_not_found']],
]

async function endedSession() {
  const { session, headers } = await someoneNew()
  await db.deleteFrom('sessions').where('id', '=', session.id).execute()
  return headers
}

async function banned() {
  const { user, headers } = await someoneNew()
  await db
    .updateTable('users')
    .set({ bannedUntil: new Date(Date.now() + 60_000) })
    .where('id', '=', user.id)
    .execute()
  return headers
}

async function emptied() {
  const { user, headers } = await someoneNew()
  await db.updateTable('users').set({ deletedAt: new Date() }).where('id', '=', user.id).execute()
  return headers
}

/** Callers whose session does not make them administrators, with any role or claim. */
const customers: typeof strangers = [
  ['a customer', async () => (await someoneNew()).headers, [403, 'not_admin']],
  ['the owner of the business', async () => token((await signAccessToken(...(await pairOf('owner')))).token), [403, 'not_admin']],
  ['who says so of themselves', braggart, [403, 'not_admin']],
]

async function pairOf(role: 'owner'): Promise<Parameters<typeof signAccessToken>> {
  const { user, session } = await signIn(role)
  return [user, session]
}

async function braggart() {
  const { user, session } = await signIn('customer', { userMetadata: JSON.stringify({ role: 'service_role' }) })
  return token((await signAccessToken(user, session)).token)
}

beforeAll(async () => {
  const { session } = await signUpAndConfirm(app)
  theirs.user = session.user.id
  theirs.identity = session.user.identities[0]?.identity_id ?? ''
  theirs.factor = (await factorClient(app).begin(session)).id
  theirs.passkey = (await passkeyClient(app).register(session)).passkey.id
})

test('each endpoint that there is has its line, and each line its endpoint', async () => {
  const routes = (await listEndpoints()).filter(
    ({ url, method }) => url.startsWith('/auth/v1/') && !url.endsWith('/*') && method !== 'HEAD',
  )
  const found = routes.flatMap(({ method, url }) => [method].flat().map((verb) => `${verb} ${url.replace('/auth/v1', '')}`))
  expect(Object.keys(lines).toSorted()).toEqual([...new Set(found)].toSorted())
})

describe('happy', () => {
  test.each(sessions)('$name serves people with a session', async (line) => {
    expect(await ask(line, bearer((await signUpAndConfirm(app)).session))).toEqual(told(line, line.good))
  })

  test.each(sessions)('$name serves people with an unconfirmed address, except for emails to it and passkeys', async (line) => {
    const { user, headers } = await someoneNew()
    await db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', user.id).execute()
    const expected = ofUnconfirmed[line.name] ?? line.good
    expect(await ask(line, headers)).toEqual(told(line, expected))
  })

  test.each(table.filter(({ guard }) => guard === 'admin'))('$name serves a program of the operator', async (line) => {
    expect(await ask(line, token(await makeServiceKey(1)))).toEqual(told(line, line.good))
  })
})

describe('error', () => {
  test.each(table.filter(({ guard }) => guard === 'open'))('$name is the same for everyone, whatever they bring', async (line) => {
    for (const [, headers] of [...strangers, ...onlyInSessions]) {
      await forgetLimits()
      expect(await ask(line, await headers())).toEqual(told(line, line.good))
    }
  })

  test('unknown ids are not found, for every caller and method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      for (const [, headers] of strangers) {
        const reply = await call(method, '/nothing', undefined, await headers())
        expect([method, reply.statusCode, reply.json().code]).toEqual([method, 404, 'not_found'])
      }
    }
    for (const path of ['/admin/oauth/clients', '/admin/custom-providers', '/oauth/x', '/user/oauth/grants'])
      expect([path, (await call('GET', path)).statusCode]).toEqual([path, 404])
  })
})

describe('security', () => {
  test.each(sessions)('$name refuses people without a session, with a reason', async (line) => {
    for (const [, headers, expected] of [...strangers, ...onlyInSessions]) {
      await forgetLimits()
      expect(await ask(line, await headers())).toEqual(told(line, expected))
    }
  })

  test.each(table.filter(({ guard }) => guard === 'someone'))('$name refuses anonymous users', async (line) => {
    const session = sessionAnswer.parse((await call('POST', '/signup', {})).json())
    expect(await ask(line, bearer(session))).toEqual(told(line, [403, 'no_authorization']))
  })

  test.each(table.filter(({ elses }) => elses))('$name does not find the data of another user', async (line) => {
    const own = line
      .path()
      .replace(nobody, line.name.includes('identities') ? theirs.identity : line.name.includes('passkeys') ? theirs.passkey : theirs.factor)
    expect(await ask(line, (await someoneNew()).headers, own)).toEqual(told(line, line.elses ?? line.good))
    expect(await db.selectFrom('mfaFactors').select('id').where('id', '=', theirs.factor).execute()).toHaveLength(1)
    expect(await db.selectFrom('identities').select('id').where('id', '=', theirs.identity).execute()).toHaveLength(1)
  })

  test.each(table.filter(({ guard }) => guard === 'admin'))('$name refuses everyone but programs of the operator', async (line) => {
    for (const [, headers, expected] of [...strangers, ...customers]) expect(await ask(line, await headers())).toEqual(told(line, expected))
    const users = await db.selectFrom('users').select('id').where('id', '=', theirs.user).execute()
    expect(users).toHaveLength(1)
  })
})
