import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  for (const name of ['keycloak', 'apple', 'github', 'spotify', 'discord']) {
    const prefix = `EXTERNAL_${name.toUpperCase()}_`
    const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/${name}` }
    for (const [key, value] of Object.entries(settings)) process.env[prefix + key] = value
  }
  Object.assign(process.env, {
    EXTERNAL_GOOGLE_ENABLED: 'true',
    EXTERNAL_GOOGLE_CLIENT_ID: CLIENT,
    URI_ALLOW_LIST: 'https://app.example/back',
  })
  return { provider }
})

import { z } from 'zod'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { adminClient } from '#test/admin.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
const admin = await adminClient(app)
startJobs()
beforeEach(async () => {
  await forgetLimits()
  provider.state.person = { sub: String(Math.floor(Math.random() * 1e12)), name: 'Ada Lovelace', email: someEmail(), email_verified: true }
  provider.state.claims = {}
  provider.state.isDown = false
  provider.state.otherEmails = []
})
afterAll(async () => {
  await stopJobs()
  await provider.close()
})

const SITE = 'http://localhost:3000'
const CHALLENGE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 's256' }
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** The browser of these tests, for the provider's redirects. */
let flowCookie = ''
const keepCookie = ({ headers }: { headers: Record<string, unknown> }) => {
  flowCookie = String(headers['set-cookie']).split(';', 1)[0] ?? ''
}

/** Runs the provider's sign-in. Returns the callback request before it is sent. */
async function visit(name: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const begun = await call(
    'GET',
    `/authorize?${new URLSearchParams({ provider: name, redirect_to: 'https://app.example/back', ...query })}`,
    undefined,
    { cookie: flowCookie, ...headers },
  )
  keepCookie(begun)
  expect([begun.statusCode, begun.body]).toEqual([302, ''])
  const asked = new URL(begun.headers.location ?? '')
  const answered = await fetch(asked, { redirect: 'manual' })
  const back = new URL(answered.headers.get('location') ?? '')
  return { asked, path: back.pathname.replace('/auth/v1', '') + back.search, back }
}
/** The final URL of a callback. */
async function land(path: string) {
  const reply = await call('GET', path, undefined, { cookie: flowCookie })
  expect(reply.statusCode).toBe(302)
  const target = new URL(reply.headers.location ?? '')
  return { target, fragment: Object.fromEntries(new URLSearchParams(target.hash.slice(1))), query: Object.fromEntries(target.searchParams) }
}
const signInWith = async (name: string, query: Record<string, string> = {}) => land((await visit(name, query)).path)
const userOf = async (fragment: Record<string, string>) =>
  (await call('GET', '/user', undefined, bearer({ access_token: fragment['access_token'] ?? '' }))).json()
const claimsOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const outcome = (reply: Awaited<ReturnType<typeof call>>) => [reply.statusCode, reply.json().code]

describe('happy', () => {
  test('a sign-in that comes back to our own pages is stored in cookies, and no URL has a token', async () => {
    const { target, fragment, query } = await signInWith('keycloak', { redirect_to: `${SITE}/about` })
    expect([target.href, fragment, query]).toEqual([`${SITE}/about`, {}, {}])
    const { path } = await visit('keycloak', { redirect_to: SITE })
    const reply = await call('GET', path, undefined, { cookie: flowCookie })
    expect(reply.cookies.map(({ name }) => name)).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
    expect(JSON.stringify(reply.headers.location)).not.toContain('token')
  })

  test('the question to the provider says who asks, where to answer, and nothing that could be used by others', async () => {
    const { asked, back } = await visit('keycloak', {
      scopes: 'groups',
      prompt: 'login',
      client_id: 'evil',
      redirect_uri: 'https://evil.example',
    })
    const question = Object.fromEntries(asked.searchParams)
    expect(question).toEqual({
      response_type: 'code',
      client_id: 'winnow',
      redirect_uri: `${SITE}/auth/v1/callback`,
      scope: 'openid email profile groups',
      state: expect.stringMatching(/^[\da-f-]{36}$/),
      nonce: expect.any(String),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
      prompt: 'login',
    })
    expect(back.origin + back.pathname).toBe(`${SITE}/auth/v1/callback`)
  })

  test('a new user gets an account, and the client a session in the fragment', async () => {
    const { person } = provider.state
    const { target, fragment } = await signInWith('keycloak', { redirect_to: 'https://app.example/back' })
    expect(target.origin + target.pathname).toBe('https://app.example/back')
    expect(Object.keys(fragment).toSorted()).toEqual(
      [
        'access_token',
        'expires_at',
        'expires_in',
        'provider_refresh_token',
        'provider_token',
        'refresh_token',
        'sb',
        'token_type',
      ].toSorted(),
    )
    expect(claimsOf(fragment['access_token']).amr).toMatchObject([{ method: 'oauth' }])
    const user = await userOf(fragment)
    expect(user).toMatchObject({
      email: person.email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      user_metadata: { full_name: 'Ada Lovelace', email: person.email, email_verified: true },
      identities: [{ provider: 'keycloak', id: person.sub, email: person.email, last_sign_in_at: expect.any(String) }],
    })
  })

  test('an account that begins at a provider keeps where it came from, and no token has it', async () => {
    const email = String(provider.state.person['email'])
    const cameFrom = async () => (await db.selectFrom('users').select('cameFrom').where('email', '=', email).executeTakeFirst())?.cameFrom
    const source = { form: 'sign-in', path: '/login', referrer: null, campaign: { utm_source: 'ads' } }
    const { fragment } = await land((await visit('keycloak', {}, { referer: `${SITE}/login?utm_source=ads` })).path)
    expect(await cameFrom()).toEqual(source)
    expect(JSON.stringify([await userOf(fragment), claimsOf(fragment['access_token'])])).not.toContain('ads')
    await land((await visit('keycloak', {}, { referer: `${SITE}/login?utm_source=later` })).path)
    expect(await cameFrom()).toEqual(source)
  })

  test('a client with a key gets a code, and for it the session with the tokens of the provider', async () => {
    const { query, fragment } = await signInWith('keycloak', CHALLENGE)
    expect(fragment).toEqual({})
    const wrong = await call('POST', '/token?grant_type=pkce', { auth_code: query['code'], code_verifier: 'x'.repeat(43) })
    expect(outcome(wrong)).toEqual([400, 'bad_code_verifier'])
    const reply = await call('POST', '/token?grant_type=pkce', { auth_code: query['code'], code_verifier: VERIFIER })
    expect(reply.json()).toMatchObject({
      provider_token: expect.any(String),
      provider_refresh_token: 'theirs',
      user: { email: provider.state.person.email },
    })
    const again = await call('POST', '/token?grant_type=pkce', { auth_code: query['code'], code_verifier: VERIFIER })
    expect(outcome(again)).toEqual([404, 'flow_state_not_found'])
  })

  test('an invitation is accepted at a provider, by the person whose address was invited', async () => {
    const { person } = provider.state
    const invited = (await admin('POST', '/admin/generate_link', { type: 'invite', email: person.email })).json()
    const invitation = { invite_token: invited.hashed_token, redirect_to: 'https://app.example/back' }
    provider.state.person = { ...person, sub: '1', email: someEmail() }
    const { fragment: refused } = await signInWith('keycloak', invitation)
    expect(refused).toMatchObject({
      error_code: 'validation_failed',
      error_description: 'Invited email does not match emails from external provider',
    })
    provider.state.person = person
    const { fragment } = await signInWith('keycloak', invitation)
    expect(await userOf(fragment)).toMatchObject({ id: invited.id, email: person.email, email_confirmed_at: expect.any(String) })
    const used = await call('GET', `/authorize?provider=keycloak&invite_token=${invited.hashed_token}`)
    expect(outcome(used)).toEqual([404, 'user_not_found'])
  })

  test('the protocol’s own client goes all the way', async () => {
    const memory = new Map<string, string>()
    const storage = {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => void memory.set(key, value),
      removeItem: (key: string) => void memory.delete(key),
    }
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const client = new AuthClient({ url, flowType: 'pkce', storage, autoRefreshToken: false })
    const { data } = await client.signInWithOAuth({
      provider: 'keycloak',
      options: { skipBrowserRedirect: true, redirectTo: `${SITE}/here` },
    })
    const begun = await fetch(data.url ?? '', { redirect: 'manual' })
    const answered = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
    const back = new URL(answered.headers.get('location') ?? '')
    const { query, target } = await land(back.pathname.replace('/auth/v1', '') + back.search)
    expect(target.pathname).toBe('/here')
    const { data: signedIn, error } = await client.exchangeCodeForSession(query['code'] ?? '')
    expect(error).toBeNull()
    expect(signedIn.session?.provider_token).toBeDefined()
    expect(signedIn.user?.email).toBe(provider.state.person.email)
    await client.stopAutoRefresh()
  })

  test('a returning user has the same account, with the provider’s current profile', async () => {
    const first = await userOf((await signInWith('keycloak')).fragment)
    provider.state.person = { ...provider.state.person, name: 'Augusta' }
    const second = await userOf((await signInWith('keycloak')).fragment)
    expect(second.id).toBe(first.id)
    expect(second.identities[0].identity_data.full_name).toBe('Augusta')
  })

  test('an address that is proven there and here joins the two, and its holder is told', async () => {
    const { email, session } = await signUpAndConfirm(app)
    provider.state.person = { ...provider.state.person, email: email.toUpperCase() }
    const user = await userOf((await signInWith('github')).fragment)
    expect(user.id).toBe(session.user.id)
    expect(user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'github'] })
    expect(user.user_metadata).toMatchObject({ first_name: 'Ada', user_name: 'Ada Lovelace' })
    expect(await emailsTo(email)).toContainEqual({
      kind: 'identity',
      data: expect.objectContaining({ provider: 'github', isAdded: true }),
    })
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('a further address that GitHub has proven joins the account that has it; one that is not proven, on either side, does not', async () => {
    const [proven, other] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    const unproven = someEmail()
    await call('POST', '/signup', { email: unproven, password: PASSWORD })
    const person = provider.state.person
    const arrive = async (sub: string, otherEmails: typeof provider.state.otherEmails) => {
      provider.state.person = { ...person, sub, email: someEmail() }
      provider.state.otherEmails = otherEmails
      return userOf((await signInWith('github', { redirect_to: 'https://app.example/back' })).fragment)
    }
    const address = (email: string, verified = true) => ({ email, primary: false, verified })
    expect((await arrive('11', [address(proven.email)])).id).toBe(proven.session.user.id)
    expect((await arrive('12', [address(other.email, false)])).id).not.toBe(other.session.user.id)
    expect((await arrive('13', [address(unproven)])).email).not.toBe(unproven)
    expect([proven, other].map(({ session }) => session.user.id)).not.toContain(
      (await arrive('14', [address(proven.email), address(other.email)])).id,
    )
  })

  test.each(['github', 'discord'])('%s speaks OAuth alone, and is asked who it was', async (name) => {
    const user = await userOf((await signInWith(name)).fragment)
    expect(user.identities).toMatchObject([{ provider: name, id: provider.state.person.sub, email: provider.state.person.email }])
  })

  test('Apple answers by a form from its own page', async () => {
    const { asked, back } = await visit('apple')
    expect(asked.searchParams.get('response_mode')).toBe('form_post')
    const reply = await app.inject({
      method: 'POST',
      url: '/auth/v1/callback',
      headers: {
        cookie: flowCookie,
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
        'sec-fetch-site': 'cross-site',
      },
      payload: back.searchParams.toString(),
    })
    expect([reply.statusCode, new URL(reply.headers.location ?? '').hash]).toEqual([302, expect.stringContaining('access_token=')])
  })

  test('which providers there are stands in the settings', async () => {
    const { external } = (await call('GET', '/settings')).json()
    expect(external).toMatchObject({ keycloak: true, github: true, google: true, azure: false, notion: false })
  })
})

describe('error', () => {
  test('an unsupported provider and an invalid PKCE challenge are refused immediately', async () => {
    for (const query of [
      '',
      'provider=',
      'provider=azure',
      'provider=notion',
      'provider=constructor',
      'provider=google',
      'provider=keycloak&code_challenge=x',
    ]) {
      expect([query, ...outcome(await call('GET', `/authorize?${query}`))]).toEqual([query, 400, 'validation_failed'])
    }
  })

  test('an address that the provider has not proven has to be confirmed by an email, which names the provider, and then it may come in', async () => {
    const email = someEmail()
    provider.state.person = { ...provider.state.person, email }
    const denied = await signInWith('spotify')
    expect(denied.fragment).toMatchObject({ error: 'access_denied', error_code: 'provider_email_needs_verification' })
    await eventually(async () => expect(await emailsTo(email)).toHaveLength(1))
    const [sent] = await emailsTo(email)
    const { subject, text } = await renderEmail('confirm-address', JSON.stringify(sent?.data))
    expect(subject).toBe('Confirm your sign-in with Spotify')
    expect(text).toContain('Someone signed in with Spotify')
    const { link } = z.object({ link: z.string() }).parse(sent?.data)
    expect((await call('POST', '/verify', { type: 'signup', token_hash: link })).statusCode).toBe(200)
    expect((await userOf((await signInWith('spotify')).fragment)).email).toBe(email)
  })

  test('what the provider refuses is told where the client wants it, in its query too when it has a key', async () => {
    const { asked } = await visit('keycloak', { ...CHALLENGE, redirect_to: 'https://app.example/back' })
    const said = { state: asked.searchParams.get('state') ?? '', error: 'access_denied', error_description: 'No <b>thanks</b>' }
    const { target, fragment, query } = await land(`/callback?${new URLSearchParams(said)}`)
    expect(target.origin).toBe('https://app.example')
    const expected = { error: 'access_denied', error_code: 'bad_oauth_callback', error_description: 'No  b thanks /b ' }
    expect(query).toEqual(expected)
    expect(fragment).toEqual({ ...expected, sb: '' })
  })

  test('a missing code, a missing state, an unknown state and a used one are refused', async () => {
    const { asked, path } = await visit('keycloak')
    expect((await land(`/callback?state=${asked.searchParams.get('state')}`)).fragment['error_code']).toBe('bad_oauth_callback')
    expect((await land('/callback?code=x')).fragment).toMatchObject({ error: 'invalid_request', error_code: 'bad_oauth_state' })
    expect((await land(`/callback?code=x&state=${crypto.randomUUID()}`)).fragment['error_code']).toBe('flow_state_already_used')
    expect((await land(path)).fragment['error_code']).toBe('flow_state_already_used')
  })

  test('a provider that is away is no crash', async () => {
    const { path } = await visit('keycloak')
    provider.state.isDown = true
    expect((await land(path)).fragment).toMatchObject({ error: 'temporarily_unavailable', error_code: 'unexpected_failure' })
  })

  test('a provider’s user without an address cannot sign in', async () => {
    provider.state.person = { sub: provider.state.person.sub, name: 'Nobody' }
    expect((await signInWith('keycloak')).fragment['error_code']).toBe('validation_failed')
  })
})

describe('security', () => {
  test('a token of another issuer, for someone else, of another sign-in, or a missing one is refused', async () => {
    for (const claims of [{ iss: 'https://evil.example' }, { aud: 'someone else' }, { nonce: 'of another' }, { exp: 1 }]) {
      provider.state.claims = claims
      const { path } = await visit('keycloak')
      expect([claims, (await land(path)).fragment['error_code']]).toEqual([claims, 'unexpected_failure'])
    }
    const users = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', provider.state.person.email ?? '')
      .execute()
    expect(users).toEqual([])
  })

  test('the same answer given twice at the same moment opens one session', async () => {
    const { path } = await visit('keycloak')
    const landed = await Promise.all([land(path), land(path), land(path)])
    expect(landed.filter(({ fragment }) => fragment['access_token'])).toHaveLength(1)
  })

  test('two who come for the first time at the same moment are one user', async () => {
    const [one, two] = [await visit('keycloak'), await visit('keycloak')]
    const landed = await Promise.all([land(one.path), land(two.path)])
    const ids = await Promise.all(landed.map(async ({ fragment }) => (await userOf(fragment)).id))
    expect(new Set(ids).size).toBe(1)
  })

  test('a stranger’s sign-up with an address loses its access when the address’s owner signs in', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD, data: { first_name: 'Mallory' } })
    const { id: userId } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await db.updateTable('users').set({ newEmail: someEmail(), newPhone: '4915188888888' }).where('id', '=', userId).execute()
    await insert(db, 'recoveryCodes', { userId, codeHash: Buffer.from('code') })
    await insert(db, 'mfaFactors', { userId, factorType: 'phone', status: 'verified', phone: '4915188888888' })
    provider.state.person = { ...provider.state.person, email }
    const user = await userOf((await signInWith('keycloak')).fragment)
    expect(user).toMatchObject({
      email,
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      identities: [{ provider: 'keycloak' }],
    })
    expect(user.user_metadata).not.toHaveProperty('first_name')
    expect([user.new_email, user.new_phone, user.factors]).toEqual([undefined, undefined, undefined])
    expect(await db.selectFrom('recoveryCodes').select('id').where('userId', '=', userId).execute()).toEqual([])
    expect(outcome(await call('POST', '/token?grant_type=password', { email, password: PASSWORD }))).toEqual([400, 'invalid_credentials'])
    const { link } = z.object({ link: z.string() }).parse((await emailsTo(email))[0]?.data)
    expect(outcome(await call('POST', '/verify', { type: 'signup', token_hash: link }))).toEqual([403, 'otp_expired'])
  })

  test('an address that an account claims beside its proven number goes to the person whom the provider names, and nothing else does', async () => {
    const email = someEmail()
    const columns = { emailAssumed: true, phone: '4915188880001', phoneConfirmedAt: new Date(), passwordHash: 'kept' }
    const { id } = await makeUser({ email, ...columns, role: 'staff' })
    provider.state.person = { ...provider.state.person, email }
    const user = await userOf((await signInWith('keycloak')).fragment)
    expect([user.id === id, user.email, user.phone, user.app_metadata.role]).toEqual([false, email, '', undefined])
    const before = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(before).toMatchObject({ email: null, phone: '4915188880001', passwordHash: 'kept', appMetadata: { role: 'staff' } })
  })

  test('an address that the provider has not proven opens no account, and does not reveal one', async () => {
    const { email } = await signUpAndConfirm(app)
    provider.state.person = { ...provider.state.person, email, email_verified: false }
    expect((await signInWith('keycloak')).fragment['error_code']).toBe('provider_email_needs_verification')
    const unknown = await (async () => {
      provider.state.person = { ...provider.state.person, sub: 'another', email: someEmail() }
      return (await signInWith('keycloak')).fragment
    })()
    expect(unknown['error_code']).toBe('provider_email_needs_verification')
    const identities = await db.selectFrom('identities').select('provider').where('email', '=', email).execute()
    expect(identities.map(({ provider: name }) => name)).toEqual(['email'])
  })

  test('a banned user stays outside', async () => {
    const user = await userOf((await signInWith('keycloak')).fragment)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', user.id)
      .execute()
    expect((await signInWith('keycloak')).fragment).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
  })

  test('an unlisted target is refused, and a provider’s state is refused for another provider', async () => {
    for (const place of ['https://evil.example', 'javascript:alert(1)', 'https://app.example.evil.example/back', '//evil.example']) {
      expect((await signInWith('keycloak', { redirect_to: place })).target.origin).toBe(SITE)
    }
  })

  test('a flow’s stored secrets are sealed', async () => {
    const { asked } = await visit('keycloak')
    const row = await db
      .selectFrom('flowStates')
      .selectAll()
      .where('id', '=', asked.searchParams.get('state') ?? '')
      .executeTakeFirstOrThrow()
    expect(Buffer.from(row.secretsSealed ?? []).includes(asked.searchParams.get('nonce') ?? 'none')).toBe(false)
  })
})
