import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { db, insert } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, signUpAndConfirm } from '#test/auth.ts'
import { signIn } from '#test/factories.ts'

const app = await startApp()
const call = authClient(app)
const read = (headers: Record<string, string> = {}) => app.inject({ url: '/api/account', headers })
const lists = ['/api/account/factors', '/api/account/passkeys'] as const
const pages = ['/account', '/account/security', '/account/devices', '/account/data']

describe('happy', () => {
  test.each([
    ['customer', 6],
    ['staff', 12],
    ['owner', 12],
  ] as const)('a %s reads their own account, and how long a new password has to be', async (role, least) => {
    const { user, headers } = await signIn(role)
    const reply = await read(headers)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({
      email: user.email,
      phone: '',
      madeBefore: null,
      firstName: 'Ada',
      lastName: '',
      avatarUrl: null,
      role,
      newEmail: null,
      newEmailSentAt: null,
      asksCurrentPassword: false,
      hasPassword: false,
      leastPasswordLength: least,
      identities: [],
      connectable: [],
      mayConnect: false,
      createdAt: user.createdAt.toISOString(),
      deletionDueAt: null,
      remainsElsewhere: false,
      hasRecoveryCodes: true,
      hasPasskeys: true,
      secondSteps: { totp: true, phone: false, key: true, pauseSeconds: 60 },
    })
  })

  test('changes through the auth protocol are visible here', async () => {
    const { session } = await signUpAndConfirm(app)
    await call('PUT', '/user', { data: { first_name: 'Augusta', last_name: 'King' } }, bearer(session))
    expect((await read(bearer(session))).json()).toMatchObject({
      firstName: 'Augusta',
      lastName: 'King',
      hasPassword: true,
      identities: [{ provider: 'email', email: session.user.email }],
    })
  })

  test('a member reads their verified factors and their passkeys, with a name also where none was given', async () => {
    const { user, headers } = await signIn('customer')
    const factor = { userId: user.id, status: 'verified' } as const
    await insert(db, 'mfaFactors', { ...factor, factorType: 'phone', phone: '4915112345678' })
    await insert(db, 'mfaFactors', { userId: user.id, factorType: 'totp', status: 'unverified', secretSealed: Buffer.of(1) })
    const key = () => ({ userId: user.id, credentialId: randomBytes(16), publicKey: randomBytes(16) })
    const { id: factorId, createdAt } = await insert(db, 'mfaFactors', { ...factor, factorType: 'webauthn', friendlyName: 'Blue key' })
    await insert(db, 'webauthnCredentials', { ...key(), factorId })
    const passkey = await insert(db, 'webauthnCredentials', { ...key(), backedUp: true, backupEligible: true })

    // The factors lock out a session that has not passed one.
    expect((await app.inject({ url: lists[0], headers })).statusCode).toBe(403)
    await db.updateTable('sessions').set({ aal: 'aal2' }).where('userId', '=', user.id).execute()
    const [factors, passkeys] = await Promise.all(lists.map((url) => app.inject({ url, headers })))
    expect(factors?.json()).toEqual([
      expect.objectContaining({ name: 'Phone', kind: 'phone', phone: '+4915112345678' }),
      { id: factorId, name: 'Blue key', kind: 'key', phone: null, createdAt: createdAt.toISOString() },
    ])
    expect(passkeys?.json()).toEqual([
      { id: passkey.id, name: 'Passkey', createdAt: passkey.createdAt.toISOString(), lastUsedAt: null, isSynced: true },
    ])
    const other = await signIn('owner')
    for (const url of lists) expect((await app.inject({ url, headers: other.headers })).json()).toEqual([])
  })

  test('the page has the account from the beginning, except a time, which is told in the zone of the reader', async () => {
    const { headers } = await signIn('customer')
    expect((await app.inject({ url: '/account', headers })).body).toContain('The name we use in the app and in emails.')
    const changing = await signIn('customer', { newEmail: 'next@example.com', emailChangeSentAt: new Date() })
    const { body } = await app.inject({ url: '/account', headers: changing.headers })
    expect(body).toContain('Loading your account...')
    // The response is on the way while the code loads.
    expect(body).toMatch(/<link rel="preload" href="\/api\/account" as="fetch" crossorigin="use-credentials"/i)
  })

  test.each(pages)('%s is a page of everyone who is signed in, kept nowhere and found by no search engine', async (url) => {
    for (const role of ['customer', 'staff', 'owner'] as const) {
      const page = await app.inject({ url, headers: (await signIn(role)).headers })
      expect(page.statusCode).toBe(200)
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      expect(page.body).toMatch(/<h1[^>]*>Account<\/h1>/)
      expect(page.body).toMatch(/<title>[^<]+ · Account · Winnow<\/title>/)
    }
  })
})

describe('error', () => {
  test('a name that is no text is shown as none', async () => {
    const { headers } = await signIn('customer', { userMetadata: JSON.stringify({ first_name: { evil: true }, last_name: 7 }) })
    expect((await read(headers)).json()).toMatchObject({ firstName: '', lastName: '' })
  })
})

describe('security', () => {
  test('strangers get 401 from the API, and the sign-in page for a page', async () => {
    expect((await read()).statusCode).toBe(401)
    for (const url of pages) {
      const page = await app.inject(url)
      expect([page.statusCode, page.headers['location']]).toEqual([302, `/login?next=${encodeURIComponent(url)}`])
    }
  })

  test('each reads only themselves', async () => {
    const [one, other] = [await signIn('owner'), await signIn('customer')]
    expect((await read(other.headers)).json().email).toBe(other.user.email)
    expect((await read(one.headers)).json().email).toBe(one.user.email)
  })
})
