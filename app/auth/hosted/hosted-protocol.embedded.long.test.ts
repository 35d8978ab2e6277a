import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { startHosted } from '#test/hosted.ts'
import { CLIENT, SECRET, startProvider } from '#test/provider-server.ts'
import { codeOf } from '#test/totp.ts'
import { ethereumWallet, messageFor } from '#test/wallet.ts'

const PASSWORD = 'correct horse'
const SITE = 'http://localhost:3000'

const provider = await startProvider()
const { service, app, db, forgetLimits, emailsTo, waitFourteenDays } = await startHosted({
  project: {
    URI_ALLOW_LIST: `${SITE}/**`,
    EXTERNAL_PHONE_ENABLED: 'true',
    EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
    EXTERNAL_KEYCLOAK_ENABLED: 'true',
    EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT,
    EXTERNAL_KEYCLOAK_SECRET: SECRET,
    EXTERNAL_KEYCLOAK_URL: `${provider.base}/realm`,
    EXTERNAL_KEYCLOAK_SKIP_NONCE_CHECK: 'true',
  },
  product: { OWNER_EMAIL: 'owner@example.com' },
})
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
const clients: InstanceType<typeof AuthClient>[] = []
let count = 0
const someEmail = () => `through-${(count += 1)}@example.com`

beforeEach(async () => {
  await forgetLimits()
  await service.forgetLimits()
  provider.state.person = { sub: crypto.randomUUID(), name: 'Ada', email: someEmail(), email_verified: true }
})
afterAll(async () => {
  for (const client of clients) await client.stopAutoRefresh()
  await provider.close()
})

/** The official client, unmodified. It knows only the product's address. */
function newClient(flowType: 'pkce' | 'implicit' = 'implicit') {
  const memory = new Map<string, string>()
  const storage = {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => void memory.set(key, value),
    removeItem: (key: string) => void memory.delete(key),
  }
  const client = new AuthClient({ url, flowType, storage, autoRefreshToken: false })
  clients.push(client)
  return client
}

/** Created by the service's admin API, signed in through the product. */
async function newMember(client = newClient()) {
  const email = someEmail()
  const headers = { authorization: `Bearer ${service.secretKey}` }
  const payload = { email, password: PASSWORD, email_confirm: true }
  await service.app.inject({ method: 'POST', url: '/auth/v1/admin/users', headers, payload })
  const { data } = await client.signInWithPassword({ email, password: PASSWORD })
  return { client, email, session: known(data.session) }
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('There is none.')
  return value
}

const emailTo = async (address: string, kind: string) => {
  await eventually(async () => expect((await service.emailsTo(address)).map((email) => email.kind)).toContain(kind))
  const secrets: { link: string; code: string } = (await service.emailsTo(address)).findLast((email) => email.kind === kind)?.data
  return secrets
}
const opens = async (token: string) =>
  (await app.inject({ url: '/api/access-requests', headers: { authorization: `Bearer ${token}` } })).statusCode

/** A browser that follows redirects with cookies per host, up to our own pages. */
async function follow(start: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let place = new URL(start)
  for (let hop = 0; hop < 8; hop += 1) {
    const reply = await fetch(place, { redirect: 'manual', headers: { cookie: cookies.get(place.host) ?? '' } })
    const [set] = reply.headers.getSetCookie()
    if (set) cookies.set(place.host, set.split(';', 1)[0] ?? '')
    place = new URL(reply.headers.get('location') ?? '', place)
    if (place.origin === SITE) return place
  }
  throw new Error('It goes on for ever.')
}

