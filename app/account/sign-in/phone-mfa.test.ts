import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { MFA_PHONE_ENROLL_ENABLED: 'true', MFA_PHONE_VERIFY_ENABLED: 'true' }))

import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo } from '#test/emails.ts'
import { textOf } from '#test/read-page.ts'
import { factorClient, forgetSteps } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'

const app = await startApp()
const { enrol, challenge, verify, finish } = factorClient(app)
beforeEach(forgetLimits)

const STEP = '/login/second-step?next=%2Faccount'
let last = 4_915_120_000_000

const mainOf = (html: string) => textOf(html.slice(html.indexOf('<main'), html.indexOf('</main>')))
const challengeIn = (html: string) => /name="challenge" value="([^"]+)"/.exec(html)?.[1] ?? ''

async function newestCodeTo(phone: string): Promise<string> {
  return String((await emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
}

/**
 * A person whose second factor is a phone, optionally with an authenticator beside it; the browser has sent the password without
 * JavaScript.
 */
async function atTheSecondStep({ withApp = false } = {}) {
  const { email, session: first } = await signUpAndConfirm(app)
  const authenticator = withApp ? await finish(first) : undefined
  const session = authenticator?.session ?? first
  const phone = String((last += 1))
  const { id } = (await enrol(session, { factor_type: 'phone', phone, friendly_name: 'Mine' })).json()
  const { id: challengeId } = (await challenge(session, id)).json()
  const raised = sessionAnswer.parse((await verify(session, id, challengeId, await newestCodeTo(phone))).json())
  await forgetLimits()
  const here = browser(app)
  await here.post('/login', { form: 'sign-in', email, password: PASSWORD })
  const send = () => here.post(STEP, { form: 'send', factor: id })
  return { ...here, email, phone, id, raised, app: authenticator?.factor, askForCode: send }
}

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

describe('happy', () => {
  test('without JavaScript: a click sends the code, and the code opens the target page', async () => {
    const { send, post, phone, id, askForCode } = await atTheSecondStep()
    const page = await send({ url: STEP })
    expect(mainOf(page.body)).toContain('We’ll send a code to your phone.')
    expect(await emailsTo(`${phone}@phone.localhost`)).toHaveLength(1)

    const asked = await askForCode()
    expect([asked.statusCode, mainOf(asked.body)]).toEqual([200, expect.stringContaining(`your phone ending in ${phone.slice(-2)}`)])
    const code = await newestCodeTo(phone)
    const passed = await post(STEP, { factor: id, challenge: challengeIn(asked.body), code })
    expect([passed.statusCode, passed.headers['location']]).toEqual([302, '/account'])
    expect((await send({ url: '/api/account' })).statusCode).toBe(200)
  })

  test('with both, the authenticator comes first, and the phone and the recovery codes are one link away', async () => {
    const both = await atTheSecondStep({ withApp: true })
    const page = await both.send({ url: STEP })
    expect(mainOf(page.body)).toContain('Enter the code from your authenticator app.')
    expect(page.body).toContain(`href="/login/second-step?next=%2Faccount&amp;with=${both.id}"`)
    const phonePage = await both.send({ url: `${STEP}&with=${both.id}` })
    expect(mainOf(phonePage.body)).toContain('Send me a code')
    for (const text of ['Use your authenticator app', 'Use a recovery code']) expect(mainOf(phonePage.body)).toContain(text)

    await forgetSteps()
    const passed = await both.post(STEP, { factor: both.app?.id ?? '', code: codeOf(both.app?.secret ?? '') })
    expect(passed.headers['location']).toBe('/account')
  })

  test('the account says that phones can be added, and how long lies between two messages', async () => {
    const { raised } = await atTheSecondStep()
    const { secondSteps } = (await app.inject({ url: '/api/account', headers: bearer(raised) })).json()
    expect(secondSteps).toEqual({ totp: true, phone: true, key: true, pauseSeconds: 60 })
  })
})

describe('error', () => {
  test('a wrong code is an error at its field, and the right one works afterwards', async () => {
    const { post, phone, id, askForCode } = await atTheSecondStep()
    const challengeId = challengeIn((await askForCode()).body)
    const code = await newestCodeTo(phone)
    const wrong = await post(STEP, { factor: id, challenge: challengeId, code: wrongFor(code) })
    expect([wrong.statusCode, mainOf(wrong.body)]).toEqual([422, expect.stringContaining('This isn’t the code from the latest message.')])
    expect(challengeIn(wrong.body)).toBe(challengeId)
    expect((await post(STEP, { factor: id, challenge: challengeId, code })).statusCode).toBe(302)
  })

  test('a code no longer works after too many attempts, and the page says what to do', async () => {
    const { post, phone, id, askForCode } = await atTheSecondStep()
    const challengeId = challengeIn((await askForCode()).body)
    const code = await newestCodeTo(phone)
    for (let guess = 1; guess <= 5; guess += 1) await post(STEP, { factor: id, challenge: challengeId, code: wrongFor(code) })
    const spent = await post(STEP, { factor: id, challenge: challengeId, code })
    expect(mainOf(spent.body)).toContain('This code no longer works. It expired or was tried too often. Send another one.')
    await forgetLimits()
    const again = await askForCode()
    expect((await post(STEP, { factor: id, challenge: challengeIn(again.body), code: await newestCodeTo(phone) })).statusCode).toBe(302)
  })

  test('a second message within a minute is refused in words, and the first code still counts', async () => {
    const { post, phone, id, askForCode } = await atTheSecondStep()
    const challengeId = challengeIn((await askForCode()).body)
    const again = await post(STEP, { form: 'send', factor: id, challenge: challengeId })
    expect([again.statusCode, mainOf(again.body)]).toEqual([422, expect.stringMatching(/only request this after \d+ seconds/)])
    expect(challengeIn(again.body)).toBe(challengeId)
    const code = await newestCodeTo(phone)
    expect((await post(STEP, { factor: id, challenge: challengeId, code })).statusCode).toBe(302)
  })

  test('no code, and a code that no message was sent for', async () => {
    const { post, phone, id } = await atTheSecondStep()
    expect(mainOf((await post(STEP, { factor: id, code: ' ' })).body)).toContain('Enter the code')
    expect(mainOf((await post(STEP, { factor: id, code: '123456' })).body)).toContain('Send a code first.')
    const nothing = await post(STEP, { code: '123456' })
    expect([nothing.statusCode, mainOf(nothing.body)]).toEqual([422, expect.stringContaining('Choose an authenticator.')])
    const garbled = await post(STEP, { factor: id, challenge: 'x', code: '123456' })
    expect([garbled.statusCode, mainOf(garbled.body)]).toEqual([422, expect.stringContaining('Send a code first')])
    expect(await emailsTo(`${phone}@phone.localhost`)).toHaveLength(1)
  })
})

describe('security', () => {
  test('another person’s phone can neither get a message nor verify a sign-in', async () => {
    const [mine, other] = [await atTheSecondStep(), await atTheSecondStep()]
    const refused = await mine.post(STEP, { form: 'send', factor: other.id })
    expect([refused.statusCode, mainOf(refused.body)]).toEqual([
      422,
      expect.stringContaining('This phone isn’t set up for two-factor authentication.'),
    ])
    expect(await emailsTo(`${other.phone}@phone.localhost`)).toHaveLength(1)
    const challengeId = challengeIn((await other.askForCode()).body)
    await mine.post(STEP, { factor: other.id, challenge: challengeId, code: await newestCodeTo(other.phone) })
    expect((await mine.send({ url: '/api/account' })).statusCode).toBe(403)
  })

  test('looking at the page sends nothing, and shows the end of the number alone', async () => {
    const { send, phone } = await atTheSecondStep()
    for (let requestContext = 1; requestContext <= 3; requestContext += 1) await send({ url: STEP })
    expect(await emailsTo(`${phone}@phone.localhost`)).toHaveLength(1)
    expect((await send({ url: STEP })).body).not.toContain(phone)
  })

  test('an unfinished phone is not a second factor', async () => {
    const { email, session } = await signUpAndConfirm(app)
    await enrol(session, { factor_type: 'phone', phone: String((last += 1)) })
    const here = browser(app)
    await here.post('/login', { form: 'sign-in', email, password: PASSWORD })
    expect(here.cookies.has(ACCESS_COOKIE)).toBe(true)
    expect((await here.send({ url: '/api/account' })).statusCode).toBe(200)
    expect(await db.selectFrom('mfaFactors').select('status').where('friendlyName', '=', '').execute()).toContainEqual({
      status: 'unverified',
    })
  })
})
