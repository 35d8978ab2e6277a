import type { InjectOptions } from 'fastify'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// One installation with every kind of secret: the operator's in the settings, people's from using it. Then the test reads all of its output.

const { provider, outside, settings } = await vi.hoisted(async () => {
  const { randomBytes } = await import('node:crypto')
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const { startOutside } = await import('#test/outside.ts')
  const [provider, outside] = [await startProvider(), await startOutside()]
  const secret = () => randomBytes(24).toString('hex')
  const [mail, hook, database] = [secret(), randomBytes(32).toString('base64'), secret()]
  const settings = {
    'the password of the mail server': mail,
    'the password of the database': database,
    'the secret of the hook for messages': hook,
    'the secret of a provider': SECRET,
    'the secret of the captcha': secret(),
    'the token for metrics': secret(),
    'the shared secret for tokens': secret(),
  }
  Object.assign(process.env, {
    LOG_LEVEL: 'trace',
    RATE_LIMITS: 'off',
    // Nothing listens there: emails remain queued, and the reason is logged.
    SMTP_URL: `smtp://sender:${mail}@127.0.0.1:9`,
    HOOK_SEND_SMS_URI: `${outside.base}/sms`,
    HOOK_SEND_SMS_SECRETS: `v1,whsec_${hook}`,
    SECURITY_CAPTCHA_ENABLED: 'true',
    SECURITY_CAPTCHA_PROVIDER: 'turnstile',
    SECURITY_CAPTCHA_SECRET: settings['the secret of the captcha'],
    METRICS_TOKEN: settings['the token for metrics'],
    JWT_SECRET: settings['the shared secret for tokens'],
    EXTERNAL_KEYCLOAK_ENABLED: 'true',
    EXTERNAL_KEYCLOAK_CLIENT_ID: CLIENT,
    EXTERNAL_KEYCLOAK_SECRET: SECRET,
    EXTERNAL_KEYCLOAK_URL: `${provider.base}/keycloak`,
    EXTERNAL_PHONE_ENABLED: 'true',
    EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    MFA_PHONE_ENROLL_ENABLED: 'true',
    MFA_PHONE_VERIFY_ENABLED: 'true',
    SMTP_MAX_FREQUENCY: '0',
    SMS_MAX_FREQUENCY: '0',
    // Long enough to exclude chance matches.
    MAILER_OTP_LENGTH: '10',
    SMS_OTP_LENGTH: '10',
    URI_ALLOW_LIST: 'https://app.example',
  })
  // A database without a password ignores the given one.
  if (process.env.DATABASE_URL) process.env.DATABASE_URL = process.env.DATABASE_URL.replace(/(?<=\/\/\w+)(:\w*)?@/, `:${database}@`)
  return { provider, outside, settings }
})

import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from '#app/account/session/session-front.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { changeSecret } from '#app/platform/database/secrets.server.ts'
import { keysFolder } from '#app/platform/guard/keys.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import routes from '#app/routes.ts'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { welcome } from '#app/welcome.server.ts'
import { listEndpoints, startApp } from './app.ts'
import { someEmail } from './auth.ts'
import { emailsTo, secretsSoon } from './emails.ts'
import { makeOwner } from './factories.ts'
import { dumpDatabase, makeSafe, overhearLog } from './planted.ts'
import { codeOf } from './totp.ts'

type Answer = { what: string; text: string; known: number }
type Fields = Record<string, string>

const safe = makeSafe()
const lines = overhearLog()
const answers: Answer[] = []
const app = await startApp()
const endpoints = await listEndpoints()
startJobs()
afterAll(async () => {
  await stopJobs()
  await provider.close()
  await outside.close()
})

/** Sends a request and stores the response. It may reveal new secrets to their owner, but no earlier ones, except those that it `owns`. */
async function send(options: InjectOptions & { url: string; owns?: string }) {
  const { owns = '', ...asked } = options
  const known = safe.count()
  const reply = await app.inject({ ...asked, headers: { 'x-supabase-api-version': '2024-01-01', ...asked.headers } })
  const text = `${JSON.stringify(reply.headers)}\n${reply.rawPayload.toString('latin1')}`
  const what = `${asked.method ?? 'GET'} ${asked.url.split('?')[0]} ${reply.statusCode}`
  answers.push({ what, text: owns ? text.replaceAll(owns, '') : text, known })
  return reply
}

