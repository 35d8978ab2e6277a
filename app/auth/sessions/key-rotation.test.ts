import { decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '#app/commands.server.ts'
import { changeSecret } from '#app/platform/database/secrets.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'

const app = await startApp()
const call = authClient(app)
const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
beforeEach(async () => {
  await forgetLimits()
  said.mockClear()
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

/** The signing keys, as they are stored. */
const stored = () => changeSecret('signing-keys', (present = '') => present)
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const rotate = (...args: string[]) => runCommand(['rotate-key', ...args])
const published = async (): Promise<string[]> => (await call('GET', '/.well-known/jwks.json')).json().keys.map(({ kid }: JWK) => kid)
const userStatus = async (session: { access_token: string }) => (await call('GET', '/user', undefined, bearer(session))).statusCode
const kidOf = ({ access_token: token }: { access_token: string }) => decodeProtectedHeader(token).kid

test('two rotations, 20 minutes apart, replace the key of a running server, and all tokens stay valid', async () => {
  const { email, session } = await signUpAndConfirm(app)
  const signIn = async () => (await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json()
  const old = kidOf(session)
  expect(await published()).toEqual([old])

  await rotate()
  expect(said).toHaveBeenCalledWith(expect.stringContaining('Run this again in 20 minutes'))
  later(11)
  const [first, next] = await published()
  expect(first).toBe(old)
  expect(kidOf(await signIn())).toBe(old)
  const { keys } = (await call('GET', '/.well-known/jwks.json')).json()
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y'])

  await expect(rotate()).rejects.toThrow('The next key was announced a moment ago. Run this again in 20 minutes.')
  later(1200)
  const before = await signIn()
  await rotate()
  later(11)
  expect(kidOf(await signIn())).toBe(next)
  expect([kidOf(before), await userStatus(before)]).toEqual([old, 200])
  expect(await published()).toEqual([next, old])
  expect((await stored()).match(/"d":/g)).toHaveLength(1)

  later(3600)
  expect(await published()).toEqual([next])
})

test('a leaked key is void immediately, and users stay signed in', async () => {
  const { session } = await signUpAndConfirm(app)
  const leaked = JSON.parse(await stored())[0]
  await rotate('--force')
  later(11)
  expect(await published()).not.toContain(kidOf(session))
  const [, payload = ''] = session.access_token.split('.')
  const forged = await new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    .setProtectedHeader({ alg: 'ES256', kid: leaked.kid })
    .sign(await importJWK(leaked, 'ES256'))
  expect([await userStatus(session), await userStatus({ access_token: forged })]).toEqual([403, 403])
  const renewed = await call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
  expect(renewed.statusCode).toBe(200)
  expect(await userStatus(renewed.json())).toBe(200)
})

test('keys that break while the server runs refuse no request', async () => {
  const { session } = await signUpAndConfirm(app)
  const kept = await stored()
  await changeSecret('signing-keys', () => '{"kty":')
  expect(await userStatus(session)).toBe(200)
  later(11)
  expect(await userStatus(session)).toBe(200)
  await changeSecret('signing-keys', () => kept)
  expect(await userStatus(session)).toBe(200)
})

test('without a shared secret, tokens signed with one are refused', async () => {
  const { session } = await signUpAndConfirm(app)
  const [, payload = ''] = session.access_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const [key]: JWK[] = (await call('GET', '/.well-known/jwks.json')).json().keys
  const secret = Buffer.from(JSON.stringify(key))
  for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'unknown' }]) {
    expect(await userStatus({ access_token: await new SignJWT(claims).setProtectedHeader(header).sign(secret) })).toBe(403)
  }
})

test('a mistake in the command is an error for the operator', async () => {
  await expect(rotate('--soon')).rejects.toBeInstanceOf(OperatorError)
})
