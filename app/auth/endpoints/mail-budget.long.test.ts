import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { SMTP_MAX_FREQUENCY: '0', RATE_LIMIT_EMAIL_SENT: '80', RATE_LIMIT_OTP: '1000' })
})

import { AuthClient } from '@supabase/auth-js'
import { provingFetch } from '#app/account/session/proving-fetch.ts'
import { solveProof } from '#app/platform/browser/solve-proof.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally, VERSION } from '#test/auth.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startEndpoints()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

/** A request from a new visitor, unless one is given. */
let visitors = 0
const ask = (path: string, payload: object, remoteAddress = `10.0.${(visitors += 1) >> 8}.${visitors & 255}`) =>
  app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload, remoteAddress })
const sent = async (address: string, kind: string) => (await emailsTo(address)).filter((email) => email.kind === kind).length
const recover = (email: string, from?: string) => ask('/recover', { email }, from)
const begin = (from?: string) => ask('/signup', { email: someEmail(), password: PASSWORD }, from)

/** Deferred requests are done once no such job is left. */
const settled = () =>
  eventually(async () => {
    const left = await db.selectFrom('jobs').select('id').where('kind', '=', 'account-letter').where('doneAt', 'is', null).execute()
    expect(left).toEqual([])
  })

async function known() {
  const { email, session } = await signUpAndConfirm(app)
  await forgetLimits()
  return { email, session }
}

/** The share without a proof of work: three eighths of 80. */
const FREE = 30

describe('happy', () => {
  test('a person gets a recovery email after strangers have asked for a hundred emails to their address', async () => {
    const { email } = await known()
    const asked = ['/recover', '/resend', '/signup', '/otp']
    for (const path of asked)
      await twoAtOnce(25, () => ask(path, { email, password: PASSWORD, type: 'signup', create_user: false }, '203.0.113.7'))
    await settled()
    const before = await sent(email, 'reset-password')
    expect((await recover(email, '203.0.113.8')).statusCode).toBe(200)
    await eventually(async () => expect(await sent(email, 'reset-password')).toBe(before + 1))
  })

  test('when strangers have used up their share, recovery and sign-in emails of accounts still leave; enquiries are acknowledged as ever', async () => {
    const { email, session } = await known()
    expect(tally(await twoAtOnce(50, () => begin()))).toEqual({ 200: FREE, 429: 50 - FREE })
    expect((await recover(email)).statusCode).toBe(200)
    expect((await ask('/otp', { email, create_user: false })).statusCode).toBe(200)
    expect((await call('GET', '/reauthenticate', undefined, bearer(session))).statusCode).toBe(200)
    const kinds = ['reset-password', 'sign-in', 'reauthentication']
    await eventually(async () => expect(await twoAtOnce(3, (kind) => sent(email, kinds[kind] ?? ''))).toEqual([1, 1, 1]))
    expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
    expect((await emailsTo(ada.email)).map(({ kind }) => kind)).toEqual(['acknowledgement'])
  })

  test('a browser that does a proof of work signs up when strangers have nearly used up their share', async () => {
    await twoAtOnce(50, () => begin())
    const email = someEmail()
    const send = async (input: string | URL | Request, init: RequestInit = {}) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      const headers = Object.fromEntries(new Headers(init.headers))
      const reply = await app.inject({
        method: 'POST',
        url: pathname + search,
        headers,
        payload: typeof init.body === 'string' ? init.body : '',
      })
      return new Response(reply.body, {
        status: reply.statusCode,
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': String(reply.headers['x-supabase-api-version'] ?? '') },
      })
    }
    const program = (fetch: typeof globalThis.fetch) =>
      new AuthClient({ url: 'http://localhost:3000/auth/v1', persistSession: false, fetch })
    expect((await program(send).signUp({ email, password: PASSWORD })).error).toMatchObject({ code: 'over_email_send_rate_limit' })
    expect((await program(provingFetch(send)).signUp({ email, password: PASSWORD })).error).toBeNull()
    expect(await sent(email, 'confirm-address')).toBe(1)
  })
})

describe('error', () => {
  test('one visitor may ask for 30 emails in five minutes, of all kinds together, from a whole network of IPv6', async () => {
    const { email } = await known()
    const from = (time: number) => `2001:db8:1:2::${time.toString(16)}`
    const paths = ['/recover', '/resend', '/otp']
    const replies = await twoAtOnce(50, (time) =>
      ask(paths[time % 3] ?? '', { email: time % 2 ? someEmail() : `${time}-${email}`, type: 'signup', create_user: false }, from(time)),
    )
    expect(tally(replies)).toEqual({ 200: 30, 429: 20 })
    expect((await recover(email, from(99))).json().code).toBe('over_email_send_rate_limit')
    expect((await recover(email, '2001:db8:1:3::1')).statusCode).toBe(200)
  })

  test('one visitor may have ten emails of a kind sent to an address in an hour; whether it has an account cannot be told', async () => {
    const { email } = await known()
    for (const address of [email, someEmail()]) {
      await forgetLimits()
      expect(tally(await twoAtOnce(20, () => recover(address, '203.0.113.7')))).toEqual({ 200: 10, 429: 10 })
      const reply = await recover(address, '203.0.113.7')
      expect([reply.statusCode, reply.json()]).toEqual([
        429,
        { code: 'over_email_send_rate_limit', message: 'That was too often. Please try again in an hour.' },
      ])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3500)
    }
  })

  test('a proof of work for another address is none', async () => {
    await twoAtOnce(50, () => begin())
    const refused = await begin()
    expect(refused.json()).toMatchObject({ code: 'over_email_send_rate_limit', challenge: { parameters: expect.anything() } })
    for (const token of ['', 'x', btoa('{}'), btoa(JSON.stringify({ challenge: refused.json().challenge, solution: {} }))]) {
      const body = { email: someEmail(), password: PASSWORD, gotrue_meta_security: { captcha_token: token } }
      expect((await ask('/signup', body)).statusCode).toBe(429)
    }
  })
})