const solved = { gotrue_meta_security: { captcha_token: 'solved' } }
const auth = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, headers: Fields = {}) =>
  send({ method, url: `/auth/v1${url}`, headers, ...(body && { payload: { ...body, ...solved } }) })

async function expectStatus(reply: ReturnType<typeof send>, status: number) {
  const { statusCode, body } = await reply
  expect([statusCode, statusCode === status ? '' : body]).toEqual([status, ''])
  return reply
}

/** The session of a response: both of its tokens are secrets from now on. */
async function sessionOf(reply: ReturnType<typeof send>) {
  const session: { access_token: string; refresh_token: string } = (await expectStatus(reply, 200)).json()
  safe.plant('an access token', session.access_token)
  safe.plant('the signature of an access token', session.access_token.split('.')[2] ?? '')
  safe.plant('a refresh token', session.refresh_token)
  return { ...session, headers: { authorization: `Bearer ${session.access_token}` } }
}

function newPassword(name: string): string {
  const password = `${name} ${crypto.randomUUID()}`
  safe.plant(`a password (${name})`, password)
  return password
}

async function emailSecrets(email: string, kind: string, count = 1) {
  const { link, code } = await secretsSoon(email, kind, count)
  safe.plant(`the link of a letter (${kind})`, link)
  safe.plant(`the code of a letter (${kind})`, code)
  return { link, code }
}

/** By emails and a password, from the first sign-up to a forgotten password and another address. */
async function useEmails() {
  const [email, password] = [someEmail(), newPassword('first')]
  await expectStatus(auth('POST', '/signup', { email, password }), 200)
  const { link, code } = await emailSecrets(email, 'confirm-address')
  await send({ url: `/auth/v1/verify?token=${link}&type=signup`, owns: link })
  await send({ url: `/login/confirm?token_hash=${link}&type=signup`, owns: link })
  await auth('POST', '/verify', { type: 'signup', email, token: `1${code.slice(1)}x` })
  const first = await sessionOf(auth('POST', '/verify', { type: 'signup', email, token: code }))
  await auth('POST', '/token?grant_type=password', { email, password: newPassword('wrong') })
  const second = await sessionOf(auth('POST', '/token?grant_type=password', { email, password }))
  const third = await sessionOf(auth('POST', '/token?grant_type=refresh_token', { refresh_token: second.refresh_token }))
  await expectStatus(auth('POST', '/recover', { email }), 200)
  const forgotten = await emailSecrets(email, 'reset-password')
  await send({ url: `/login/new-password?token_hash=${forgotten.link}&type=recovery`, owns: forgotten.link })
  await sessionOf(auth('POST', '/verify', { type: 'recovery', token_hash: forgotten.link }))
  await expectStatus(auth('PUT', '/user', { password: newPassword('second') }, third.headers), 200)
  await expectStatus(auth('GET', '/reauthenticate', undefined, third.headers), 200)
  const nonce = (await emailsTo(email)).find(({ kind }) => kind === 'reauthentication')
  safe.plant('the code of a letter (reauthentication)', String(nonce?.data.code))
  const moved = someEmail()
  await expectStatus(auth('PUT', '/user', { email: moved }, third.headers), 200)
  await emailSecrets(email, 'email-change-current')
  await emailSecrets(moved, 'email-change-new')
  await expectStatus(auth('POST', '/otp', { email }), 200)
  await emailSecrets(email, 'sign-in')
  await expectStatus(auth('POST', '/logout?scope=local', undefined, first.headers), 403)
  return third
}

