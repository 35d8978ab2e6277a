import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/keycloak` }
  for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_KEYCLOAK_${key}`] = value
  process.env['OWNER_EMAIL'] = 'owner@whose.example'
  return { provider }
})

import { roleOf } from '#app/auth/users/role.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { eventually } from './eventually.ts'
import { adminClient } from './admin.ts'
import { startApp } from './app.ts'
import { authClient, forgetLimits } from './auth.ts'
import { browser } from './browser.ts'
import { emailsTo, secretsOf } from './emails.ts'
import { CLIENT } from './provider-server.ts'

const OWNER = 'owner@whose.example'
const THEIRS = 'mallory stole this'
const MINE = 'ada chose this one'

const app = await startApp()
const call = authClient(app)
const admin = await adminClient(app)
startJobs()
beforeEach(async () => {
  await forgetLimits()
  await db.deleteFrom('jobs').execute()
  await db.updateTable('installation').set({ ownerId: null }).execute()
  await db.deleteFrom('users').execute()
})
afterAll(async () => {
  await stopJobs()
  await provider.close()
})

type Step = (email: string) => Promise<unknown>
/** Requests an email, and returns its reader's way to confirm the address. */
type Way = (email: string) => Promise<() => Promise<number>>

const profile = (name: string) => ({ first_name: name, full_name: name })
const tokenOf = (email: string, sub: string, verified: boolean, name: string) =>
  provider.sign(`${provider.base}/keycloak`, { aud: CLIENT, sub, email, email_verified: verified, name })
const byProvider = async (email: string, sub: string, verified: boolean, name: string) =>
  call('POST', '/token?grant_type=id_token', { provider: 'keycloak', id_token: await tokenOf(email, sub, verified, name) })

/** Runs an action, and returns the secrets of the resulting email, or undefined without one. */
async function mailed(email: string, kind: string, act: () => Promise<unknown>) {
  const count = async () => (await emailsTo(email)).filter((letter) => letter.kind === kind).length
  const before = await count()
  await forgetLimits()
  await act()
  await eventually(async () => expect(await count()).toBeGreaterThan(before), { interval: 10 })
  return secretsOf(email, kind)
}

/** The actions of a stranger with another person's address. */
const strangers: Record<string, Step> = {
  'a sign-up': (email) =>
    mailed(email, 'confirm-address', () => call('POST', '/signup', { email, password: THEIRS, data: profile('Mallory') })),
  'a sign-up and a resend': async (email) => {
    await strangers['a sign-up']?.(email)
    await mailed(email, 'confirm-address', () => call('POST', '/resend', { type: 'signup', email }))
  },
  'a sign-in code': (email) => mailed(email, 'sign-in', () => call('POST', '/otp', { email, data: profile('Mallory') })),
  'a provider that proves nothing': (email) =>
    mailed(email, 'confirm-address', () => byProvider(email, `mallory-${email}`, false, 'Mallory')),
}

const byLink = (type: string, link: string) => async () => (await call('POST', '/verify', { type, token_hash: link })).statusCode
const byCode = (email: string, token: string) => async () => (await call('POST', '/verify', { type: 'email', email, token })).statusCode
const byNewPassword = (link: string) => async () => {
  const fields = { token_hash: link, password: MINE, confirmPassword: MINE }
  return (await browser(app).post(`/login/new-password?token_hash=${link}`, fields)).statusCode
}
const signUp = (email: string) =>
  mailed(email, 'confirm-address', () => call('POST', '/signup', { email, password: MINE, data: profile('Ada') }))

