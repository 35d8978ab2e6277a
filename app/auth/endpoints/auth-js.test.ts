import { AuthClient, isAuthWeakPasswordError } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const clients: InstanceType<typeof AuthClient>[] = []

const app = await startEndpoints()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
startJobs()
beforeEach(forgetLimits)
afterAll(async () => {
  await stopJobs()
  await Promise.all(clients.map((client) => client.stopAutoRefresh()))
})

/** The official client, unmodified, with storage that a test can read. */
function newClient({ fetch, stored }: { fetch?: typeof globalThis.fetch; stored?: unknown } = {}) {
  const memory = new Map<string, string>(stored === undefined ? [] : [['test', JSON.stringify(stored)]])
  const storage = {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => void memory.set(key, value),
    removeItem: (key: string) => void memory.delete(key),
  }
  const client = new AuthClient({ url, storage, storageKey: 'test', autoRefreshToken: false, ...(fetch && { fetch }) })
  clients.push(client)
  return { client, memory }
}

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const { client, memory } = newClient()
  const { data } = await client.signInWithPassword({ email, password: PASSWORD })
  if (!data.session) throw new Error('no session')
  return { email, client, memory, session: data.session }
}

describe('happy', () => {
  test('signing up tells that the address has to be confirmed, confirming signs in', async () => {
    const { client } = newClient()
    const email = someEmail()
    const signedUp = await client.signUp({ email, password: PASSWORD, options: { data: { first_name: 'Ada', last_name: 'Lovelace' } } })
    expect(signedUp.error).toBeNull()
    expect(signedUp.data.session).toBeNull()
    expect(signedUp.data.user?.user_metadata).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })

    const { link } = await secretsOf(email, 'confirm-address')
    const confirmed = await client.verifyOtp({ type: 'signup', token_hash: link })
    expect(confirmed.data.session?.user.email).toBe(email)
  })

  test('its events follow the life of a session', async () => {
    const { email } = await signUpAndConfirm(app)
    const { client } = newClient()
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    await eventually(() => expect(events).toEqual(['INITIAL_SESSION']))
    await client.signInWithPassword({ email, password: PASSWORD })
    await client.refreshSession()
    await client.updateUser({ data: { first_name: 'Augusta' } })
    await client.signOut()
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
  })

  test('a forgotten password is replaced through the email', async () => {
    const { email } = await signUpAndConfirm(app)
    const { client } = newClient()
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    expect((await client.resetPasswordForEmail(email)).error).toBeNull()
    await eventually(async () => expect(await emailsTo(email)).toHaveLength(2))
    const { code } = await secretsOf(email, 'reset-password')
    expect((await client.verifyOtp({ type: 'recovery', email, token: code })).error).toBeNull()
    expect(events).toContain('PASSWORD_RECOVERY')
    expect((await client.updateUser({ password: 'another horse' })).error).toBeNull()
    expect((await newClient().client.signInWithPassword({ email, password: 'another horse' })).error).toBeNull()
  })

  test('an expired session in its storage is renewed automatically, as is one within 90 seconds of its end', async () => {
    for (const left of [-10, 80]) {
      const { session } = await signedIn()
      const expiresAt = Math.floor(Date.now() / 1000) + left
      const { client } = newClient({ stored: { ...session, expires_at: expiresAt, expires_in: left } })
      const { data } = await client.getSession()
      expect(data.session?.refresh_token).not.toBe(session.refresh_token)
      expect(data.session?.user.id).toBe(session.user.id)
    }
  })

  test('the keys that the service publishes are enough to check a token', async () => {
    const { client, session } = await signedIn()
    const { data } = await client.getClaims()
    expect(data?.claims).toMatchObject({ sub: session.user.id, aal: 'aal1', role: 'authenticated' })
  })

  test('each scope of signing out', async () => {
    const { email, client } = await signedIn()
    const other = newClient().client
    await other.signInWithPassword({ email, password: PASSWORD })
    expect((await client.signOut({ scope: 'others' })).error).toBeNull()
    expect((await client.getUser()).data.user?.email).toBe(email)
    expect((await other.getUser()).data.user).toBeNull()
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
    expect((await client.getSession()).data.session).toBeNull()
  })
})

describe('error', () => {
  test('refusals come with their code and their sentence', async () => {
    const { email } = await signUpAndConfirm(app)
    const { client } = newClient()
    const wrong = await client.signInWithPassword({ email, password: 'wrong horse' })
    expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' })
    const weak = await client.signUp({ email: someEmail(), password: '12345' })
    expect(isAuthWeakPasswordError(weak.error) && weak.error.reasons).toEqual(['length'])
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  test('without an address or a password it sends no request', async () => {
    const { client } = newClient({ fetch: () => Promise.reject(new Error('asked')) })
    // @ts-expect-error -- what a caller without types may do
    const { error } = await client.signInWithPassword({ password: PASSWORD })
    expect(error?.message).toBe('You must provide either an email or phone number and a password')
  })

  test('admin calls need the id of a user, and send no request without one', async () => {
    const { client } = newClient({ fetch: () => Promise.reject(new Error('asked')) })
    const wanted = 'Expected parameter to be UUID but is not'
    await expect(client.admin.getUserById('ada')).rejects.toThrow(wanted)
    await expect(client.admin.updateUserById('', {})).rejects.toThrow(wanted)
    await expect(client.admin.deleteUser('1 OR 1=1')).rejects.toThrow(wanted)
  })

  test('an invalid session in its storage is removed', async () => {
    const { session } = await signedIn()
    for (const missing of ['access_token', 'refresh_token', 'expires_at'] as const) {
      const { [missing]: _gone, ...broken } = session
      const { client, memory } = newClient({ stored: broken })
      expect((await client.getSession()).data.session).toBeNull()
      await eventually(() => expect(memory.has('test')).toBe(false))
    }
  })

  test('a session with a final refusal is removed', async () => {
    const { session, client: first } = await signedIn()
    await first.signOut()
    const { client, memory } = newClient({ stored: { ...session, expires_at: 1 } })
    expect((await client.getSession()).data.session).toBeNull()
    expect(memory.has('test')).toBe(false)
  })

  test('a busy service is asked again, after 200 milliseconds, then twice as long each time', async () => {
    const { session } = await signedIn()
    const asked: number[] = []
    const busyThrice: typeof fetch = async (input, init) => {
      if (!new Request(input).url.includes('/token')) return fetch(input, init)
      asked.push(performance.now())
      return asked.length <= 3 ? Response.json({ code: 'unexpected_failure', message: 'busy' }, { status: 503 }) : fetch(input, init)
    }
    const { client, memory } = newClient({ stored: { ...session, expires_at: 1 }, fetch: busyThrice })
    expect((await client.getSession()).data.session).not.toBeNull()
    expect(memory.has('test')).toBe(true)
    const [first = 0, second = 0, third = 0, fourth = 0] = asked
    expect(second - first).toBeGreaterThanOrEqual(195)
    expect(third - second).toBeGreaterThanOrEqual(395)
    expect(fourth - third).toBeGreaterThanOrEqual(795)
  })

  test('signing out of a session that has ended is no error', async () => {
    const { email, client } = await signedIn()
    const other = newClient().client
    await other.signInWithPassword({ email, password: PASSWORD })
    await other.signOut({ scope: 'global' })
    expect((await client.signOut()).error).toBeNull()
  })
})
