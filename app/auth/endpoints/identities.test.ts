import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  for (const name of ['keycloak', 'github', 'spotify']) {
    const prefix = `EXTERNAL_${name.toUpperCase()}_`
    const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/${name}` }
    for (const [key, value] of Object.entries(settings)) process.env[prefix + key] = value
  }
  Object.assign(process.env, {
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
    EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    EXTERNAL_PHONE_ENABLED: 'true',
    URI_ALLOW_LIST: 'https://app.example/back',
  })
  return { provider }
})

import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(async () => {
  await forgetLimits()
  provider.state.person = { sub: String(Math.floor(Math.random() * 1e12)), name: 'Ada', email: someEmail(), email_verified: true }
})
afterAll(() => provider.close())

const outcome = (reply: Awaited<ReturnType<typeof call>>) => [reply.statusCode, reply.json().code]
const userOf = async (session: SessionAnswer) => (await call('GET', '/user', undefined, bearer(session))).json()
const remove = (session: SessionAnswer, id: string) => call('DELETE', `/user/identities/${id}`, undefined, bearer(session))

/** Links a provider to the account. Returns the fields of the final fragment. */
async function link(session: SessionAnswer, name = 'keycloak', meanwhile = async () => {}) {
  const { path, cookie } = await goTo(session, { provider: name })
  await meanwhile()
  return (await land(path, { cookie })).fragment
}
/** The provider's callback request before it is sent, with the browser's cookie. */
async function goTo(session: SessionAnswer, query: Record<string, string>, headers: Record<string, string> = {}) {
  const asked = new URLSearchParams({ redirect_to: 'https://app.example/back', ...query, skip_http_redirect: 'true' })
  const begun = await call('GET', `/user/identities/authorize?${asked}`, undefined, { ...bearer(session), ...headers })
  expect(begun.statusCode).toBe(200)
  return { path: await answerTo(begun.json().url), cookie: String(begun.headers['set-cookie']).split(';', 1)[0] ?? '' }
}
async function answerTo(question: string): Promise<string> {
  const answered = await fetch(question, { redirect: 'manual' })
  const back = new URL(answered.headers.get('location') ?? '')
  return back.pathname.replace('/auth/v1', '') + back.search
}
async function land(path: string, headers: Record<string, string>) {
  const target = new URL((await call('GET', path, undefined, headers)).headers.location ?? '')
  return { fragment: Object.fromEntries(new URLSearchParams(target.hash.slice(1))), query: Object.fromEntries(target.searchParams) }
}
const KEY = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 's256' }
const exchange = (code = '', verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk') =>
  call('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
const identityOf = async (session: SessionAnswer, name: string): Promise<string> =>
  (await userOf(session)).identities.find((identity: { provider: string }) => identity.provider === name).identity_id

describe('happy', () => {
  test('a sign-in method is added and removed, the list is updated, and the user gets an email about both', async () => {
    const { email, session } = await signUpAndConfirm(app)
    expect(await link(session)).toHaveProperty('access_token')
    const user = await userOf(session)
    expect(user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'keycloak'] })
    expect((await call('GET', '/user/identities', undefined, bearer(session))).json()).toEqual({ identities: user.identities })

    const reply = await remove(session, await identityOf(session, 'keycloak'))
    expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    const after = await userOf(session)
    expect([after.email, after.identities.length]).toEqual([email, 1])
    expect(after.app_metadata).toMatchObject({ provider: 'email', providers: ['email'] })
    const told = (await emailsTo(email)).filter(({ kind }) => kind === 'identity').map(({ data }) => data.isAdded)
    expect(told).toEqual([true, false])
    const events = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', user.id).execute()
    expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['identity_linked', 'identity_unlinked']))
  })

  test('a main sign-in method that is removed is replaced by the one that remains', async () => {
    const { session } = await signUpAndConfirm(app)
    await link(session)
    expect((await remove(session, await identityOf(session, 'email'))).statusCode).toBe(200)
    expect((await userOf(session)).app_metadata).toMatchObject({ provider: 'keycloak', providers: ['keycloak'] })
  })

  test('the protocol’s own client adds and removes one', async () => {
    const { email } = await signUpAndConfirm(app)
    let cookie = ''
    const client = new AuthClient({
      url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`,
      autoRefreshToken: false,
      async fetch(input, init) {
        const reply = await fetch(input, init)
        cookie = reply.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
        return reply
      },
    })
    await client.signInWithPassword({ email, password: PASSWORD })
    const { data } = await client.linkIdentity({ provider: 'keycloak', options: { skipBrowserRedirect: true } })
    await land(await answerTo(data.url ?? ''), { cookie })
    const identities = (await client.getUserIdentities()).data?.identities ?? []
    const added = identities.find((identity) => identity.provider === 'keycloak')
    if (!added) throw new Error('It was not added.')
    expect((await client.unlinkIdentity(added)).error).toBeNull()
    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1)
    await client.stopAutoRefresh()
  })

  test('a program with a key adds one without any cookie: not before it has shown its key', async () => {
    const { session } = await signUpAndConfirm(app)
    const { path } = await goTo(session, { provider: 'keycloak', ...KEY })
    const { query } = await land(path, {})
    expect((await userOf(session)).identities).toHaveLength(1)
    expect(outcome(await exchange(query['code'], 'x'.repeat(43)))).toEqual([400, 'bad_code_verifier'])
    expect((await userOf(session)).identities).toHaveLength(1)
    const opened = await exchange(query['code'])
    expect(opened.json()).toMatchObject({ user: { id: session.user.id }, provider_token: expect.any(String) })
    expect((await userOf(session)).app_metadata.providers).toEqual(['email', 'keycloak'])
    expect(outcome(await exchange(query['code']))).toEqual([404, 'flow_state_not_found'])
  })

  test('a browser that shows its cookie has it added when it comes back, and its key opens the session', async () => {
    const { session } = await signUpAndConfirm(app)
    const { path, cookie } = await goTo(
      session,
      { provider: 'keycloak', ...KEY },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
    )
    const { query } = await land(path, { cookie })
    expect((await userOf(session)).identities).toHaveLength(2)
    expect((await exchange(query['code'])).json()).toMatchObject({ user: { id: session.user.id }, provider_token: expect.any(String) })
  })

  test('without skip_http_redirect it leads to the provider', async () => {
    const { session } = await signUpAndConfirm(app)
    const reply = await call('GET', '/user/identities/authorize?provider=keycloak', undefined, bearer(session))
    expect([reply.statusCode, reply.headers.location]).toEqual([302, expect.stringContaining(`${provider.base}/keycloak/authorize?`)])
  })

  test('the address of the account becomes one that is left, a proven one first', async () => {
    const { session } = await signUpAndConfirm(app)
    provider.state.person = { ...provider.state.person, sub: 'unproven', email: someEmail() }
    await link(session, 'spotify')
    const proven = someEmail()
    provider.state.person = { ...provider.state.person, sub: '4711', email: proven }
    await link(session, 'github')
    await remove(session, await identityOf(session, 'email'))
    expect(await userOf(session)).toMatchObject({
      email: proven,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'spotify' },
    })
    await remove(session, await identityOf(session, 'github'))
  })

  test('without the phone its number goes', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = session.user
    await db.updateTable('users').set({ phone: '4915112345678', phoneConfirmedAt: new Date() }).where('id', '=', id).execute()
    const { id: identityId } = await insert(db, 'identities', { userId: id, provider: 'phone', providerId: id })
    await remove(session, identityId)
    expect(await userOf(session)).toMatchObject({ phone: '', email: session.user.email })
  })

  test('an anonymous user becomes permanent by a provider’s proven address', async () => {
    const session = sessionAnswer.parse((await call('POST', '/signup', {})).json())
    expect(session.user.is_anonymous).toBe(true)
    await link(session)
    expect(await userOf(session)).toMatchObject({ id: session.user.id, is_anonymous: false, email: provider.state.person.email })
  })
})

