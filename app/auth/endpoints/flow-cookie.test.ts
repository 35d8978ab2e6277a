import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  for (const name of ['apple', 'keycloak']) {
    const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/${name}` }
    for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_${name.toUpperCase()}_${key}`] = value
  }
  Object.assign(process.env, {
    SITE_URL: 'https://winnow.example',
    URI_ALLOW_LIST: 'https://app.example/back',
    EXTERNAL_FLOW_STATE_EXPIRY_DURATION: '400',
  })
  return { provider }
})

import { db } from '#app/platform/database/db.server.ts'
import { requestSecretsOf } from '#app/auth/sessions/flow-secrets.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits, someEmail } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)
afterAll(() => provider.close())
beforeEach(async () => {
  await forgetLimits()
  provider.state.person = { sub: crypto.randomUUID(), name: 'Ada', email: someEmail(), email_verified: true }
})

const KEY = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 's256' }
const FOREIGN = `__Host-winnow-flow=${'A'.repeat(43)}`
type Headers = Record<string, string>
/** Headers of a browser that another site redirects. */
const BROWSER = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }

const begin = (query: Record<string, string>, headers: Headers = {}) =>
  call('GET', `/authorize?${new URLSearchParams({ redirect_to: 'https://app.example/back', ...query })}`, undefined, headers)

/** Runs the provider's sign-in. Returns the callback request before it is sent, with the cookie of the start. */
async function goTo(query: Record<string, string>, headers: Headers = {}) {
  const begun = await begin(query, headers)
  const question = new URL(begun.headers.location ?? '')
  const answered = await fetch(question, { redirect: 'manual' })
  const { search } = new URL(answered.headers.get('location') ?? '')
  return { search, cookie: String(begun.headers['set-cookie']).split(';', 1)[0] ?? '', state: question.searchParams.get('state') ?? '' }
}

async function land(search: string, headers: Headers) {
  return placeOf((await call('GET', `/callback${search}`, undefined, headers)).headers.location)
}

function placeOf(location = '') {
  const { origin, hash, searchParams } = new URL(location)
  return { origin, fragment: Object.fromEntries(new URLSearchParams(hash.slice(1))), query: Object.fromEntries(searchParams) }
}

async function sendForm(search: string, headers: Headers) {
  const reply = await app.inject({
    method: 'POST',
    url: '/auth/v1/callback',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site', ...headers },
    payload: search.slice(1),
  })
  return placeOf(reply.headers.location)
}

describe('happy', () => {
  test('the cookie is this host’s alone, out of reach of scripts, lives as long as a flow, and comes along with a form of another site', async () => {
    const { headers } = await begin({ provider: 'apple' })
    expect(headers['set-cookie']).toMatch(/^__Host-winnow-flow=[\w-]{43}; Max-Age=400; Path=\/; HttpOnly; Secure; SameSite=None$/)
  })

  test('a browser with the cookie is signed in, by GET or by Apple’s form', async () => {
    const plain = await goTo({ provider: 'keycloak' })
    expect((await land(plain.search, { cookie: plain.cookie })).fragment).toHaveProperty('access_token')
    const form = await goTo({ provider: 'apple' })
    expect((await sendForm(form.search, { cookie: form.cookie, origin: 'https://appleid.apple.com' })).fragment).toHaveProperty(
      'access_token',
    )
  })

  test('two flows of one browser share it, and both come to their end', async () => {
    const one = await goTo({ provider: 'keycloak' })
    const two = await goTo({ provider: 'apple' }, { cookie: one.cookie })
    expect(two.cookie).toBe(one.cookie)
    for (const { search } of [one, two]) expect((await land(search, { cookie: two.cookie })).fragment).toHaveProperty('access_token')
  })

  test('a program with a key needs none', async () => {
    const programs: Headers[] = [{}, { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }]
    for (const headers of programs) {
      const { search } = await goTo({ provider: 'keycloak', ...KEY }, headers)
      expect((await land(search, BROWSER)).query).toEqual({ code: expect.any(String) })
    }
  })

  test('a program without cookies that runs the whole flow itself needs none: an attacker cannot redirect it', async () => {
    const { search } = await goTo({ provider: 'keycloak' })
    expect((await land(search, { 'sec-fetch-mode': 'cors' })).fragment).toHaveProperty('access_token')
  })
})

describe('error', () => {
  test('an invalid cookie is replaced', async () => {
    for (const sent of ['', 'short', 'B'.repeat(44)]) {
      const { headers } = await begin({ provider: 'keycloak' }, { cookie: `__Host-winnow-flow=${sent}` })
      expect(headers['set-cookie']).not.toContain(`=${sent};`)
    }
  })
})

describe('security', () => {
  test('a return in another browser opens no session, and uses the flow up', async () => {
    const others: Headers[] = [BROWSER, { ...BROWSER, cookie: FOREIGN }, { ...BROWSER, cookie: '__Host-winnow-flow=' }]
    for (const headers of others) {
      const { search, cookie } = await goTo({ provider: 'keycloak', redirect_to: 'https://app.example/back' })
      const { origin, fragment } = await land(search, headers)
      expect(origin).toBe('https://app.example')
      expect(fragment).toMatchObject({ error: 'invalid_request', error_code: 'bad_oauth_state' })
      expect((await land(search, { cookie })).fragment['error_code']).toBe('flow_state_already_used')
    }
    const { sub } = provider.state.person
    expect(await db.selectFrom('identities').select('id').where('providerId', '=', sub).execute()).toEqual([])
  })

  test('a form of another site that brings the answer of someone else is refused as well', async () => {
    const { search } = await goTo({ provider: 'apple' })
    expect((await sendForm(search, { cookie: FOREIGN, origin: 'https://evil.example' })).fragment['error_code']).toBe('bad_oauth_state')
  })

  test('where a browser began, a key alone is not enough', async () => {
    for (const headers of [
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
    ]) {
      const away = await goTo({ provider: 'keycloak', ...KEY }, headers)
      expect((await land(away.search, BROWSER)).query).toMatchObject({ error_code: 'bad_oauth_state' })
      const back = await goTo({ provider: 'keycloak', ...KEY }, headers)
      expect((await land(back.search, { cookie: back.cookie })).query).toEqual({ code: expect.any(String) })
    }
  })

  test('only a sealed hash of the cookie is stored', async () => {
    const { cookie, state } = await goTo({ provider: 'keycloak' })
    const row = await db.selectFrom('flowStates').selectAll().where('id', '=', state).executeTakeFirstOrThrow()
    const { browserHash } = requestSecretsOf(row)
    expect(cookie).not.toContain(browserHash)
    expect(Buffer.from(row.secretsSealed ?? []).includes(browserHash)).toBe(false)
  })
})
