import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { createApp } from '#app/server.ts'
import { PASSWORD, someEmail } from '#test/auth.ts'
import { ada, sendEnquiry, sendForm } from '#test/enquiries.ts'
import { signIn } from '#test/factories.ts'
import { untilBlocked } from '#test/second-connection.ts'
import { env } from '#app/platform/env.server.ts'
import type { Http } from './http.server.ts'
import { log } from '#app/platform/process/log.server.ts'

let app: Http
const bug = vi.spyOn(log, 'error')
const holder = new Client({ connectionString: env.DATABASE_URL })

beforeAll(async () => {
  await openDatabase()
  app = await createApp()
  await app.ready()
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await app.close()
  await closeDatabase()
})

test('a lock that is not granted in time asks for patience, in the API, on pages and in the auth service', async () => {
  await holder.query('BEGIN; LOCK TABLE people, users IN ACCESS EXCLUSIVE MODE')
  const [api, page, auth] = await Promise.all([
    sendEnquiry(app, ada),
    sendForm(app, '/contact', ada),
    app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload: { email: someEmail(), password: PASSWORD } }),
  ])
  await holder.query('ROLLBACK')
  for (const reply of [api, page, auth]) expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  expect(api.json().detail).toContain('Please try again in a moment.')
  expect(page.headers['content-type']).toContain('text/html')
  expect(bug).not.toHaveBeenCalled()
  expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
})

test('so does a statement that takes too long and is stopped', async () => {
  const staff = await signIn('staff')
  await holder.query('BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE')
  const asked = app.inject({ url: '/api/contacts', headers: staff.headers })
  await untilBlocked(holder)
  await holder.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
  const reply = await asked
  await holder.query('ROLLBACK')
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  expect(bug).not.toHaveBeenCalled()
})
