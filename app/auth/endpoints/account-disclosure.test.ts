import bcrypt from 'bcryptjs'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

let numbers = 0
const someNumber = () => `4915110${String((numbers += 1)).padStart(6, '0')}`
const kindsTo = async (address: string) => (await emailsTo(address)).map(({ kind }) => kind)
const exists = async (email: string) => (await db.selectFrom('users').select('id').where('email', '=', email).execute()).length > 0

type Reply = Awaited<ReturnType<typeof call>>

/** All that a stranger sees of a response, except its id, its time and the address they sent. */
function seen({ statusCode, headers, body }: Reply, ...sent: string[]) {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  const text = sent.reduce((text, address) => text.replaceAll(address, '<address>'), body)
  return { statusCode, headers: rest, body: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>') }
}

describe('happy', () => {
  test('an address with an account gets its sign-in email where none is to be made, and one without gets none', async () => {
    const { email } = await signUpAndConfirm(app)
    const stranger = someEmail()
    for (const address of [stranger, email])
      expect((await call('POST', '/otp', { email: address, create_user: false })).statusCode).toBe(200)
    await eventually(async () => expect(await kindsTo(email)).toContain('sign-in'))
    expect([await kindsTo(stranger), await exists(stranger)]).toEqual([[], false])
  })

  test('a phone with an account gets its code where none is to be made, and one without gets none', async () => {
    const { phone } = await makeUser({ email: null, phone: someNumber(), phoneConfirmedAt: new Date() })
    const stranger = someNumber()
    for (const number of [stranger, phone]) expect((await call('POST', '/otp', { phone: number, create_user: false })).statusCode).toBe(200)
    await eventually(async () => expect(await kindsTo(`${phone}@phone.localhost`)).toHaveLength(1))
    expect(await kindsTo(`${stranger}@phone.localhost`)).toEqual([])
  })

  test('the holder of an address that another account wants is told, and nothing else happens', async () => {
    const holder = await signUpAndConfirm(app)
    const { email, session } = await signUpAndConfirm(app)
    const reply = await call('PUT', '/user', { email: holder.email }, bearer(session))
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { email, new_email: holder.email }])
    expect(await kindsTo(holder.email)).toEqual(['confirm-address', 'address-in-use'])

    const { link } = await secretsOf(email, 'email-change-current')
    expect((await call('POST', '/verify', { type: 'email_change', token_hash: link })).json()).toMatchObject({ code: '200' })
    await forgetLimits()
    for (const address of [email, holder.email]) {
      expect((await call('POST', '/token?grant_type=password', { email: address, password: PASSWORD })).json().user.email).toBe(address)
    }
  })
})

describe('security', () => {
  const situations: [what: string, settings: Partial<typeof env>, body: object][] = [
    ['where none is to be made', {}, { create_user: false }],
    ['where sign-up is closed', { DISABLE_SIGNUP: true }, {}],
    ['as usual', {}, {}],
  ]
  test.each(situations)('asking for a sign-in, %s, looks the same with and without an account', async (_what, settings, more) => {
    const { email } = await signUpAndConfirm(app)
    const { phone } = await makeUser({ email: null, phone: someNumber(), phoneConfirmedAt: new Date() })
    const before = { ...env }
    Object.assign(env, settings)
    try {
      for (const [known, unknown] of [
        [{ email }, { email: someEmail() }],
        [{ phone }, { phone: someNumber() }],
      ] as const) {
        await forgetLimits()
        const replies = [await call('POST', '/otp', { ...known, ...more }), await call('POST', '/otp', { ...unknown, ...more })]
        const [one, other] = replies.map((reply) => seen(reply))
        expect(one).toMatchObject({ statusCode: 200 })
        expect(one).toEqual(other)
      }
    } finally {
      Object.assign(env, before)
    }
  })

  test('signing up and then signing in with the same password looks the same with and without an account', async () => {
    const { email } = await signUpAndConfirm(app)
    const { phone } = await makeUser({ email: null, phone: someNumber(), phoneConfirmedAt: new Date() })
    const waiting = someEmail()
    await call('POST', '/signup', { email: waiting, password: 'their own horse' })
    const imported = await makeUser({ passwordHash: await bcrypt.hash(PASSWORD, 4) })
    for (const { addresses, code } of [
      { addresses: [{ email }, { email: someEmail() }, { email: waiting }, { email: imported.email ?? '' }], code: 'email_not_confirmed' },
      { addresses: [{ phone }, { phone: someNumber() }], code: 'invalid_credentials' },
    ]) {
      const replies = []
      for (const address of addresses) {
        await forgetLimits()
        await call('POST', '/signup', { ...address, password: 'another horse' })
        replies.push(seen(await call('POST', '/token?grant_type=password', { ...address, password: 'another horse' })))
      }
      expect(replies[0]).toMatchObject({ statusCode: 400, body: expect.stringContaining(code) })
      for (const reply of replies) expect(reply).toEqual(replies[0])
    }
  })

  test('a customer who wants another address or phone sees the same whether or not it has an account', async () => {
    const holder = await signUpAndConfirm(app)
    const { phone } = await makeUser({ email: null, phone: someNumber(), phoneConfirmedAt: new Date() })
    for (const [field, taken, free] of [
      ['email', holder.email, someEmail()],
      ['phone', phone ?? '', someNumber()],
    ] as const) {
      const [one, other] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
      const replies = []
      for (const [asker, wanted] of [
        [one, taken],
        [other, free],
      ] as const) {
        await forgetLimits()
        const { user } = asker.session
        const ids = [wanted, asker.email, user.id, ...user.identities.map(({ identity_id: id }) => id)]
        const put = await call('PUT', '/user', { [field]: wanted }, bearer(asker.session))
        const get = await call('GET', '/user', undefined, bearer(asker.session))
        const again = await call('PUT', '/user', { [field]: wanted }, bearer(asker.session))
        replies.push([put, get, again].map((reply) => ({ ...seen(reply, ...ids) })))
      }
      expect(replies[0]?.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
      expect(replies[0]).toEqual(replies[1])
    }
  })

  test('the code that a holder is not sent cannot be guessed either', async () => {
    const holder = await signUpAndConfirm(app)
    const { session } = await signUpAndConfirm(app)
    await call('PUT', '/user', { email: holder.email }, bearer(session))
    const waiting = await db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', session.user.id).execute()
    expect(waiting.map(({ sentTo }) => sentTo)).not.toContain(holder.email)
  })
})