describe('security', () => {
  test('more than six sign-ups of one address in an hour need a proof of work; a person with an account can still ask for a sign-in email', async () => {
    const { email } = await known()
    for (const address of [email, someEmail()]) {
      const signUps = []
      for (let time = 0; time < 8; time += 1) signUps.push(await ask('/signup', { email: address, password: PASSWORD }))
      expect(tally(signUps)).toEqual({ 200: 6, 429: 2 })
      expect(signUps.at(-1)?.json().challenge).toBeDefined()
      const signIns = []
      for (let time = 0; time < 8; time += 1) signIns.push(await ask('/otp', { email: address }))
      expect(tally(signIns)).toEqual({ 200: 8 })
    }
    await settled()
    expect(await sent(email, 'sign-in')).toBe(8)
  })

  test.each([
    ['one customer of a provider, with all networks of theirs,', (time: number) => `2001:db8:7:${(time % 12).toString(16)}::1`],
    ['one address', () => '203.0.113.9'],
  ])('%s cannot use up the emails for sign-ups of everyone', async (_, from) => {
    const replies = []
    for (let time = 0; time < 50; time += 1) replies.push(await begin(from(time)))
    // Two fifths of the strangers' share.
    expect(tally(replies)).toEqual({ 200: 16, 429: 34 })
    expect(tally(await twoAtOnce(10, () => begin()))).toEqual({ 200: 10 })
  })

  test('a proof of work counts once: each further email to a busy address costs work of its own', async () => {
    const email = someEmail()
    const signUp = async (proof?: unknown) =>
      ask('/signup', {
        email,
        password: PASSWORD,
        ...(proof ? { gotrue_meta_security: { captcha_token: btoa(JSON.stringify(proof)) } } : {}),
      })
    for (let time = 0; time < 6; time += 1) await signUp()
    const proof = await solveProof((await signUp()).json().challenge)
    const [replies, other] = [await twoAtOnce(10, () => signUp(proof)), await solveProof((await signUp()).json().challenge)]
    expect(tally(replies)).toEqual({ 200: 1, 429: 9 })
    expect((await signUp(other)).statusCode).toBe(200)
  })

  test('requests that send nothing use up no share: recovery and codes for addresses without an account', async () => {
    const { email } = await known()
    await twoAtOnce(60, () => recover(someEmail()))
    await twoAtOnce(60, () => ask('/otp', { email: someEmail(), create_user: false }))
    await twoAtOnce(60, () => ask('/resend', { type: 'signup', email }))
    await settled()
    expect((await recover(email)).statusCode).toBe(200)
    await eventually(async () => expect(await sent(email, 'reset-password')).toBe(1))
    expect(tally(await twoAtOnce(50, () => begin()))).toEqual({ 200: FREE, 429: 50 - FREE })
  })

  test('the hourly limit of emails holds, and the response does not reveal who was sent none', async () => {
    const { email } = await known()
    const replies = await twoAtOnce(60, () => recover(email))
    expect(tally(replies)).toEqual({ 200: 60 })
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    await settled()
    // A quarter of 80, minus the share for networks with an earlier sign-in.
    expect(await sent(email, 'reset-password')).toBe(15)
  })

  test('visitors who ask often share half of the recovery emails, so one who asks once still gets theirs', async () => {
    const { email } = await known()
    const { email: other } = await known()
    for (const from of ['203.0.113.21', '203.0.113.22', '203.0.113.23']) {
      await twoAtOnce(20, () => recover(someEmail(), from))
      await twoAtOnce(10, () => recover(email, from))
    }
    await settled()
    // Three for each network.
    expect(await sent(email, 'reset-password')).toBe(9)
    expect((await recover(other)).statusCode).toBe(200)
    await eventually(async () => expect(await sent(other, 'reset-password')).toBe(1))
  })

  test('near the limit a sign-up looks the same for an address with an account', async () => {
    const { email } = await known()
    await twoAtOnce(50, () => begin())
    const replies = await twoAtOnce(2, (time) => ask('/signup', { email: time ? email : someEmail(), password: PASSWORD }))
    const seen = replies.map(({ statusCode, json }) => [statusCode, Object.keys(json()), json().code, json().message])
    expect(seen[0]).toEqual(seen[1])
  })
})
