import { beforeEach, describe, expect, test } from 'vitest'
import routes from '#app/routes.ts'
import { startApp } from '#test/app.ts'
import { bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { textOf } from '#test/read-page.ts'
import { factorClient, forgetSteps } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'

const app = await startApp()
const { finish } = factorClient(app)
beforeEach(forgetLimits)

const STEP = '/login/second-step?next=%2Fdashboard%2Fletters'

/** A person with a second factor and recovery codes, whose browser has sent the password without JavaScript. */
async function atTheSecondStep() {
  const { email, session } = await signUpAndConfirm(app)
  const { factor, session: raised } = await finish(session)
  const made = await app.inject({ method: 'POST', url: '/api/account/recovery-codes', headers: bearer(raised) })
  const { codes }: { codes: string[] } = made.json()
  const here = browser(app)
  await here.post('/login', { form: 'sign-in', email, password: PASSWORD })
  return { ...here, factor, codes, email }
}

/** From the route map: all pages in the workspace layout. */
const signedInPages = pathsOf(routes.find(({ file }) => file === 'account/session/workspace.layout.tsx')?.children ?? [])

function pathsOf(entries: typeof routes): string[] {
  return entries.flatMap(({ path, children = [] }) => [...(path === undefined ? [] : [`/${path}`]), ...pathsOf(children)])
}

const mainOf = (html: string) => textOf(html.slice(html.indexOf('<main'), html.indexOf('</main>')))

describe('happy', () => {
  test('without JavaScript, the page asks for the authenticator’s code and continues to the target page', async () => {
    const { send, post, factor } = await atTheSecondStep()
    expect((await send({ url: '/dashboard/letters' })).headers['location']).toBe(STEP)
    const page = await send({ url: STEP })
    expect(mainOf(page.body)).toContain('Enter the code from your authenticator app.')
    expect(page.body).toContain(`value="${factor.id}"`)

    await forgetSteps()
    // As the app shows it: in two groups.
    const code = codeOf(factor.secret).replace(/^\d{3}/, '$& ')
    const passed = await post(STEP, { factor: factor.id, code })
    expect([passed.statusCode, passed.headers['location']]).toEqual([302, '/dashboard/letters'])
    expect((await send({ url: '/api/account' })).statusCode).toBe(200)
    expect((await send({ url: STEP })).headers['location']).toBe('/dashboard/letters')
  })

  test('a recovery code does the same, once', async () => {
    const { send, post, codes } = await atTheSecondStep()
    expect(mainOf((await send({ url: `${STEP}&with=recovery` })).body)).toContain('Each works once.')
    const passed = await post(STEP, { recovery: '1', code: codes[0] ?? '' })
    expect(passed.headers['location']).toBe('/dashboard/letters')
    expect((await send({ url: '/api/account' })).statusCode).toBe(200)
  })

  test('the sign-in page leads to a pending second factor, which can be abandoned', async () => {
    const { send, post, cookies } = await atTheSecondStep()
    expect((await send({ url: '/login?next=%2Fdashboard%2Fletters' })).headers['location']).toBe(STEP)
    await post('/api/logout', {})
    expect(cookies.has(ACCESS_COOKIE)).toBe(false)
    expect((await send({ url: STEP })).headers['location']).toBe('/login?next=%2Fdashboard%2Fletters')
  })
})

describe('error', () => {
  test('a wrong code, none, and one of an authenticator that is not theirs are told at the field', async () => {
    const [mine, other] = [await atTheSecondStep(), await atTheSecondStep()]
    await forgetSteps()
    const attempts: [Record<string, string>, string][] = [
      [{ factor: mine.factor.id, code: '000000' }, 'Invalid TOTP code entered'],
      [{ factor: mine.factor.id, code: ' ' }, 'Enter the code'],
      [{ factor: other.factor.id, code: codeOf(other.factor.secret) }, 'Factor not found'],
      [{ recovery: '1', code: other.codes[0] ?? '' }, 'This recovery code is not valid, or has been used.'],
    ]
    for (const [fields, sentence] of attempts) {
      const page = await mine.post(STEP, fields)
      expect([page.statusCode, mainOf(page.body)]).toEqual([422, expect.stringContaining(sentence)])
    }
    expect((await mine.send({ url: '/api/account' })).statusCode).toBe(403)
  })

  test('strangers begin at the first step', async () => {
    const { send, post } = browser(app)
    expect((await send({ url: STEP })).headers['location']).toBe('/login?next=%2Fdashboard%2Fletters')
    expect((await post(STEP, { code: '123456' })).headers['location']).toBe('/login?next=%2Fdashboard%2Fletters')
  })
})

describe('security', () => {
  test('every page of the signed-in area leads to the second step, and back to itself', async () => {
    const { send } = await atTheSecondStep()
    for (const url of signedInPages) {
      const { statusCode, headers } = await send({ url })
      expect([statusCode, headers['location']]).toEqual([302, `/login/second-step?next=${encodeURIComponent(url)}`])
    }
    expect(signedInPages).toEqual(expect.arrayContaining(['/dashboard', '/account/security', '/admin/users']))
  })

  const reads = [
    '/api/account',
    '/api/account/sessions',
    '/api/account/data',
    '/api/account/recovery-codes',
    '/api/workspace',
    '/api/me/enquiries',
    '/api/contacts.csv',
    '/api/admin/users',
    '/api/admin/audit.csv',
  ]
  const writes: [string, string, object?][] = [
    ['PATCH', '/api/admin/users/0199a6a0-0000-7000-8000-000000000001', { role: 'owner' }],
    ['POST', '/api/account/deletion', { confirm: 'ada@example.com' }],
    ['POST', '/api/account/recovery-codes'],
    ['DELETE', '/api/account/avatar'],
    ['POST', '/api/access-requests', { area: 'blog' }],
  ]

  test('with the password alone nothing of the workspace answers, not even to an owner', async () => {
    const { send, email } = await atTheSecondStep()
    await db.updateTable('users').set({ appMetadata: '{"role":"owner"}' }).where('email', '=', email).execute()
    for (const url of reads) {
      const reply = await send({ url })
      expect([url, reply.statusCode, reply.json().code]).toEqual([url, 403, 'insufficient_aal'])
    }
    for (const [method, url, payload] of writes) {
      const reply = await send({
        method: method === 'PATCH' ? 'PATCH' : method === 'POST' ? 'POST' : 'DELETE',
        url,
        ...(payload && { payload }),
      })
      expect([url, reply.statusCode, reply.json().code]).toEqual([url, 403, 'insufficient_aal'])
    }
    for (const url of ['/dashboard', '/account', '/admin/users']) {
      expect((await send({ url })).headers['location']).toBe(`/login/second-step?next=${encodeURIComponent(url)}`)
    }
    expect((await send({ url: '/' })).body).toContain('Transform Web Data Into Your Competitive Advantage')
  })

  test('neither does it by bearer token; with the second step, exports and roles are there again', async () => {
    const { email, session } = await signUpAndConfirm(app)
    await db.updateTable('users').set({ appMetadata: '{"role":"owner"}' }).where('email', '=', email).execute()
    expect((await app.inject({ url: '/api/contacts.csv', headers: bearer(session) })).statusCode).toBe(200)
    const { session: raised } = await finish(session)
    const low = browser(app)
    await low.post('/login', { form: 'sign-in', email, password: PASSWORD })
    const token = { authorization: `Bearer ${low.cookies.get(ACCESS_COOKIE)}` }
    for (const url of ['/api/contacts.csv', '/api/admin/users']) {
      expect((await app.inject({ url, headers: token })).json().code).toBe('insufficient_aal')
      expect((await app.inject({ url, headers: bearer(raised) })).statusCode).toBe(200)
    }
  })

  test('where to go on to is on this site, whatever the address says', async () => {
    const { post, factor } = await atTheSecondStep()
    await forgetSteps()
    const passed = await post('/login/second-step?next=https%3A%2F%2Fevil.example', { factor: factor.id, code: codeOf(factor.secret) })
    expect(passed.headers['location']).toBe('/dashboard')
  })
})
