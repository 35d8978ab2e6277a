import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { issueToken } from '#app/auth/tokens/one-time-token.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { textOf } from '#test/read-page.ts'

const app = await startApp()
beforeEach(async () => {
  await forgetLimits()
  startJobs()
})
afterEach(async () => stopJobs())

const PAGE = '/login/code?next=%2Faccount'
const mainOf = (html: string) => textOf(html.slice(html.indexOf('<main'), html.indexOf('</main>')))

/** Requests the email, and returns the errors when it is refused. */
async function ask({ post }: Pick<ReturnType<typeof browser>, 'post'>, email: string | null) {
  const page = await post(PAGE, { email: email ?? '' })
  expect([page.statusCode, mainOf(page.body)]).toEqual([200, expect.stringContaining('Enter your code')])
  return page
}

/** The email is written after the response, so the timing does not reveal an account. */
async function codeFor(email: string): Promise<string> {
  await eventually(async () => expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('sign-in'))
  return (await secretsOf(email, 'sign-in')).code
}

/** As people type it: in two groups. */
const spaced = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

describe('happy', () => {
  test('without JavaScript: the address, then the emailed code, then the target page', async () => {
    const { email } = await makeUser()
    const { send, post } = browser(app)
    const login = await send({ url: '/login?mode=sign-in&next=%2Faccount' })
    expect(login.body).toContain('href="/login/code?next=%2Faccount"')
    await ask({ post }, email)
    const entered = await post(PAGE, { form: 'code', email: email ?? '', code: ` ${spaced(await codeFor(email ?? ''))} ` })
    expect([entered.statusCode, entered.headers['location']]).toEqual([302, '/account'])
    expect((await send({ url: '/api/account' })).json().email).toBe(email)
  })

  test('a first sign-in creates an account', async () => {
    const email = someEmail()
    const { send, post } = browser(app)
    await ask({ post }, email)
    await post(PAGE, { form: 'code', email, code: await codeFor(email) })
    expect((await send({ url: '/api/account' })).json()).toMatchObject({ email, hasPassword: false })
  })
})

describe('error', () => {
  test('an invalid address and an invalid code are shown at their fields, and the typed values stay', async () => {
    const { post } = browser(app)
    const refused = await post(PAGE, { email: 'ada' })
    expect([refused.statusCode, mainOf(refused.body)]).toEqual([422, expect.stringContaining('Please enter a valid email address')])
    expect(refused.body).toContain('value="ada"')
    const { email } = await makeUser()
    await ask({ post }, email)
    const code = await codeFor(email ?? '')
    for (const [typed, sentence] of [
      ['', 'Enter the code'],
      [code === '000000' ? '000001' : '000000', 'Token has expired or is invalid'],
    ] as const) {
      const page = await post(PAGE, { form: 'code', email: email ?? '', code: typed })
      expect([page.statusCode, mainOf(page.body)]).toEqual([422, expect.stringContaining(sentence)])
    }
  })

  test('a second email within a minute is refused with a text', async () => {
    const { email } = await makeUser()
    const { post } = browser(app)
    await ask({ post }, email)
    const again = await post(PAGE, { email: email ?? '' })
    expect([again.statusCode, mainOf(again.body)]).toEqual([422, expect.stringContaining('you can only request this after')])
  })
})

describe('security', () => {
  test('the answer is the same for an address without an account', async () => {
    const { email } = await makeUser()
    const bodies = []
    for (const address of [email ?? '', someEmail()]) {
      const { body } = await ask(browser(app), address)
      bodies.push(mainOf(body).replaceAll(address, 'ADDRESS'))
    }
    expect(bodies[0]).toBe(bodies[1])
  })

  test('a code counts once, for its own address, and guesses are counted', async () => {
    const [{ email }, other] = [await makeUser(), await makeUser()]
    const { post, cookies } = browser(app)
    await ask({ post }, email)
    const code = await codeFor(email ?? '')
    expect((await post(PAGE, { form: 'code', email: other.email ?? '', code })).statusCode).toBe(422)
    expect((await post(PAGE, { form: 'code', email: email ?? '', code })).statusCode).toBe(302)
    expect((await browser(app).post(PAGE, { form: 'code', email: email ?? '', code })).statusCode).toBe(422)
    expect(cookies.has(ACCESS_COOKIE)).toBe(true)
  })

  test('a banned person cannot sign in by email', async () => {
    const { email, id } = await makeUser()
    const { post, cookies } = browser(app)
    await ask({ post }, email)
    const code = await codeFor(email ?? '')
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', id)
      .execute()
    const page = await post(PAGE, { form: 'code', email: email ?? '', code })
    expect([page.statusCode, mainOf(page.body)]).toEqual([422, expect.stringContaining('User is banned')])
    expect(cookies.has(ACCESS_COOKIE)).toBe(false)
  })

  test('a wrong code on this page, and an old link on its page, are in the log as failed sign-ins', async () => {
    const { email, id } = await makeUser()
    const { post, send } = browser(app)
    expect((await post(PAGE, { form: 'code', email: email ?? '', code: '000000' })).statusCode).toBe(422)
    const { link } = await transaction((trx) => issueToken(trx, id, 'recovery', email ?? ''))
    await db
      .updateTable('oneTimeTokens')
      .set({ issuedAt: new Date(0) })
      .where('userId', '=', id)
      .execute()
    for (const page of ['link', 'new-password']) {
      expect((await send({ url: `/login/${page}?token_hash=${link}` })).body).toContain('This link no longer works')
    }
    const failed = db.selectFrom('auditEvents').select('detail').where('subjectId', '=', id).where('action', '=', 'login_failed')
    await eventually(async () =>
      expect(
        (await failed.execute()).map(({ detail }) => String(detail['method'])).toSorted((one, other) => one.localeCompare(other)),
      ).toEqual(['code', 'link', 'link']),
    )
  })
})
