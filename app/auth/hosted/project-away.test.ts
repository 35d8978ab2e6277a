import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const { project } = await vi.hoisted(async () => {
  const { startFakeProject } = await import('#test/fake-project.ts')
  const project = await startFakeProject()
  Object.assign(process.env, { SUPABASE_URL: project.base, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x', OWNER_EMAIL: 'owner@example.com' })
  return { project }
})

import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from '#app/account/session/session-front.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, VERSION } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { html, json } from '#test/fake-project.ts'
import { projectSettings } from './project-settings.server.ts'

const { state } = project
const app = await startEndpoints()
state.published = [(await project.addKey('one')).published]
beforeEach(forgetLimits)
afterEach(() => vi.restoreAllMocks())
afterAll(() => project.close())

const post = (from: ReturnType<typeof browser>, path: string, payload: object, headers: Record<string, string> = {}) =>
  from.send({ method: 'POST', url: `/auth/v1${path}`, headers: { [OWN_PAGES_HEADER]: '1', ...VERSION, ...headers }, payload })
const refresh = (from: ReturnType<typeof browser>) => post(from, '/token?grant_type=refresh_token', { refresh_token: HELD_BY_SERVER })

/** A browser that signed in while the service was up. */
async function member() {
  const from = browser(app)
  state.answer = project.sessionBy(await project.sign('one'))
  expect((await post(from, '/token?grant_type=password', { email: 'ada@example.com', password: 'correct horse' })).statusCode).toBe(200)
  return from
}

const tooMuch = json(200, { access_token: 'x'.repeat(1024 * 1024), refresh_token: 'y' })
const pauses = [
  ['is dead', (response: { destroy: () => unknown }) => void response.destroy()],
  ['answers more than anyone would read', tooMuch],
  ['answers a page', html(200)],
  ['answers a page about being overloaded', html(502)],
  ['answers a page that asks for proof of being human', html(403)],
  ['answers a page that there is nothing', html(404)],
  ['sends elsewhere', json(302, {}, { location: 'https://elsewhere.example' })],
  ['has heard too much from us', json(429, { code: 'over_request_rate_limit', message: 'Request rate limit reached' })],
  ['is busy with the same session', json(409, { code: 'conflict', message: 'Too many concurrent token refresh requests' })],
  ['does not know our key any more', json(401, { message: 'Invalid API key', hint: 'Double check your key.' })],
] as const

describe('error', () => {
  test.each(pauses)('while the service %s, a renewal gets a temporary error, and no session ends', async (_what, answer) => {
    const from = await member()
    state.answer = answer
    const reply = await refresh(from)
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'unexpected_failure'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(from.cookies.size).toBe(2)
    expect((await from.send({ url: '/api/access-requests' })).statusCode).toBe(200)
    state.answer = project.sessionBy(await project.sign('one'))
    expect((await refresh(from)).statusCode).toBe(200)
  })

  test('a request to a silent service times out after ten seconds', async () => {
    const from = await member()
    const waited: number[] = []
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      waited.push(ms)
      return timeout(50)
    })
    state.answer = () => undefined
    const reply = await refresh(from)
    expect([reply.statusCode, from.cookies.size, waited]).toEqual([503, 2, [10_000]])
    // The same after the response's headers.
    state.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"access_token":')
    expect((await refresh(from)).statusCode).toBe(503)
  })

  test.each(pauses.slice(0, 5))(
    'while the service %s, what else is asked of it is answered in the words of the protocol',
    async (_what, answer) => {
      const from = await member()
      state.answer = answer
      for (const [path, payload] of [
        ['/signup', { email: 'new@example.com', password: 'correct horse' }],
        ['/otp', { email: 'new@example.com' }],
        ['/verify', { type: 'email', token_hash: 'x' }],
      ] as const) {
        const reply = await post(from, path, payload)
        expect([path, reply.statusCode, reply.headers['content-type'], reply.json().code]).toEqual([
          path,
          503,
          'application/json; charset=utf-8',
          'unexpected_failure',
        ])
        expect(reply.body).not.toContain('One moment')
      }
    },
  )
})

describe('the settings of the service', () => {
  const now = performance.now.bind(performance)
  let ahead = 0
  const pass = (ms: number) => void (ahead += ms)
  const asked = () => state.asked.filter((line) => line.endsWith('/settings')).length
  beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead))

  test('are fetched once for all callers; while the service is down the last known ones are used, and the next try is after five seconds', async () => {
    pass(61_000)
    state.answer = json(200, { disable_signup: true, mailer_autoconfirm: false, external: { google: true } })
    const before = asked()
    const said = await Promise.all(Array.from({ length: 20 }, projectSettings))
    expect(said).toEqual(
      Array.from({ length: 20 }, () => ({
        disable_signup: true,
        mailer_autoconfirm: false,
        external: { google: true },
        passkeys_enabled: false,
      })),
    )
    expect(asked() - before).toBe(1)

    pass(61_000)
    for (const answer of [html(502), json(500, { code: 'unexpected_failure' })]) {
      state.answer = answer
      const known = asked()
      for (let time = 0; time < 5; time += 1) expect(await projectSettings()).toEqual(said[0])
      expect(asked() - known).toBe(1)
      pass(5001)
    }
  })
})

describe('security', () => {
  test('a refusal in the protocol’s newer or older shape ends the session here', async () => {
    for (const body of [
      { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
      { code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token: Refresh Token Not Found' },
    ]) {
      const from = await member()
      state.answer = json(400, body)
      const reply = await refresh(from)
      expect([reply.statusCode, reply.json()]).toEqual([400, body])
      expect(from.cookies.size).toBe(0)
    }
  })

  test('a proxy’s page and its redirect never reach the client', async () => {
    const from = await member()
    state.answer = json(302, {}, { location: 'https://elsewhere.example' })
    expect((await refresh(from)).headers.location).toBe(undefined)
  })
})
