import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signAccessToken, signingKey } from '#app/auth/sessions/jwt.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { findAuthState, findCurrentUser } from './current-user.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const requestContext = (given: Partial<RequestContext>): RequestContext => ({
  id: newId(),
  address: '127.0.0.1',
  method: 'GET',
  path: '/dashboard',
  isPage: true,
  isLocal: true,
  headers: {},
  cookies: {},
  theme: 'system',
  nonce: '',
  ...given,
})

async function signedIn() {
  const user = await insert(db, 'users', {
    email: `${newId()}@example.com`,
    userMetadata: JSON.stringify({ first_name: 'Ada' }),
    appMetadata: JSON.stringify({ role: 'staff' }),
  })
  const session = await insert(db, 'sessions', { userId: user.id })
  const { token } = await signAccessToken(user, session)
  return { user, session, token }
}

test('a bearer token and the access cookie both tell who it is, with the role that the account has now', async () => {
  const { user, session, token } = await signedIn()
  const currentUser = await findCurrentUser(requestContext({ headers: { authorization: `Bearer ${token}` } }))
  expect(currentUser).toMatchObject({ id: user.id, role: 'staff', firstName: 'Ada', sessionId: session.id, aal: 'aal1' })
  expect(await findCurrentUser(requestContext({ cookies: { [ACCESS_COOKIE]: token } }))).toEqual(currentUser)

  await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', user.id).execute()
  expect((await findCurrentUser(requestContext({ cookies: { [ACCESS_COOKIE]: token } })))?.role).toBe('customer')
})

test('a token is worth nothing once its session has ended or its user is banned', async () => {
  const ended = await signedIn()
  await db.deleteFrom('sessions').where('id', '=', ended.session.id).execute()
  expect(await findAuthState(requestContext({ cookies: { [ACCESS_COOKIE]: ended.token } }))).toEqual({ state: 'anonymous' })

  const banned = await signedIn()
  await db
    .updateTable('users')
    .set({ bannedUntil: new Date(Date.now() + 60_000) })
    .where('id', '=', banned.user.id)
    .execute()
  expect(await findAuthState(requestContext({ cookies: { [ACCESS_COOKIE]: banned.token } }))).toEqual({ state: 'anonymous' })
})

test('an expired cookie says that someone is coming back; an expired bearer token says nothing', async () => {
  const { user, session } = await signedIn()
  const { kid, alg, key } = await signingKey()
  const expired = await new SignJWT({ session_id: session.id })
    .setProtectedHeader({ kid, alg })
    .setSubject(user.id)
    .setIssuer('http://localhost:3000/auth/v1')
    .setAudience('authenticated')
    .setExpirationTime('-1 minute')
    .sign(key)
  expect(await findAuthState(requestContext({ cookies: { [ACCESS_COOKIE]: expired } }))).toEqual({ state: 'expired' })
  expect(await findAuthState(requestContext({ headers: { authorization: `Bearer ${expired}` } }))).toEqual({ state: 'anonymous' })
})

test('a forged, unsigned or foreign token opens nothing', async () => {
  const { token } = await signedIn()
  const [header = '', body = '', signature = ''] = token.split('.')
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
  const forgeries = [
    '',
    'x',
    'a.b.c',
    `${header}.${body}.`,
    `${unsigned}.${body}.`,
    `${header}.${body}.${signature.split('').toReversed().join('')}`,
  ]
  for (const forgery of forgeries) {
    expect(await findAuthState(requestContext({ cookies: { [ACCESS_COOKIE]: forgery } }))).toEqual({ state: 'anonymous' })
  }
})

test('a write that the cookie would open must say that it comes from our own pages; a bearer token need not', async () => {
  const { token } = await signedIn()
  const cookies = { [ACCESS_COOKIE]: token }
  await expect(findCurrentUser(requestContext({ method: 'POST', cookies }))).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(
    findCurrentUser(requestContext({ method: 'POST', cookies, headers: { origin: 'https://evil.example' } })),
  ).rejects.toMatchObject({
    kind: 'forbidden',
  })
  expect(await findCurrentUser(requestContext({ method: 'POST', cookies, headers: { 'sec-fetch-site': 'same-origin' } }))).toBeDefined()
  expect(await findCurrentUser(requestContext({ method: 'POST', headers: { authorization: `Bearer ${token}` } }))).toBeDefined()
})
