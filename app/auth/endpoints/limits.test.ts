import { beforeEach, expect, test } from 'vitest'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, PASSWORD, someEmail, VERSION } from '#test/auth.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)

const [here, elsewhere] = ['203.0.113.1', '203.0.113.2']

async function ask(method: 'POST' | 'PUT', path: string, remoteAddress: string, headers: Record<string, string> = VERSION) {
  return app.inject({ method, url: `/auth/v1${path}`, headers, payload: { email: 'no address' }, remoteAddress })
}

test.each([
  ['POST', '/signup', 30],
  ['POST', '/otp', 30],
  ['POST', '/magiclink', 30],
  ['POST', '/recover', 30],
  ['POST', '/resend', 30],
  ['POST', '/verify', 30],
  ['PUT', '/user', 30],
  ['POST', '/token?grant_type=password', 150],
] as const)('%s %s holds up one address after so many, and no other: %i', async (method, path, most) => {
  const replies = await Promise.all(Array.from({ length: most }, () => ask(method, path, here)))
  expect(replies.filter(({ statusCode }) => statusCode === 429 || statusCode >= 500)).toEqual([])

  const reply = await ask(method, path, here)
  expect([reply.statusCode, reply.json()]).toEqual([
    429,
    { code: 'over_request_rate_limit', message: 'That was too often. Please try again in 5 minutes.' },
  ])
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(200)
  expect(reply.headers).toMatchObject({ 'x-supabase-api-version': '2024-01-01', 'x-sb-error-code': 'over_request_rate_limit' })
  expect((await ask(method, path, here, {})).json()).toMatchObject({
    code: 429,
    error_code: 'over_request_rate_limit',
    msg: expect.stringContaining('too often'),
  })
  expect((await ask(method, path, elsewhere)).statusCode).not.toBe(429)
})

test.each(['/signup', '/token?grant_type=password', '/recover', '/verify'])(
  'a body of more than a mebibyte is refused by %s',
  async (path) => {
    const payload = { email: someEmail(), password: PASSWORD, data: { note: 'x'.repeat(1024 * 1024) } }
    const reply = await app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload })
    expect([reply.statusCode, reply.json()]).toEqual([413, { code: 'request_entity_too_large', message: 'Request body is too large' }])
  },
)
