import { decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { beforeEach, describe, expect, test, vi } from 'vitest'

const SECRET = vi.hoisted(() => (process.env.JWT_SECRET = '0123456789abcdef0123456789abcdef'))

import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(forgetLimits)

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The parts of a genuine token, and the public key. */
async function genuine() {
  const { session } = await signUpAndConfirm(app)
  const claims = JSON.parse(Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString())
  const [key]: JWK[] = (await call('GET', '/.well-known/jwks.json')).json().keys
  if (!key?.kid) throw new Error('There is no key.')
  return { session, claims, key, kid: key.kid }
}

const ask = async (token: string) => {
  const reply = await call('GET', '/user', undefined, bearer({ access_token: token }))
  return [reply.statusCode, reply.json().code]
}
const signedWith = (claims: object, header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
  new SignJWT({ ...claims }).setProtectedHeader(header).sign(key)

describe('a shared secret', () => {
  test('verifies tokens without one of our key ids, and is never published', async () => {
    const { claims, session } = await genuine()
    const secret = Buffer.from(SECRET)
    for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'theirs' }]) {
      expect(await ask(await signedWith(claims, header, secret))).toEqual([200, undefined])
    }
    const { keys } = (await call('GET', '/.well-known/jwks.json')).json()
    expect(keys.map(({ kty }: JWK) => kty)).toEqual(['EC'])
    expect(decodeProtectedHeader(session.access_token).alg).toBe('ES256')
  })

  test('fails for another secret, another hash length, or the id of our own key', async () => {
    const { claims, kid } = await genuine()
    const secret = Buffer.from(SECRET)
    const tokens = [
      await signedWith(claims, { alg: 'HS256' }, Buffer.from('another secret of the same length')),
      await signedWith(claims, { alg: 'HS512' }, Buffer.from(SECRET.repeat(2))),
      await signedWith(claims, { alg: 'HS256', kid }, secret),
    ]
    for (const token of tokens) expect(await ask(token)).toEqual([403, 'bad_jwt'])
  })
})

describe('forged tokens are refused', () => {
  test('without a signature', async () => {
    const { claims, kid } = await genuine()
    for (const header of [{ alg: 'none' }, { alg: 'none', kid }, { alg: 'None', kid }, { kid }, {}]) {
      for (const signature of ['', 'AAAA']) expect(await ask(`${part(header)}.${part(claims)}.${signature}`)).toEqual([403, 'bad_jwt'])
    }
  })

  test('with the public key as the secret', async () => {
    const { claims, kid, key } = await genuine()
    const publicKey = await importJWK(key, 'ES256', { extractable: true })
    if (publicKey instanceof Uint8Array) throw new Error('This is no public key.')
    for (const secret of [JSON.stringify(key), await exportSPKI(publicKey), String(key.x)]) {
      for (const header of [{ alg: 'HS256', kid }, { alg: 'HS256' }, { alg: 'HS512', kid }]) {
        expect(await ask(await signedWith(claims, header, Buffer.from(secret.padEnd(64))))).toEqual([403, 'bad_jwt'])
      }
    }
  })

  test('with a foreign key, under our key id, another or none, or with another algorithm', async () => {
    const { claims, kid, key } = await genuine()
    const [ec, rsa] = [await generateKeyPair('ES256'), await generateKeyPair('RS256')]
    const tokens = [
      await signedWith(claims, { alg: 'ES256', kid }, ec.privateKey),
      await signedWith(claims, { alg: 'ES256', kid: 'theirs' }, ec.privateKey),
      await signedWith(claims, { alg: 'ES256' }, ec.privateKey),
      await signedWith(claims, { alg: 'RS256', kid }, rsa.privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'theirs', jwk: key }).sign(ec.privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'theirs', jku: 'https://evil.example/jwks' }).sign(ec.privateKey),
    ]
    for (const token of tokens) expect(await ask(token)).toEqual([403, 'bad_jwt'])
  })
})
