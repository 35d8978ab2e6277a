import { afterAll, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  for (const name of ['keycloak', 'google']) {
    const prefix = `EXTERNAL_${name.toUpperCase()}_`
    const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/${name}`, EMAIL_OPTIONAL: 'true' }
    for (const [key, value] of Object.entries(settings)) process.env[prefix + key] = value
  }
  Object.assign(process.env, {
    DISABLE_SIGNUP: 'true',
    EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
    URI_ALLOW_LIST: 'https://app.example/back',
  })
  return { provider }
})

import { db, insert } from '#app/platform/database/db.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { messageFor, solanaWallet } from '#test/wallet.ts'

const app = await startAuth()
const call = authClient(app)
afterAll(() => provider.close())

async function signIn() {
  const begun = await call('GET', '/authorize?provider=keycloak&redirect_to=https://app.example/back')
  const answered = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
  const back = new URL(answered.headers.get('location') ?? '')
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  const reply = await call('GET', back.pathname.replace('/auth/v1', '') + back.search, undefined, { cookie })
  return Object.fromEntries(new URLSearchParams(new URL(reply.headers.location ?? '').hash.slice(1)))
}

test('while sign-up is off, providers and wallets create no accounts', async () => {
  provider.state.person = { sub: 'new', email: 'new@example.com', email_verified: true }
  expect(await signIn()).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' })
  const idToken = await provider.sign(`${provider.base}/google`, {
    sub: 'new',
    aud: 'winnow',
    email: 'new@example.com',
    email_verified: true,
  })
  const byToken = await call('POST', '/token?grant_type=id_token', { provider: 'google', id_token: idToken })
  expect([byToken.statusCode, byToken.json().code]).toEqual([422, 'signup_disabled'])
  const wallet = solanaWallet()
  const message = messageFor(wallet)
  const byWallet = await call('POST', '/token?grant_type=web3', { chain: 'solana', message, signature: wallet.sign(message) })
  expect([byWallet.statusCode, byWallet.json().code]).toEqual([422, 'signup_disabled'])
  expect(await db.selectFrom('users').select('id').execute()).toEqual([])
})

test('existing accounts sign in by a proven address or by their identity, even without an address', async () => {
  const [known, nameless] = [await makeUser({ email: 'known@example.com' }), await makeUser({ email: null })]
  provider.state.person = { sub: 'known', email: 'known@example.com', email_verified: true }
  expect(await signIn()).toHaveProperty('access_token')
  await insert(db, 'identities', { userId: nameless.id, provider: 'keycloak', providerId: 'nameless' })
  provider.state.person = { sub: 'nameless' }
  expect(await signIn()).toHaveProperty('access_token')
  const sessions = await db.selectFrom('sessions').select('userId').orderBy('createdAt').execute()
  expect(sessions.map(({ userId }) => userId)).toEqual([known.id, nameless.id])
})
