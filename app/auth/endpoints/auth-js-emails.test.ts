import { AuthClient, type AuthFlowType } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.URI_ALLOW_LIST = 'https://app.example'
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startApp()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const TARGET = 'https://app.example/welcome'

/** The official client, unmodified. */
function newClient(flowType: AuthFlowType = 'implicit') {
  const memory = new Map<string, string>()
  const storage = {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => void memory.set(key, value),
    removeItem: (key: string) => void memory.delete(key),
  }
  return new AuthClient({ url, storage, autoRefreshToken: false, flowType })
}

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const client = newClient()
  await client.signInWithPassword({ email, password: PASSWORD })
  return { email, client }
}

/** Submits the form of a link's page. Returns the redirect's URL. */
async function press(token: string, type: string): Promise<URL> {
  const body = new URLSearchParams({ token, type, redirect_to: TARGET })
  const reply = await fetch(`${url}/verify`, { method: 'POST', body, redirect: 'manual' })
  return new URL(reply.headers.get('location') ?? '')
}

describe('happy', () => {
  test('a code by email: requested, typed, signed in', async () => {
    const client = newClient()
    const email = someEmail()
    expect((await client.signInWithOtp({ email, options: { data: { first_name: 'Ada' } } })).error).toBeNull()
    const { code } = await secretsSoon(email, 'sign-in')
    const { data } = await client.verifyOtp({ type: 'email', email, token: code })
    expect(data.session?.user.user_metadata).toMatchObject({ first_name: 'Ada' })
    expect((await client.getUser()).data.user?.email).toBe(email)
  })

  test('a code by message', async () => {
    const client = newClient()
    const phone = '+4915177770000'
    expect((await client.signInWithOtp({ phone })).error).toBeNull()
    const [email] = await emailsTo('4915177770000@phone.localhost')
    const { data } = await client.verifyOtp({ type: 'sms', phone, token: email?.data.code })
    expect(data.user?.phone).toBe('4915177770000')
    const asked = await client.updateUser({ phone: '+4915177770001' })
    expect(asked.data.user?.new_phone).toBe('4915177770001')
  })

  test('a magic link with a key: the client exchanges the code that its page gets', async () => {
    const { email } = await signUpAndConfirm(app)
    const client = newClient('pkce')
    await client.signInWithOtp({ email, options: { emailRedirectTo: TARGET } })
    const next = await press((await secretsSoon(email, 'sign-in')).link, 'magiclink')
    expect(next.origin).toBe('https://app.example')
    const { data, error } = await client.exchangeCodeForSession(next.searchParams.get('code') ?? '')
    expect([error, data.user?.email]).toEqual([null, email])
  })

  test('a magic link without one: the client finds the session in the fragment', async () => {
    const { email } = await signUpAndConfirm(app)
    const client = newClient()
    await client.signInWithOtp({ email, options: { emailRedirectTo: TARGET } })
    const said = new URLSearchParams((await press((await secretsSoon(email, 'sign-in')).link, 'magiclink')).hash.slice(1))
    const { data } = await client.setSession({
      access_token: said.get('access_token') ?? '',
      refresh_token: said.get('refresh_token') ?? '',
    })
    expect(data.user?.email).toBe(email)
  })

  test('a forgotten password with a key ends as what it is', async () => {
    const { email } = await signUpAndConfirm(app)
    const client = newClient('pkce')
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    await client.resetPasswordForEmail(email, { redirectTo: TARGET })
    const next = await press((await secretsSoon(email, 'reset-password')).link, 'recovery')
    await client.exchangeCodeForSession(next.searchParams.get('code') ?? '')
    await eventually(() => expect(events).toContain('PASSWORD_RECOVERY'))
    expect((await client.updateUser({ password: 'another horse' })).error).toBeNull()
  })

  test('a new address, email by email, with the emails resent', async () => {
    const { email, client } = await signedIn()
    const wanted = someEmail()
    expect((await client.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted)
    await forgetLimits()
    expect((await client.resend({ type: 'email_change', email })).error).toBeNull()
    const fresh = await secretsSoon(wanted, 'email-change-new', 2)
    const half = await client.verifyOtp({ type: 'email_change', token_hash: fresh.link })
    expect([half.error, half.data.session]).toEqual([null, null])
    const { link } = await secretsOf(email, 'email-change-current')
    expect((await client.verifyOtp({ type: 'email_change', token_hash: link })).data.user?.email).toBe(wanted)
  })

  test('a reauthentication code', async () => {
    const { email, client } = await signedIn()
    expect((await client.reauthenticate()).error).toBeNull()
    expect((await emailsTo(email)).at(-1)).toMatchObject({ kind: 'reauthentication', data: { code: expect.stringMatching(/^\d{6}$/) } })
  })
})

describe('error', () => {
  test('refusals come as the client’s own errors', async () => {
    const client = newClient()
    const wrong = await client.verifyOtp({ type: 'email', email: someEmail(), token: '123456' })
    expect(wrong.error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' })
    const anonymous = await client.signInAnonymously()
    expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' })
    expect((await client.exchangeCodeForSession('018f7d3c-0000-7000-8000-000000000000')).error).not.toBeNull()
    expect((await client.reauthenticate()).error?.name).toBe('AuthSessionMissingError')
  })
})