describe('security: addresses', () => {
  test('the profile of a sign-up by phone claims no email address: unlinking another identity does not make it the proven one', async () => {
    const [phone, claimed, email] = ['4915112350001', someEmail(), someEmail()]
    const data = { email: claimed, email_verified: true }
    expect((await call('POST', '/signup', { phone, password: PASSWORD, data })).statusCode).toBe(200)
    const token = String((await emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
    const session = sessionAnswer.parse((await call('POST', '/verify', { type: 'sms', phone, token })).json())
    expect((await call('PUT', '/user', { email }, bearer(session))).statusCode).toBe(200)
    const { link: secret } = await secretsOf(email, 'email-change-new')
    expect((await call('POST', '/verify', { type: 'email_change', token_hash: secret })).statusCode).toBe(200)
    expect((await userOf(session)).email).toBe(email)

    expect((await remove(session, await identityOf(session, 'email'))).statusCode).toBe(200)
    expect(await userOf(session)).toMatchObject({ email: '', phone })
    const { identities } = await userOf(session)
    expect(JSON.stringify(identities)).not.toContain(claimed)
  })
})

describe('error', () => {
  test('the last one, one that is not there and one that is no id', async () => {
    const { session } = await signUpAndConfirm(app)
    expect(outcome(await remove(session, await identityOf(session, 'email')))).toEqual([422, 'single_identity_not_deletable'])
    expect(outcome(await remove(session, newId()))).toEqual([422, 'single_identity_not_deletable'])
    expect(outcome(await remove(session, 'x'))).toEqual([404, 'validation_failed'])
    const unknown = await call('GET', '/user/identities/authorize?provider=nobody', undefined, bearer(session))
    expect(outcome(unknown)).toEqual([400, 'validation_failed'])
  })

  test('an existing identity is added neither to its own account nor to another', async () => {
    const [mine, theirs] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    await link(theirs.session)
    for (const { session } of [theirs, mine]) expect((await link(session))['error_code']).toBe('identity_already_exists')
    expect((await userOf(mine.session)).identities).toHaveLength(1)
  })

  test('an address that another account has cannot become this one’s', async () => {
    const [mine, theirs] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    await insert(db, 'identities', { userId: mine.session.user.id, provider: 'github', providerId: newId(), email: theirs.email })
    const reply = await remove(mine.session, await identityOf(mine.session, 'email'))
    expect(outcome(reply)).toEqual([422, 'email_conflict_identity_not_deletable'])
    expect((await userOf(mine.session)).identities).toHaveLength(2)
  })
})

describe('security', () => {
  test('strangers see, add and remove nothing', async () => {
    for (const path of ['/user/identities', '/user/identities/authorize?provider=keycloak']) {
      expect(outcome(await call('GET', path))).toEqual([401, 'no_authorization'])
    }
    expect(outcome(await call('DELETE', `/user/identities/${newId()}`))).toEqual([401, 'no_authorization'])
    expect(outcome(await call('DELETE', `/user/identities/${newId()}`, undefined, { authorization: 'Bearer x' }))).toEqual([403, 'bad_jwt'])
  })

  test('a user lured into an attacker’s flow links their identity to no account', async () => {
    const { session } = await signUpAndConfirm(app)
    const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
    const plain = await goTo(session, { provider: 'keycloak' })
    expect((await land(plain.path, { ...browser, cookie: `winnow-flow=${'A'.repeat(43)}` })).fragment['error_code']).toBe('bad_oauth_state')
    const ours = await goTo(session, { provider: 'keycloak', ...KEY }, { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' })
    expect((await land(ours.path, browser)).query['error_code']).toBe('bad_oauth_state')
    const keyed = await goTo(session, { provider: 'keycloak', ...KEY })
    expect((await land(keyed.path, browser)).query).toEqual({ code: expect.any(String) })
    expect((await userOf(session)).identities).toHaveLength(1)
  })

  test('an unproven address never becomes the account’s, so an attacker cannot wait in it for its owner', async () => {
    const { session } = await signUpAndConfirm(app)
    provider.state.person = { ...provider.state.person, sub: newId(), email: someEmail() }
    await link(session, 'spotify')
    expect((await remove(session, await identityOf(session, 'email'))).statusCode).toBe(200)
    const user = await userOf(session)
    expect([user.email, user.email_confirmed_at, user.identities.length]).toEqual(['', undefined, 1])
  })

  test('a late verifier adds nothing after a sign-out, or when another account has the identity', async () => {
    const [out, late, quick] = [await signUpAndConfirm(app), await signUpAndConfirm(app), await signUpAndConfirm(app)]
    const begun = await land((await goTo(out.session, { provider: 'keycloak', ...KEY })).path, {})
    await call('POST', '/logout?scope=local', undefined, bearer(out.session))
    expect(outcome(await exchange(begun.query['code']))).toEqual([403, 'session_not_found'])
    const waiting = await land((await goTo(late.session, { provider: 'keycloak', ...KEY })).path, {})
    await link(quick.session)
    expect(outcome(await exchange(waiting.query['code']))).toEqual([422, 'identity_already_exists'])
    expect((await userOf(late.session)).identities).toHaveLength(1)
  })

  test('an identity of another account cannot be removed', async () => {
    const [mine, theirs] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    await link(theirs.session)
    const id = await identityOf(theirs.session, 'keycloak')
    expect(outcome(await remove(mine.session, id))).toEqual([422, 'single_identity_not_deletable'])
    await insert(db, 'identities', { userId: mine.session.user.id, provider: 'github', providerId: newId() })
    expect(outcome(await remove(mine.session, id))).toEqual([422, 'identity_not_found'])
    expect((await userOf(theirs.session)).identities).toHaveLength(2)
  })

  test('a user who signed out or was banned meanwhile adds nothing', async () => {
    const [out, banned] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    const signOut = async () => void (await call('POST', '/logout', undefined, bearer(out.session)))
    expect(await link(out.session, 'keycloak', signOut)).toMatchObject({ error: 'access_denied', error_code: 'session_not_found' })
    const ban = async () => {
      const bannedUntil = new Date(Date.now() + 60_000)
      await db.updateTable('users').set({ bannedUntil }).where('id', '=', banned.session.user.id).execute()
    }
    expect(await link(banned.session, 'keycloak', ban)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
    const ids = [out.session.user.id, banned.session.user.id]
    const identities = await db.selectFrom('identities').select('provider').where('userId', 'in', ids).execute()
    expect(identities.map(({ provider: name }) => name)).toEqual(['email', 'email'])
  })

  test('a user with a second factor adds and removes nothing without MFA, also when the factor is new', async () => {
    const { email, session } = await signUpAndConfirm(app)
    await link(session)
    const id = await identityOf(session, 'email')
    const password = { email, password: PASSWORD }
    const low = async () => sessionAnswer.parse((await call('POST', '/token?grant_type=password', password)).json())
    const { finish } = factorClient(app)
    const raised = await finish(session)
    const again = await low()
    expect(outcome(await remove(again, id))).toEqual([403, 'insufficient_aal'])
    const begun = await call('GET', '/user/identities/authorize?provider=github', undefined, bearer(again))
    expect(outcome(begun)).toEqual([403, 'insufficient_aal'])
    const other = await signUpAndConfirm(app)
    provider.state.person = { ...provider.state.person, sub: '4712', email: someEmail() }
    const meanwhile = async () => {
      await finish(other.session)
      await db.updateTable('sessions').set({ aal: 'aal1' }).where('userId', '=', other.session.user.id).execute()
    }
    expect(await link(other.session, 'github', meanwhile)).toMatchObject({ error: 'access_denied', error_code: 'insufficient_aal' })
    expect((await userOf(again)).identities).toHaveLength(2)
    expect((await remove(raised.session, id)).statusCode).toBe(200)
  })

  test('of two that are removed at the same moment, one is left', async () => {
    const { session } = await signUpAndConfirm(app)
    await link(session)
    const ids = await Promise.all(['email', 'keycloak'].map((name) => identityOf(session, name)))
    const replies = await Promise.all(ids.map((id) => remove(session, id)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422])
  })
})