/** The ways in which the owner confirms the address, by their own request. */
const people: Record<string, { way: Way; brings?: 'password' | 'nothing' }> = {
  // A program brings no password while two sign-ups of the address are open.
  'the link of their sign-up': { way: async (email) => byLink('signup', (await signUp(email)).link) },
  'the code of their sign-up': { way: async (email) => byCode(email, (await signUp(email)).code) },
  'our page for the link of their sign-up': {
    way: async (email) => {
      const from = browser(app)
      const names = { firstName: 'Ada', lastName: 'Lovelace' }
      const fields = { form: 'sign-up', ...names, email, password: MINE, confirmPassword: MINE }
      const { link } = await mailed(email, 'confirm-address', () => from.post('/login?mode=sign-up', fields))
      return async () => (await from.post(`/login/confirm?token_hash=${link}`, { token_hash: link })).statusCode
    },
    brings: 'password',
  },
  'an email that they asked for again': {
    way: async (email) => {
      await signUp(email)
      return byLink('signup', (await mailed(email, 'confirm-address', () => call('POST', '/resend', { type: 'signup', email }))).link)
    },
  },
  'a sign-in code': { way: async (email) => byCode(email, (await mailed(email, 'sign-in', () => call('POST', '/otp', { email }))).code) },
  'a sign-in link': {
    way: async (email) => byLink('signup', (await mailed(email, 'sign-in', () => call('POST', '/otp', { email }))).link),
  },
  'a forgotten password': {
    async way(email) {
      await signUp(email)
      return byNewPassword((await mailed(email, 'reset-password', () => call('POST', '/recover', { email }))).link)
    },
    brings: 'password',
  },
  'an invitation': {
    way: async (email) => byNewPassword((await mailed(email, 'invite', () => directory.inviteUser(email, 'customer', {}))).link),
    brings: 'password',
  },
  'a provider that proves the address': {
    way: async (email) => async () => (await byProvider(email, `ada-${email}`, true, 'Ada')).statusCode,
  },
  'a link of the operator': {
    async way(email) {
      const made = await admin('POST', '/admin/generate_link', { type: 'signup', email, password: MINE, data: profile('Ada') })
      return byLink('signup', made.json().hashed_token)
    },
  },
  'the word of the operator': {
    async way(email) {
      await admin('POST', '/admin/users', { email })
      const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      return async () => (await admin('PUT', `/admin/users/${id}`, { email_confirm: true })).statusCode
    },
  },
}

const nobody: Step = async () => undefined
const orders: [string, Step, Step][] = [
  ['before', strangers['a sign-up'] ?? nobody, nobody],
  ...Object.entries(strangers).flatMap(([name, act]): [string, Step, Step][] => [
    ...(name === 'a sign-up' ? [] : [[`${name} before`, act, nobody] satisfies [string, Step, Step]]),
    [`${name} after`, nobody, act],
    [`${name} before and after`, act, act],
  ]),
]

const proves = async (email: string, way: Way, after: Step): Promise<void> => {
  const prove = await way(email)
  await after(email)
  if ([200, 302].includes(await prove())) return
  // The stranger's newer request voided the owner's email, so the owner requests another.
  expect([200, 302]).toContain(await (await way(email))())
}

const passwordOpens = async (email: string, password: string) => {
  await forgetLimits()
  return (await call('POST', '/token?grant_type=password', { email, password })).statusCode === 200
}

async function expectOnlyOwn(email: string, brings: 'password' | 'nothing') {
  const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  expect(user.emailConfirmedAt).not.toBeNull()
  expect([user.newEmail, user.newPhone, user.invitedRole]).toEqual([null, null, null])
  const rows = async (table: 'identities' | 'mfaFactors' | 'recoveryCodes' | 'entitlements' | 'apiKeys' | 'oneTimeTokens') =>
    db.selectFrom(table).selectAll().where('userId', '=', user.id).execute()
  expect(JSON.stringify([user, await rows('identities')])).not.toMatch(/mallory/i)
  for (const table of ['mfaFactors', 'recoveryCodes', 'entitlements', 'apiKeys', 'oneTimeTokens'] as const) {
    expect([table, await rows(table)]).toEqual([table, []])
  }
  // Only the proof itself has signed anyone in.
  const sessions = await db.selectFrom('sessions').select('id').where('userId', '=', user.id).execute()
  expect(sessions.length).toBeLessThanOrEqual(1)
  expect(await passwordOpens(email, THEIRS)).toBe(false)
  expect(await passwordOpens(email, MINE)).toBe(brings === 'password')
  return user
}

const table = Object.entries(people).flatMap(([name, { way, brings = 'nothing' }]) =>
  orders.map(([order, before, after]) => ({ name, order, way, brings, before, after })),
)

test.each(table)(
  'a person who confirms an address by $name gets only their own values, with $order',
  async ({ way, brings, before, after }) => {
    const email = `ada-${newId()}@example.com`
    await before(email)
    await proves(email, way, after)
    expect(roleOf((await expectOnlyOwn(email, brings)).appMetadata)).toBe('customer')
  },
)

