import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.EXTERNAL_EMAIL_ENABLED = 'false'
})

import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, PASSWORD, someEmail } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'

const app = await startAuth()
const call = authClient(app)

test('with email sign-in off, every request for it is refused, for any address', async () => {
  const { email } = await makeUser({ passwordHash: await hashPassword(PASSWORD) })
  expect((await call('GET', '/settings')).json().external.email).toBe(false)
  for (const address of [email, someEmail()]) {
    const ways: [path: string, body: object, status: number][] = [
      ['/signup', { email: address, password: PASSWORD }, 400],
      ['/token?grant_type=password', { email: address, password: PASSWORD }, 422],
      ['/otp', { email: address }, 422],
      ['/magiclink', { email: address }, 422],
      ['/recover', { email: address }, 400],
      ['/resend', { type: 'signup', email: address }, 400],
    ]
    for (const [path, body, status] of ways) {
      const reply = await call('POST', path, body)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, status, 'email_provider_disabled'])
    }
  }
  expect(await db.selectFrom('jobs').select('id').execute()).toEqual([])
})
