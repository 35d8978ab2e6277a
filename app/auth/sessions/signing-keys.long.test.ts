import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import type { SessionAnswer } from './auth-user.ts'

const PASSWORD = 'correct horse'
const email = 'ada@example.com'

async function makeKey(kid: string, alg = 'ES256') {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const { d, p, q, dp, dq, qi, ...open } = await exportJWK(privateKey)
  const half: JWK = { ...open, kid, alg }
  const whole: JWK = { ...half, ...Object.fromEntries(Object.entries({ d, p, q, dp, dq, qi }).filter(([, part]) => part !== undefined)) }
  return { half, whole, signing: { ...whole, key_ops: ['sign'] } }
}

const [old, next, other] = [await makeKey('old'), await makeKey('next', 'RS256'), await makeKey('other')]

/** Starts a new server with these keys, as an operator does; without any, with its own key. */
async function startWith(keys: unknown) {
  process.env.JWT_KEYS = typeof keys === 'string' ? keys : JSON.stringify(keys)
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
  const { endpoints } = await import('#app/server.ts')
  const { createHttp } = await import('#app/platform/http/http.server.ts')
  await openDatabase()
  const app = createHttp()
  app.register(endpoints)
  await app.ready()
  const ask = (path: string, token?: string, payload?: object) =>
    app.inject({
      method: payload ? 'POST' : 'GET',
      url: `/auth/v1${path}`,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(payload && { payload }),
    })
  const signIn = async (): Promise<SessionAnswer> =>
    (await ask('/token?grant_type=password', undefined, { email, password: PASSWORD })).json()
  const published = async (): Promise<JWK[]> => (await ask('/.well-known/jwks.json')).json().keys
  const stop = async () => {
    await app.close()
    await closeDatabase()
  }
  return { ask, signIn, published, stop }
}

const headerOf = ({ access_token: token }: SessionAnswer) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

async function makeAda() {
  const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
  const { hashPassword } = await import('./hashing.server.ts')
  const { makeUser } = await import('#test/factories.ts')
  await openDatabase()
  await makeUser({ email, passwordHash: await hashPassword(PASSWORD) })
  await closeDatabase()
}

describe('happy', () => {
  test('a signing key is replaced in two steps, and all sessions continue', async () => {
    await makeAda()
    const before = await startWith([old.whole])
    const first = await before.signIn()
    expect(headerOf(first)).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'old' })
    await before.stop()

    const announced = await startWith([old.signing, next.half])
    expect((await announced.ask('/user', first.access_token)).statusCode).toBe(200)
    const second = await announced.signIn()
    expect(headerOf(second)).toMatchObject({ kid: 'old' })
    expect((await announced.published()).map(({ kid }) => kid)).toEqual(['old', 'next'])
    await announced.stop()

    const changed = await startWith([old.half, next.signing])
    for (const { access_token: token } of [first, second]) expect((await changed.ask('/user', token)).statusCode).toBe(200)
    const third = await changed.signIn()
    expect(headerOf(third)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'next' })
    expect((await changed.ask('/user', third.access_token)).statusCode).toBe(200)
    await changed.stop()

    const done = await startWith([next.whole])
    expect((await done.ask('/user', third.access_token)).statusCode).toBe(200)
    expect((await done.ask('/user', first.access_token)).statusCode).toBe(403)
    const renewed = await done.ask('/token?grant_type=refresh_token', undefined, { refresh_token: first.refresh_token })
    expect(renewed.statusCode).toBe(200)
    await done.stop()
  })

  test('of several private keys the marked one signs, without a mark the first, and only public halves are published', async () => {
    const marked = await startWith([old.whole, next.signing])
    expect(headerOf(await marked.signIn())).toMatchObject({ kid: 'next' })
    const published = await marked.published()
    expect(published).toHaveLength(2)
    for (const key of published) {
      expect(Object.keys(key).filter((part) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].includes(part))).toEqual([])
      expect(key).toMatchObject({ use: 'sig', key_ops: ['verify'] })
    }
    await marked.stop()
    const unmarked = await startWith([next.whole, old.whole])
    expect(headerOf(await unmarked.signIn())).toMatchObject({ kid: 'next' })
    await unmarked.stop()
  })

  test('a key made with the manual’s command signs tokens', async () => {
    const [, command = ''] = /^```sh\n(node -e .*)\n```$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
    const key: JWK = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
    const site = await startWith([key])
    expect(headerOf(await site.signIn())).toMatchObject({ alg: 'ES256', kid: key.kid })
    await site.stop()
  })

  test('a shared secret signs as well, and is never published', async () => {
    const secret = { kty: 'oct', kid: 'shared', alg: 'HS256', k: Buffer.alloc(32, 7).toString('base64url') }
    const site = await startWith([secret, old.half])
    const session = await site.signIn()
    expect(headerOf(session)).toMatchObject({ alg: 'HS256', kid: 'shared' })
    expect((await site.ask('/user', session.access_token)).statusCode).toBe(200)
    expect((await site.published()).map(({ kid }) => kid)).toEqual(['old'])
    await site.stop()
  })

  test('without the setting, a key is made once and stored', async () => {
    const first = await startWith('')
    const session = await first.signIn()
    const published = await first.published()
    await first.stop()
    const second = await startWith('')
    expect(await second.published()).toEqual(published)
    expect(headerOf(session)).toMatchObject({ alg: 'ES256', kid: published[0]?.kid })
    expect((await second.ask('/user', session.access_token)).statusCode).toBe(200)
    await second.stop()
  })
})

describe('error', () => {
  const { d: _private, ...stripped } = old.whole
  const refused: [what: string, keys: unknown][] = [
    ['no JSON', 'secret'],
    ['no list', old.whole],
    ['an empty list', []],
    ['only public halves', [old.half, next.half]],
    ['a key without a name', [{ ...old.whole, kid: '' }]],
    ['a key without an algorithm', [{ ...old.whole, alg: undefined }]],
    ['two keys of one name', [old.whole, { ...next.half, kid: 'old' }]],
    ['a marked key without its private half', [{ ...stripped, key_ops: ['sign'] }]],
    ['an algorithm that is none', [{ ...old.whole, alg: 'none' }]],
    ['an algorithm of another kind of key', [{ ...old.whole, alg: 'RS256' }]],
    ['a public half of another key', [{ ...old.whole, x: other.half.x }]],
    ['a truncated key', [{ ...old.whole, x: old.whole.x?.slice(0, 9) }]],
    ['a broken key beside a good one', [old.whole, { ...next.half, n: undefined }]],
  ]
  test.each(refused)('%s is refused with one sentence that does not show the keys', async (_what, keys) => {
    process.env.JWT_KEYS = typeof keys === 'string' ? keys : JSON.stringify(keys)
    vi.resetModules()
    const { signingKey } = await import('./jwt.server.ts')
    const { OperatorError } = await import('#app/platform/errors/operator-error.ts')
    const error: unknown = await signingKey().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OperatorError)
    expect(error).toHaveProperty(
      'message',
      'JWT_KEYS must be a JSON list of JSON Web Keys, each with kid and alg and one of them private, such as [{"kty":"EC",…}].',
    )
  })
})
