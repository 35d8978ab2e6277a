import { AuthClient } from '@supabase/auth-js'
import { generateKeyPair, SignJWT } from 'jose'
import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  const settings = { ENABLED: 'true', CLIENT_ID: `first,${CLIENT}`, URL: `${provider.base}/google` }
  for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_GOOGLE_${key}`] = value
  Object.assign(process.env, {
    EXTERNAL_APPLE_ENABLED: 'true',
    EXTERNAL_APPLE_CLIENT_ID: CLIENT,
    EXTERNAL_APPLE_URL: `${provider.base}/apple`,
    EXTERNAL_APPLE_SKIP_NONCE_CHECK: 'true',
    EXTERNAL_GITHUB_ENABLED: 'true',
    EXTERNAL_GITHUB_CLIENT_ID: CLIENT,
    EXTERNAL_KEYCLOAK_ENABLED: 'true',
    EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT,
    EXTERNAL_KEYCLOAK_URL: `${provider.base}/keycloak`,
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
  })
  return { provider }
})

import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(async () => {
  await forgetLimits()
  provider.state.isDown = false
})
afterAll(() => provider.close())

const GOOGLE = `${provider.base}/google`
const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const half = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
const someone = () => ({ sub: crypto.randomUUID(), email: someEmail(), email_verified: true, name: 'Ada Lovelace', aud: 'winnow' })
const sign = (claims: Record<string, unknown>, issuer = GOOGLE) => provider.sign(issuer, claims)
const send = (body: object, headers = {}) => call('POST', '/token?grant_type=id_token', { provider: 'google', ...body }, headers)
const outcome = (reply: Awaited<ReturnType<typeof send>>) => [reply.statusCode, reply.json().code ?? reply.json().error]

describe('happy', () => {
  test('a token of a provider signs in, and its holder is the same user the next time', async () => {
    const person = someone()
    const first = sessionAnswer.parse((await send({ id_token: await sign(person) })).json())
    expect(first.user).toMatchObject({
      email: person.email,
      app_metadata: { provider: 'google' },
      identities: [{ provider: 'google', id: person.sub, identity_data: { full_name: 'Ada Lovelace', iss: GOOGLE } }],
    })
    const again = sessionAnswer.parse((await send({ id_token: await sign({ ...person, aud: ['first', 'other'] }) })).json())
    expect(again.user.id).toBe(first.user.id)
  })

  test('a token with its nonce and its access token signs in, too', async () => {
    const claims = { ...someone(), nonce: hex('my nonce'), at_hash: half('theirs') }
    expect((await send({ id_token: await sign(claims), nonce: 'my nonce', access_token: 'theirs' })).statusCode).toBe(200)
    expect((await send({ id_token: await sign({ ...someone(), at_hash: half('theirs') }) })).statusCode).toBe(200)
  })

  test('older clients name issuer and client', async () => {
    const body = { provider: undefined, client_id: 'winnow', issuer: GOOGLE, id_token: await sign(someone()) }
    expect((await send(body)).statusCode).toBe(200)
  })

  test('a provider whose apps cannot tell the nonce is not asked for it, and its other name is taken', async () => {
    const claims = { ...someone(), nonce: 'unknown', email_verified: 'true' }
    expect((await send({ provider: 'apple', id_token: await sign(claims, `${provider.base}/apple`) })).statusCode).toBe(200)
    expect((await send({ provider: 'apple', id_token: await sign({ ...someone(), iss: 'https://account.apple.com' }) })).statusCode).toBe(
      200,
    )
    expect((await send({ id_token: await sign({ ...someone(), iss: 'accounts.google.com' }) })).statusCode).toBe(200)
  })

  test('the protocol’s own client signs in, and adds the token’s holder to its own account', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const client = new AuthClient({ url, autoRefreshToken: false })
    const person = someone()
    await client.signInWithPassword({ email, password: PASSWORD })
    const { data, error } = await client.linkIdentity({ provider: 'google', token: await sign({ ...person, nonce: hex('n') }), nonce: 'n' })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(session.user.id)
    const { data: signedIn } = await client.signInWithIdToken({ provider: 'google', token: await sign(person) })
    expect(signedIn.user?.id).toBe(session.user.id)
    expect(signedIn.user?.identities?.map((identity) => identity.provider)).toEqual(['email', 'google'])
    await client.stopAutoRefresh()
  })
})

describe('error', () => {
  test('providers that are not there, not switched on, or give no such tokens', async () => {
    const id_token = await sign(someone())
    const cases: [body: object, code: string][] = [
      [{ provider: 'azure', id_token }, 'provider_disabled'],
      [{ provider: 'custom:mine', id_token }, 'validation_failed'],
      [{ provider: 'constructor', id_token }, 'validation_failed'],
      [{ provider: undefined, id_token }, 'validation_failed'],
      [{ provider: undefined, client_id: 'winnow', issuer: 'https://evil.example', id_token }, 'validation_failed'],
      [{ id_token: undefined }, 'invalid request'],
      [{ provider: 'github', id_token }, 'invalid request'],
    ]
    for (const [body, code] of cases) expect([body, ...outcome(await send(body))]).toEqual([body, 400, code])
    expect((await send({ provider: 'azure', id_token })).json().message).toContain('not enabled')
  })

  test('errors of this grant are those of OAuth, whatever version the client names', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=id_token',
      payload: { provider: 'google', id_token: 'x' },
    })
    expect([reply.statusCode, reply.json()]).toEqual([400, { error: 'invalid request', error_description: 'Bad ID token' }])
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('a nonce on one side alone, and one that does not match', async () => {
    const token = await sign({ ...someone(), nonce: hex('right') })
    expect(outcome(await send({ id_token: token }))).toEqual([400, 'invalid request'])
    expect(outcome(await send({ id_token: await sign(someone()), nonce: 'right' }))).toEqual([400, 'invalid request'])
    expect(outcome(await send({ id_token: token, nonce: 'wrong' }))).toEqual([400, 'invalid nonce'])
    expect(outcome(await send({ id_token: await sign({ ...someone(), nonce: 'plain' }), nonce: 'plain' }))).toEqual([400, 'invalid nonce'])
  })

  test('an identity of another account is not added', async () => {
    const person = someone()
    await send({ id_token: await sign(person) })
    const { session } = await signUpAndConfirm(app)
    const reply = await send({ id_token: await sign(person), link_identity: true }, bearer(session))
    expect(outcome(reply)).toEqual([422, 'identity_already_exists'])
    expect(outcome(await send({ id_token: await sign(someone()), link_identity: true }))).toEqual([401, 'no_authorization'])
  })

  test('of a name that the database could not keep as it is, the rest is kept', async () => {
    const reply = await send({ id_token: await sign({ ...someone(), name: 'Ada\0 Love\uD800lace\u202E', preferred_username: '\0' }) })
    expect([reply.statusCode, reply.json().user?.user_metadata.full_name]).toEqual([200, 'Ada Love\uFFFDlace'])
    expect(reply.json().user.user_metadata).not.toHaveProperty('user_name')
  })

  test('an address that the provider has not proven', async () => {
    const person = { ...someone(), email_verified: false }
    expect(outcome(await send({ id_token: await sign(person) }))).toEqual([422, 'provider_email_needs_verification'])
    expect(outcome(await send({ id_token: await sign({ sub: 'x', aud: 'winnow' }) }))).toEqual([400, 'validation_failed'])
  })
})

describe('security', () => {
  test('a token for another audience, of another issuer, expired, without a subject or for another access token is refused', async () => {
    const foreign = await generateKeyPair('ES256')
    const tokens = [
      await sign({ ...someone(), aud: 'someone else' }),
      await sign({ ...someone(), iss: 'https://evil.example' }),
      await sign(someone(), `${provider.base}/apple`),
      await sign({ ...someone(), exp: Math.floor(Date.now() / 1000) - 60 }),
      await sign({ ...someone(), nbf: Math.floor(Date.now() / 1000) + 600 }),
      await sign({ ...someone(), sub: undefined }),
      await sign({ ...someone(), sub: 'a\0b' }),
      await sign({ ...someone(), sub: '\uD800' }),
      await sign({ ...someone(), sub: 'x'.repeat(400) }),
      await provider.sign(GOOGLE, someone(), foreign.privateKey),
      await provider.sign(GOOGLE, someone(), foreign.privateKey, 'unknown'),
      `${(await sign(someone())).split('.').slice(0, 2).join('.')}.`,
      'x',
    ]
    for (const id_token of tokens) expect([id_token, ...outcome(await send({ id_token }))]).toEqual([id_token, 400, 'invalid request'])
    const bound = await sign({ ...someone(), at_hash: half('theirs') })
    expect(outcome(await send({ id_token: bound, access_token: 'another' }))).toEqual([400, 'invalid request'])
  })

  test('a public key used as a secret and a missing signature are refused', async () => {
    const { keys } = await (await fetch(`${GOOGLE}/jwks`)).json()
    const claims = { ...someone(), iss: GOOGLE, exp: Math.floor(Date.now() / 1000) + 60, iat: Math.floor(Date.now() / 1000) }
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(keys[0])))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const id_token of [confused, `${part({ alg: 'none' })}.${part(claims)}.`]) {
      expect(outcome(await send({ id_token }))).toEqual([400, 'invalid request'])
    }
  })

  test('a provider that is away is a busy service; when it is back, its tokens are good', async () => {
    const id_token = await sign(someone(), `${provider.base}/keycloak`)
    provider.state.isDown = true
    expect(outcome(await send({ provider: 'keycloak', id_token }))).toEqual([503, 'unexpected_failure'])
    provider.state.isDown = false
    expect((await send({ provider: 'keycloak', id_token })).statusCode).toBe(200)
  })

  test('a user with a second factor adds no identity without MFA', async () => {
    const { email, session } = await signUpAndConfirm(app)
    await factorClient(app).finish(session)
    const low = sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
    const reply = await send({ id_token: await sign(someone()), link_identity: true }, bearer(low))
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'insufficient_aal'])
    const identities = await db.selectFrom('identities').select('provider').where('userId', '=', session.user.id).execute()
    expect(identities).toEqual([{ provider: 'email' }])
  })

  test('a banned user stays outside', async () => {
    const person = someone()
    const { user } = (await send({ id_token: await sign(person) })).json()
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', user.id)
      .execute()
    expect((await send({ id_token: await sign(person) })).json().code).toBe('user_banned')
  })
})
