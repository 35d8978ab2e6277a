import { exportSPKI } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const { project } = await vi.hoisted(async () => {
  const { startFakeProject } = await import('#test/fake-project.ts')
  const project = await startFakeProject()
  Object.assign(process.env, { SUPABASE_URL: project.base, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x', OWNER_EMAIL: 'owner@example.com' })
  return { project }
})

import { startEndpoints } from '#test/app.ts'
import { authClient, forgetLimits } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { html } from '#test/fake-project.ts'

const MINUTE = 60_000
const { state } = project
const app = await startEndpoints()
const call = authClient(app)

const one = await project.addKey('one')
const two = await project.addKey('two')
await project.addKey('never published')

/** Moves the clock that ages the keys. */
let ahead = 0
const now = performance.now.bind(performance)
const pass = (ms: number) => void (ahead += ms)
beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  await forgetLimits()
  state.keysAre = undefined
  state.published = [one.published]
  const [known, before] = [await project.sign('one'), state.askedForKeys]
  const renewed = async () => {
    // Long enough for the previous test's keys to be fetched again, also if that test's last fetch ends only now.
    pass(11 * MINUTE)
    return (await opens(known)) === 200 && state.askedForKeys > before
  }
  await vi.waitUntil(renewed, { timeout: 20_000 })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => project.close())

const opens = async (token: string) =>
  (await app.inject({ url: '/api/access-requests', headers: { authorization: `Bearer ${token}` } })).statusCode
const signIn = async (token: string) => {
  state.answer = project.sessionBy(token)
  return call('POST', '/token?grant_type=password', { email: 'ada@example.com', password: 'correct horse' })
}

describe('happy', () => {
  test('a new key is fetched when a token names it, and the previous one stays valid', async () => {
    const [old, fresh] = [await project.sign('one'), await project.sign('two')]
    state.published = [one.published, two.published]
    pass(MINUTE)
    expect([await opens(old), await opens(fresh), await opens(old)]).toEqual([200, 200, 200])
    expect((await signIn(fresh)).statusCode).toBe(200)
  })

  test('a revoked key is refused after ten minutes', async () => {
    const old = await project.sign('one')
    state.published = [two.published]
    pass(9 * MINUTE)
    expect(await opens(old)).toBe(200)
    pass(2 * MINUTE)
    await opens(old)
    await eventually(async () => expect(await opens(old)).toBe(401))
    pass(MINUTE)
    expect(await opens(await project.sign('two'))).toBe(200)
  })
})

describe('error', () => {
  test('while keys cannot be fetched, the last known ones stay in use', async () => {
    const old = await project.sign('one')
    for (const answer of [html(200), html(503), (response: { destroy: () => unknown }) => void response.destroy()]) {
      state.keysAre = answer
      pass(11 * MINUTE)
      const before = state.askedForKeys
      // Asks again until it is fetched: the failed fetch before this one may still be under way.
      await eventually(async () => {
        expect(await opens(old)).toBe(200)
        expect(state.askedForKeys).toBeGreaterThan(before)
      })
      expect(await opens(old)).toBe(200)
    }
  })

  test('a service that signs with a shared secret is detected, and the error says how to fix it', async () => {
    const secret = new TextEncoder().encode('a secret that is shared between many'.padEnd(64, '.'))
    for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'one' }]) {
      const token = await project.sign('one', { secret, header })
      const reply = await signIn(token)
      expect([reply.statusCode, reply.json()]).toEqual([
        503,
        { code: 'unexpected_failure', message: expect.stringContaining('asymmetric signing key') },
      ])
      expect(reply.body).not.toContain(token)
      expect(await opens(token)).toBe(401)
    }
  })

  test('a token with an unpublished key is a temporary error, not a refusal', async () => {
    const reply = await signIn(await project.sign('never published'))
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '30'])
  })
})

describe('security', () => {
  test('unknown key ids fetch the keys at most once in half a minute', async () => {
    const invented = async (index: number) => project.sign('never published', { header: { alg: 'ES256', kid: `invented-${index}` } })
    const tokens = await Promise.all(Array.from({ length: 40 }, (_, index) => invented(index)))
    const flood = async () => {
      const before = state.askedForKeys
      expect(new Set(await Promise.all(tokens.map(opens)))).toEqual(new Set([401]))
      for (const token of tokens.slice(0, 5)) await opens(token)
      return state.askedForKeys - before
    }
    pass(31_000)
    expect(await flood()).toBe(1)
    pass(20_000)
    expect(await flood()).toBe(0)
    pass(11_000)
    expect(await flood()).toBe(1)
  })

  test('a public key is not accepted as a shared secret, nor a missing signature, nor a published shared secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(one.publicKey))
    expect(await opens(await project.sign('one', { secret, header: { alg: 'HS256', kid: 'one' } }))).toBe(401)
    const [, payload] = (await project.sign('one')).split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'one' })).toString('base64url')
    expect(await opens(`${none}.${payload}.`)).toBe(401)
    const shared = new TextEncoder().encode('published by mistake'.padEnd(64, '.'))
    state.published = [{ kty: 'oct', k: Buffer.from(shared).toString('base64url'), kid: 'oct', alg: 'HS256' }]
    pass(MINUTE)
    expect(await opens(await project.sign('one', { secret: shared, header: { alg: 'HS256', kid: 'oct' } }))).toBe(401)
  })

  test('a token for another project opens nothing', async () => {
    const { SignJWT } = await import('jose')
    const foreign = new SignJWT({ session_id: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(project.person.id)
      .setAudience('authenticated')
      .setExpirationTime('1 hour')
    expect(await opens(await foreign.setIssuer('https://other.example/auth/v1').sign(one.privateKey))).toBe(401)
    expect(await opens(await foreign.setIssuer(`${project.base}/auth/v1`).sign(one.privateKey))).toBe(200)
  })
})