test.each(Object.entries(people))(
  'with OWNER_EMAIL set no stranger becomes the owner, and its holder does by %s',
  async (_, { way, brings = 'nothing' }) => {
    const ownerId = async () => (await db.selectFrom('installation').select('ownerId').executeTakeFirstOrThrow()).ownerId
    for (const act of Object.values(strangers)) await act(OWNER)
    expect(await ownerId()).toBeNull()
    await proves(OWNER, way, nobody)
    const owner = await expectOnlyOwn(OWNER, brings)
    expect([await ownerId(), roleOf(owner.appMetadata)]).toEqual([owner.id, 'owner'])
  },
)

test('sign-ups by strangers do not replace the email of a sign-up, and its confirmation voids theirs', async () => {
  const email = `ada-${newId()}@example.com`
  const stranger = () => mailed(email, 'confirm-address', () => call('POST', '/signup', { email, password: THEIRS }))
  const theirs = await stranger()
  const mine = await signUp(email)
  await stranger()
  expect(await byLink('signup', mine.link)()).toBe(200)
  expect(await byCode(email, theirs.code)()).toBe(403)
  expect(await byLink('signup', theirs.link)()).toBe(403)
})

const byProtocol = (link: string) => async () => {
  const { access_token: token } = (await call('POST', '/verify', { type: 'recovery', token_hash: link })).json()
  return (await call('PUT', '/user', { password: MINE }, { authorization: `Bearer ${token}` })).statusCode
}

test.each([
  ['our page', byNewPassword],
  ['the protocol', byProtocol],
])('an account elsewhere that an email let in does not outlive a recovery by %s', async (_, recover) => {
  const email = `ada-${newId()}@example.com`
  const theirs = await mailed(email, 'confirm-address', () => byProvider(email, `mallory-${email}`, false, 'Mallory'))
  expect(await byLink('signup', theirs.link)()).toBe(200)
  expect((await byProvider(email, `mallory-${email}`, false, 'Mallory')).statusCode).toBe(200)
  const { link } = await mailed(email, 'reset-password', () => call('POST', '/recover', { email }))
  expect([200, 302]).toContain(await recover(link)())
  const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  const identities = await db.selectFrom('identities').select('provider').where('userId', '=', user.id).execute()
  expect([identities, user.appMetadata['providers']]).toEqual([[{ provider: 'email' }], ['email']])
  const notice = { kind: 'identity', data: { provider: 'keycloak', isAdded: false } }
  expect(await emailsTo(email)).toEqual(
    expect.arrayContaining([expect.objectContaining({ ...notice, data: expect.objectContaining(notice.data) })]),
  )
  expect((await byProvider(email, `mallory-${email}`, false, 'Mallory')).statusCode).toBe(422)
  expect(await passwordOpens(email, MINE)).toBe(true)
})

test('a connected account with a verified address stays after a recovery', async () => {
  const email = `ada-${newId()}@example.com`
  const enter = async () => (await byProvider(email, `ada-${email}`, true, 'Ada')).statusCode
  expect(await enter()).toBe(200)
  const { link } = await mailed(email, 'reset-password', () => call('POST', '/recover', { email }))
  expect([await byNewPassword(link)(), await enter()]).toEqual([302, 200])
})

test('an invitation voids the emails of earlier sign-ups, so that their passwords do not get its role', async () => {
  const email = `ada-${newId()}@example.com`
  const theirs = await mailed(email, 'confirm-address', () => call('POST', '/signup', { email, password: THEIRS }))
  const { link } = await mailed(email, 'invite', () => directory.inviteUser(email, 'staff', {}))
  expect([await byLink('signup', theirs.link)(), await byCode(email, theirs.code)()]).toEqual([403, 403])
  expect(await byNewPassword(link)()).toBe(302)
})

test('an invited person becomes staff with any email that confirms the address, and not before', async () => {
  for (const [name, { way }] of Object.entries(people)) {
    if (name === 'an invitation') continue
    const email = `ada-${newId()}@example.com`
    await strangers['a sign-up']?.(email)
    const { id } = await directory.inviteUser(email, 'staff', {})
    const roleNow = async () => (await directory.findUser(id))?.role
    expect([name, await roleNow()]).toEqual([name, 'customer'])
    await proves(email, way, nobody)
    expect([name, await roleNow()]).toEqual([name, 'staff'])
  }
})
