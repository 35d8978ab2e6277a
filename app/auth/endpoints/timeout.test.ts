import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createHttp } from '#app/platform/http/http.server.ts'
import { VERSION } from '#test/auth.ts'
import { authService } from '#app/auth/http/service.server.ts'

const http = createHttp()
let aborted = false

void http.register(
  authService(
    [
      async (app) => {
        app.get('/slow', async ({ signal }) => sleep(60_000, {}, { signal }).catch(() => ((aborted = true), {})))
        app.get('/quick', async () => ({}))
      },
    ],
    { patience: 30 },
  ),
  { prefix: '/auth/v1' },
)
await http.ready()
afterAll(() => http.close())

test('a timeout is reported in the protocol’s shape, and the work is aborted', async () => {
  const slow = await http.inject({ url: '/auth/v1/slow', headers: VERSION })
  expect([slow.statusCode, slow.json()]).toEqual([
    504,
    { code: 'request_timeout', message: 'Processing this request timed out, please retry after a moment.' },
  ])
  expect(slow.headers['x-sb-error-code']).toBe('request_timeout')
  expect((await http.inject({ url: '/auth/v1/slow' })).json()).toMatchObject({
    code: 504,
    error_code: 'request_timeout',
    error_id: expect.any(String),
  })
  expect((await http.inject({ url: '/auth/v1/quick' })).statusCode).toBe(200)
  expect(aborted).toBe(true)
})