/** By a client with a key, whose email leads to a code. */
async function useKey() {
  const [email, verifier] = [someEmail(), `${crypto.randomUUID()}${crypto.randomUUID()}`]
  safe.plant('the key of a flow', verifier)
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))
  const proof = { code_challenge: Buffer.from(digest).toString('base64url'), code_challenge_method: 's256' }
  await expectStatus(auth('POST', '/signup?redirect_to=https://app.example', { email, password: newPassword('flow'), ...proof }), 200)
  const { link } = await emailSecrets(email, 'confirm-address')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = `type=signup&token=${link}&redirect_to=https://app.example`
  const pressed = await send({ method: 'POST', url: '/auth/v1/verify', headers: form, payload })
  const code = new URL(pressed.headers.location ?? '').searchParams.get('code') ?? ''
  await auth('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: 'x'.repeat(43) })
  await sessionOf(auth('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier }))
  safe.plant('the code of a flow', code)
}

/** At a provider, whose tokens are its own. */
async function useProvider() {
  provider.state.person = { sub: crypto.randomUUID(), email: someEmail(), email_verified: true, name: 'Ada' }
  const begun = await expectStatus(auth('GET', '/authorize?provider=keycloak&redirect_to=https://app.example'), 302)
  const there = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  safe.plant('the code of a provider', back.searchParams.get('code') ?? '')
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  safe.plant('what binds a browser to its flow', cookie.slice(cookie.indexOf('=') + 1))
  const done = await expectStatus(auth('GET', `/callback${back.search}`, undefined, { cookie }), 302)
  const fragment = new URLSearchParams(new URL(done.headers.location ?? '').hash.slice(1))
  for (const name of ['provider_token', 'access_token', 'refresh_token']) safe.plant(name, fragment.get(name) ?? '')
}

/** With two-factor authentication: an authenticator, recovery codes, a phone. */
async function useFactors(session: { headers: Fields }) {
  const { id, totp } = (
    await expectStatus(auth('POST', '/factors', { factor_type: 'totp', friendly_name: 'Phone' }, session.headers), 200)
  ).json()
  safe.plant('the secret of an authenticator', totp.secret)
  const challenge = (await auth('POST', `/factors/${id}/challenge`, {}, session.headers)).json()
  const raised = await sessionOf(
    auth('POST', `/factors/${id}/verify`, { challenge_id: challenge.id, code: codeOf(totp.secret) }, session.headers),
  )
  const made = await expectStatus(send({ method: 'POST', url: '/api/account/recovery-codes', headers: raised.headers }), 200)
  for (const code of made.json().codes) safe.plant('a recovery code', code)
  const phone = { factor_type: 'phone', friendly_name: 'Other', phone: '4915199990001' }
  const begun = (await expectStatus(auth('POST', '/factors', phone, raised.headers), 200)).json()
  await expectStatus(auth('POST', `/factors/${begun.id}/challenge`, {}, raised.headers), 200)
  safe.plant('the code of a factor', outside.codeFor(phone.phone))
  return raised
}

async function usePhone() {
  const phone = '4915199990002'
  await expectStatus(auth('POST', '/signup', { phone, password: newPassword('phone') }), 200)
  safe.plant('the code of a phone', outside.codeFor(phone))
  await sessionOf(auth('POST', '/verify', { type: 'sms', phone, token: outside.codeFor(phone) }))
  await expectStatus(auth('POST', '/otp', { phone }), 200)
  safe.plant('the code of a phone', outside.codeFor(phone))
}

/** In a browser, with cookies: tokens and their placeholders. */
async function useBrowser(email: string, password: string) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const typed = new URLSearchParams({ form: 'sign-in', email, password: newPassword('mistyped') }).toString()
  await expectStatus(send({ method: 'POST', url: '/login', headers: form, payload: typed }), 422)
  const payload = new URLSearchParams({ form: 'sign-in', email, password }).toString()
  const reply = await expectStatus(send({ method: 'POST', url: '/login', headers: form, payload }), 302)
  let jar = keepCookies(reply)
  const headers = { [OWN_PAGES_HEADER]: '1', 'sec-fetch-site': 'same-origin' }
  const url = '/auth/v1/token?grant_type=refresh_token'
  const renewed = await send({ method: 'POST', url, headers, cookies: jar, payload: { refresh_token: HELD_BY_SERVER } })
  jar = keepCookies(renewed)
  safe.plant('an access token of a page', renewed.json().access_token)
  return { cookies: jar, headers: { 'sec-fetch-site': 'same-origin' } }
}

function keepCookies({ cookies }: Awaited<ReturnType<typeof send>>): Fields {
  const jar = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
  for (const name of [ACCESS_COOKIE, REFRESH_COOKIE]) safe.plant(`the cookie ${name}`, jar[name] ?? '')
  return jar
}

/** Like the operator's programs, which create the owner. */
async function administer() {
  const key = await makeServiceKey(1)
  safe.plant('a service key', key)
  const headers = { authorization: `Bearer ${key}` }
  const [email, password] = [someEmail(), newPassword('owner')]
  const owner = { email, password, email_confirm: true, app_metadata: { role: 'owner' } }
  await expectStatus(auth('POST', '/admin/users', owner, headers), 200)
  const { hashed_token: link, email_otp: code } = (
    await expectStatus(auth('POST', '/admin/generate_link', { type: 'magiclink', email }, headers), 200)
  ).json()
  safe.plant('a link for a program', link)
  safe.plant('a code for a program', code)
  const invited = someEmail()
  await expectStatus(auth('POST', '/invite', { email: invited }, headers), 200)
  await emailSecrets(invited, 'invite')
  return { email, password, headers }
}

/** A key of the Data API, which its holder sends with each request. */
async function useApiKey(browser: { cookies: Fields; headers: Fields }) {
  const payload = { name: 'Nightly import' }
  const { key } = (await expectStatus(send({ method: 'POST', url: '/api/keys', ...browser, payload }), 201)).json()
  safe.plant('a key of the Data API', key)
  const bearer = { authorization: `Bearer ${key}` }
  for (const url of ['/api/v1/datasets', '/api/v1/datasets/nothing/rows', `/api/v1/datasets/x/rows?cursor=${key}`, '/api/account'])
    await send({ url, headers: bearer, ...(url.includes(key) && { owns: key }) })
  return bearer
}

const leaves = (config: { path?: string; children?: unknown }[]): string[] =>
  config.flatMap(({ path: address = '', children }) => (Array.isArray(children) ? leaves(children) : `/${address.replace('*', 'nowhere')}`))

/** All pages and all readable endpoints of the API, without endless event streams. */
async function readEverything(as: { headers: Fields; cookies?: Fields }) {
  for (const url of new Set(leaves(routes))) await send({ url, ...as })
  const user = await db.selectFrom('users').select('id').orderBy('createdAt').limit(1).executeTakeFirstOrThrow()
  const paths = new Set(
    endpoints.filter(({ method, url }) => String(method).includes('GET') && !/\*|^\/api\/events$/.test(url)).map(({ url }) => url),
  )
  for (const url of paths) await send({ url: url.replaceAll(/:\w+/g, user.id), ...as })
}

const fields = [
  'email',
  'phone',
  'password',
  'token',
  'token_hash',
  'refresh_token',
  'code',
  'nonce',
  'auth_code',
  'id_token',
  'type',
  'name',
]

/** Every endpoint gets secrets in unexpected places, as texts, as objects and as half a body, and must not echo them. */
async function sendNonsense({ password, token }: { password: string; token: string }) {
  const query = new URLSearchParams({
    grant_type: password,
    type: token,
    token: password,
    redirect_to: `https://${password}.example`,
    provider: password,
  })
  const headers = { authorization: `Bearer ${token}x`, cookie: `${ACCESS_COOKIE}=${token}y; other=${password}` }
  const bodies = [
    Object.fromEntries(fields.map((field) => [field, field === 'phone' ? '' : password])),
    Object.fromEntries(fields.map((field) => [field, { token }])),
    `{"password":"${password}`,
  ]
  for (const { method: methods, url } of endpoints) {
    for (const method of [methods].flat()) {
      if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE') continue
      const address = `${url.replaceAll(/[:*]\w*/g, 'x')}?${query}`
      for (const payload of bodies)
        await send({ method, url: address, headers: { ...headers, 'content-type': 'application/json' }, payload })
    }
  }
  const unread = ['/auth/v1/nothing', '/api/nothing', '/nowhere', '/auth/v1/callback', '/auth/v1/authorize', '/auth/v1/verify']
  for (const url of unread) await send({ url: `${url}?${query}`, headers })
}

/** A fault during a sign-in and during a renewal, in a statement that contains the secrets. */
async function breakDown(email: string, password: string, token: string) {
  await db.schema.alterTable('refreshTokens').renameTo('elsewhere').execute()
  await expectStatus(auth('POST', '/token?grant_type=password', { email, password }), 500)
  await expectStatus(auth('POST', '/token?grant_type=refresh_token', { refresh_token: token }), 500)
  await db.schema.alterTable('elsewhere').renameTo('refreshTokens').execute()
}

beforeAll(async () => {
  const { fetch } = globalThis
  const stand = (input: string | URL | Request, init?: RequestInit) =>
    fetch(new Request(input).url.startsWith('https://challenges.cloudflare.com/') ? `${outside.base}/captcha` : input, init)
  vi.stubGlobal('fetch', stand)
  for (const [name, value] of Object.entries(settings)) safe.plant(name, value)
  for (const file of readdirSync(keysFolder())) {
    const content = readFileSync(path.join(keysFolder(), file))
    for (const form of ['hex', 'base64', 'base64url'] as const) safe.plant(`the file ${file}`, content.toString(form))
  }
  // The first account of an installation would become its owner, and no program installs a password for that one.
  await makeOwner()
  const session = await useEmails()
  const [{ d: privatePart }] = JSON.parse(await changeSecret('signing-keys', (present = '[]') => present))
  safe.plant('the private half of the signing key', privatePart)
  await useKey()
  await useProvider()
  await usePhone()
  const raised = await useFactors(session)
  const owner = await administer()
  const browser = await useBrowser(owner.email, owner.password)
  const people = [{}, session.headers, raised.headers, owner.headers, await useApiKey(browser)]
  for (const reader of [...people.map((headers) => ({ headers })), browser]) {
    await readEverything(reader)
  }
  await sendNonsense({ password: owner.password, token: raised.access_token })
  await breakDown(owner.email, owner.password, raised.refresh_token)
  vi.unstubAllGlobals()
})

test('the scan sees a secret in each of its forms, and there is one of every kind', () => {
  const mine = makeSafe()
  mine.plant('mine', 'a "b" & c')
  for (const text of [
    'x a "b" & c',
    '{"p":"a \\"b\\" & c"}',
    '?p=a%20%22b%22%20%26%20c',
    '?p=a+%22b%22+%26+c',
    'YSAiYiIgJiBj',
    '6120226222202620 63'.replace(' ', ''),
  ])
    expect([text, mine.findIn(text)]).toEqual([text, ['mine']])
  expect(mine.findIn('a b c')).toEqual([])
  expect(safe.count()).toBeGreaterThan(60)
  expect(answers.length).toBeGreaterThan(400)
  expect(answers.filter(({ what }) => what.endsWith('500')).length).toBe(2)
})

test('no answer, page, address or error says a secret to whom it does not belong, or says it again', () => {
  expect(answers.flatMap(({ what, text, known }) => safe.findIn(text, known).map((name) => `${what}: ${name}`))).toEqual([])
})

test('no line of the log of any level, and no welcome, holds a secret', async () => {
  expect(lines.some((line) => line.includes('"level":"error"'))).toBe(true)
  expect(lines.length).toBeGreaterThan(400)
  expect(lines.flatMap((line) => safe.findIn(line).map((name) => `${name}: ${line}`))).toEqual([])
  expect(safe.findIn(await welcome())).toEqual([])
})

test('no table holds a secret as it is: not the audit events, the jobs and their emails, nor the sessions', async () => {
  const tables = await dumpDatabase()
  for (const name of ['audit_events', 'jobs', 'sessions', 'refresh_tokens', 'one_time_tokens'])
    expect([name, tables.get(name)]).not.toEqual([name, ''])
  expect([...tables].flatMap(([name, rows]) => safe.findIn(rows).map((secret) => `${name}: ${secret}`))).toEqual([])
})

test('the metrics hold none', async () => {
  const { statusCode, body } = await app.inject('/metrics')
  expect([statusCode, safe.findIn(body)]).toEqual([200, []])
})