describe('happy', () => {
  test('a provider, with a key: the code that comes back is exchanged through the product', async () => {
    const client = newClient('pkce')
    const options = { redirectTo: `${SITE}/login/return`, skipBrowserRedirect: true }
    const { data } = await client.signInWithOAuth({ provider: 'keycloak', options })
    const target = await follow(known(data.url))
    expect(target.pathname).toBe('/login/return')
    const { data: signedIn, error } = await client.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect([error, signedIn.user?.email]).toEqual([null, provider.state.person.email])
    expect(await opens(known(signedIn.session).access_token)).toBe(200)
  })

  test('a provider, without a key: the session is in the fragment, and opens the product', async () => {
    const options = { redirectTo: `${SITE}/login/return`, skipBrowserRedirect: true }
    const { data } = await newClient().signInWithOAuth({ provider: 'keycloak', options })
    const session = new URLSearchParams((await follow(known(data.url))).hash.slice(1))
    expect(await opens(session.get('access_token') ?? '')).toBe(200)
    const client = newClient()
    const tokens = { access_token: session.get('access_token') ?? '', refresh_token: session.get('refresh_token') ?? '' }
    expect((await client.setSession(tokens)).data.user?.email).toBe(provider.state.person.email)
    expect((await client.refreshSession()).error).toBeNull()
  })

  test('a company that asks for a provider opens to sessions that began with it, and to no other of the same people', async () => {
    const ask = (token: string, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
      app.inject({ method, url: path, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) })
    const byPassword = await newMember()
    const founded = await ask(byPassword.session.access_token, 'POST', '/api/organizations', { name: 'Acme Retail' })
    const place = `/api/organizations/${founded.json().id}`
    const choose = (token: string) => ask(token, 'PUT', `${place}/sign-in`, { provider: 'keycloak' })
    // The founder signed in another way, and would lose access.
    expect((await choose(byPassword.session.access_token)).json().code).toBe('sign_in_provider')

    const client = newClient('pkce')
    const options = { redirectTo: `${SITE}/login/return`, skipBrowserRedirect: true }
    const { data } = await client.signInWithOAuth({ provider: 'keycloak', options })
    const code = (await follow(known(data.url))).searchParams.get('code') ?? ''
    const began = known((await client.exchangeCodeForSession(code)).data.session).access_token
    const email = provider.state.person.email
    await ask(byPassword.session.access_token, 'POST', `${place}/invitations`, { email, role: 'admin' })
    const [invitation] = (await ask(began, 'GET', '/api/organization-invitations')).json()
    expect((await ask(began, 'POST', `/api/organization-invitations/${invitation.id}/accept`, {})).statusCode).toBe(200)
    expect((await choose(began)).json()).toEqual({ provider: 'keycloak', choices: ['keycloak'] })
    expect((await ask(began, 'GET', place)).statusCode).toBe(200)
    const refused = await ask(byPassword.session.access_token, 'GET', place)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'sign_in_provider'])
    expect(refused.json().detail).toContain('Sign out, then sign in with')
  })

  test('a sign-in method is connected, listed and removed', async () => {
    const { client } = await newMember(newClient('pkce'))
    const { data } = await client.linkIdentity({ provider: 'keycloak', options: { redirectTo: `${SITE}/x`, skipBrowserRedirect: true } })
    const code = (await follow(known(data.url))).searchParams.get('code') ?? ''
    expect((await client.exchangeCodeForSession(code)).error).toBeNull()
    const identities = known((await client.getUserIdentities()).data).identities
    expect(identities.map((identity) => identity.provider)).toEqual(['email', 'keycloak'])
    expect((await client.unlinkIdentity(known(identities[1]))).error).toBeNull()
    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1)
  })

  test('a number, by the code that is sent to it', async () => {
    const client = newClient()
    const phone = '4915112345678'
    expect((await client.signInWithOtp({ phone })).error).toBeNull()
    await eventually(async () => expect(await service.emailsTo(`${phone}@phone.localhost`)).toHaveLength(1))
    const token = (await service.emailsTo(`${phone}@phone.localhost`))[0]?.data.code
    const { data, error } = await client.verifyOtp({ phone, token, type: 'sms' })
    expect([error, data.user?.phone]).toEqual([null, phone])
    expect(await opens(known(data.session).access_token)).toBe(200)
  })

  test('a token of a provider, and a wallet', async () => {
    const token = await provider.sign(`${provider.base}/realm`, { aud: CLIENT, ...provider.state.person })
    const byToken = await newClient().signInWithIdToken({ provider: 'keycloak', token })
    expect([byToken.error, byToken.data.user?.email]).toEqual([null, provider.state.person.email])
    const wallet = ethereumWallet()
    const message = messageFor(wallet)
    const signature = wallet.sign(message)
    if (!signature.startsWith('0x')) throw new Error('It is no signature of Ethereum.')
    const byWallet = await newClient().signInWithWeb3({ chain: 'ethereum', message, signature: `0x${signature.slice(2)}` })
    expect(byWallet.error).toBeNull()
    for (const { data } of [byToken, byWallet]) expect(await opens(known(data.session).access_token)).toBe(200)
  })

  test('an anonymous user is not signed in to the product until their address is proven', async () => {
    const client = newClient()
    const { data, error } = await client.signInAnonymously()
    expect([error, data.user?.is_anonymous]).toEqual([null, true])
    expect(await opens(known(data.session).access_token)).toBe(401)
    const email = someEmail()
    expect((await client.updateUser({ email })).error).toBeNull()
    const { link } = await emailTo(email, 'email-change-new')
    const proven = await client.verifyOtp({ token_hash: link, type: 'email_change' })
    expect(proven.data.user).toMatchObject({ id: data.user?.id, is_anonymous: false, email })
    expect(await opens(known(proven.data.session).access_token)).toBe(200)
  })

  test('a second factor is enrolled, asked for and taken away', async () => {
    const { client, email } = await newMember()
    const { data: begun } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    if (begun?.type !== 'totp') throw new Error('It was not begun.')
    const raised = await client.mfa.challengeAndVerify({ factorId: begun.id, code: codeOf(begun.totp.secret) })
    expect(raised.error).toBeNull()
    expect(await opens(known(raised.data).access_token)).toBe(200)

    const other = newClient()
    const low = known((await other.signInWithPassword({ email, password: PASSWORD })).data.session)
    expect((await other.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    expect(await opens(low.access_token)).toBe(403)
    expect((await other.mfa.unenroll({ factorId: begun.id })).error?.code).toBe('insufficient_aal')
    expect((await client.mfa.unenroll({ factorId: begun.id })).error).toBeNull()
    expect(await opens(low.access_token)).toBe(200)
  })

  test('a new address, by the emails to both', async () => {
    const { client, email } = await newMember()
    const fresh = someEmail()
    expect((await client.updateUser({ email: fresh })).data.user?.new_email).toBe(fresh)
    const first = await client.verifyOtp({ token_hash: (await emailTo(email, 'email-change-current')).link, type: 'email_change' })
    expect([first.error, first.data.session]).toEqual([null, null])
    const second = await client.verifyOtp({ token_hash: (await emailTo(fresh, 'email-change-new')).link, type: 'email_change' })
    expect(second.data.user?.email).toBe(fresh)
    const account = await db.selectFrom('hostedAccounts').select(['id', 'emailConfirmedAt']).where('email', '=', fresh).executeTakeFirst()
    expect(account).toEqual({ id: second.data.user?.id, emailConfirmedAt: expect.any(Date) })
  })

  test('a reauthentication code arrives, and a forgotten password is replaced', async () => {
    const { client, email } = await newMember()
    expect((await client.reauthenticate()).error).toBeNull()
    const { code: nonce } = await emailTo(email, 'reauthentication')
    expect((await client.updateUser({ password: 'another horse', nonce })).error).toBeNull()

    const other = newClient()
    expect((await other.resetPasswordForEmail(email)).error).toBeNull()
    const { code: token } = await emailTo(email, 'reset-password')
    expect((await other.verifyOtp({ email, token, type: 'recovery' })).error).toBeNull()
    expect((await other.updateUser({ password: 'a third horse' })).error).toBeNull()
    expect((await client.refreshSession()).error).not.toBeNull()
    expect((await newClient().signInWithPassword({ email, password: 'a third horse' })).error).toBeNull()
  })

  test('ten tabs that renew one session at the same moment all stay signed in', async () => {
    const { session } = await newMember()
    const renew = (refreshToken: string) =>
      app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', payload: { refresh_token: refreshToken } })
    const replies = await Promise.all(Array.from({ length: 10 }, () => renew(session.refresh_token)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
    const tokens = new Set(replies.map((reply) => reply.json().refresh_token))
    expect(tokens.size).toBe(1)
    const next = await renew([...tokens][0])
    expect([next.statusCode, await opens(next.json().access_token)]).toEqual([200, 200])
  })
})

describe('deletion', () => {
  test('without the secret key only our account is deleted, and the page says what remains at the service and whom to ask', async () => {
    const { client, email, session } = await newMember()
    const headers = { authorization: `Bearer ${session.access_token}` }
    expect((await app.inject({ url: '/api/account', headers })).json()).toMatchObject({ remainsElsewhere: true, hasRecoveryCodes: false })
    const wish = { method: 'POST', url: '/api/account/deletion', headers, payload: { confirm: email } } as const
    expect((await app.inject(wish)).statusCode).toBe(200)
    await waitFourteenDays()
    expect(await opens(session.access_token)).toBe(401)
    expect((await newClient().signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
    expect((await client.refreshSession()).error?.code).toBe('user_banned')
    expect(await db.selectFrom('hostedAccounts').select('id').where('email', '=', email).execute()).toEqual([])
    expect((await emailsTo(email)).at(-1)).toEqual({ kind: 'account-deleted', data: { remainsElsewhere: true } })
    expect(await service.db.selectFrom('users').select('email').where('email', '=', email).execute()).toHaveLength(1)
    expect(service.asked.filter(({ path }) => path.includes('/admin/users/'))).toEqual([])
  })

  test('a user with a phone number and no email confirms with the number', async () => {
    const phone = '4915112345679'
    const client = newClient()
    await client.signInWithOtp({ phone })
    await eventually(async () => expect(await service.emailsTo(`${phone}@phone.localhost`)).toHaveLength(1))
    const token = (await service.emailsTo(`${phone}@phone.localhost`))[0]?.data.code
    const { data } = await client.verifyOtp({ phone, token, type: 'sms' })
    const headers = { authorization: `Bearer ${known(data.session).access_token}` }
    const ask = (confirm: string) => app.inject({ method: 'POST', url: '/api/account/deletion', headers, payload: { confirm } })
    expect([(await ask('')).statusCode, (await ask('4915100000000')).statusCode, (await ask(phone)).statusCode]).toEqual([422, 422, 200])
  })
})

describe('security', () => {
  test('a user banned here cannot sign in by any of these methods', async () => {
    const token = await provider.sign(`${provider.base}/realm`, { aud: CLIENT, ...provider.state.person })
    const { data } = await newClient().signInWithIdToken({ provider: 'keycloak', token })
    const bannedUntil = new Date(Date.now() + 60_000)
    await db
      .updateTable('hostedAccounts')
      .set({ bannedUntil })
      .where('id', '=', data.user?.id ?? '')
      .execute()
    expect((await newClient().signInWithIdToken({ provider: 'keycloak', token })).error?.code).toBe('user_banned')
    const client = newClient('pkce')
    const { data: asked } = await client.signInWithOAuth({
      provider: 'keycloak',
      options: { redirectTo: `${SITE}/x`, skipBrowserRedirect: true },
    })
    const code = (await follow(known(asked.url))).searchParams.get('code') ?? ''
    expect((await client.exchangeCodeForSession(code)).error?.code).toBe('user_banned')
  })

  test('an unusual spelling of a path bypasses no check', async () => {
    const headers = { authorization: `Bearer ${service.secretKey}` }
    const asked = service.asked.length
    for (const path of ['/%61dmin/users', '//admin/users', '/admin%2fusers', '/%74oken?grant_type=password', '/token%2f', '/;/user'])
      expect([path, (await app.inject({ url: `/auth/v1${path}`, headers })).statusCode]).toEqual([path, 404])
    expect((await app.inject({ method: 'TRACE', url: '/auth/v1/user', headers })).statusCode).toBe(404)
    expect(service.asked).toHaveLength(asked)
  })

  test('a HEAD request gets the headers only', async () => {
    expect((await app.inject({ method: 'HEAD', url: '/auth/v1/settings' })).statusCode).toBe(200)
    expect((await app.inject({ method: 'HEAD', url: '/auth/v1/user' })).statusCode).toBe(401)
  })

  test('a browser that leaves for a provider is redirected to the service, which sets its cookie', async () => {
    const before = service.asked.length
    const reply = await app.inject({ url: '/auth/v1/authorize?provider=keycloak&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fx' })
    expect(reply.headers.location).toBe(`${service.url}/auth/v1/authorize?provider=keycloak&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fx`)
    expect(service.asked.length).toBe(before)
  })
})
