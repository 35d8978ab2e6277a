import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { createApp } from '#app/server.ts'

vi.hoisted(() => {
  process.env.SMTP_URL = 'smtp://127.0.0.1:9'
})

beforeAll(openDatabase)
afterAll(closeDatabase)

test('with a mail server there is no inbox', async () => {
  const app = await createApp()
  for (const url of ['/dev/mail', '/dev/mail.json', '/dev/mail/0198a6a0-0000-7000-8000-000000000000']) {
    expect((await app.inject({ url, headers: { host: 'localhost:3000' } })).statusCode).toBe(404)
  }
  const login = await app.inject({ url: '/login?notice=check-email', headers: { host: 'localhost:3000' } })
  expect(login.body).toContain('Please check your email')
  expect(login.body).not.toContain('/dev/mail')
  await app.close()
})
