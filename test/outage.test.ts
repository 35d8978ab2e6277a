import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connectDatabase, type Connection } from '#app/platform/database/connect.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { useDatabase } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { createApp } from '#app/server.ts'
import { ada, sendEnquiry, sendForm } from './enquiries.ts'

let app: Http
let nowhere: Connection
const [bug, warning] = [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')]

beforeAll(async () => {
  // A start needs the database; a running process can do without it for a while.
  await openDatabase()
  app = await createApp()
  await app.ready()
  await closeDatabase()
  nowhere = await connectDatabase({ url: 'postgres://winnow@127.0.0.1:1/winnow' })
  useDatabase(nowhere)
})
beforeEach(() => void warning.mockClear())
afterAll(async () => {
  await app.close()
  await nowhere.close()
})

test('while the database is away the API asks for patience', async () => {
  const reply = await sendEnquiry(app, ada)
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
  expect(reply.json().detail).toBe('We cannot reach our data just now. Please try again in a moment.')
})

test('so do forms without script, on a page', async () => {
  const reply = await sendForm(app, '/contact', ada)
  expect([reply.statusCode, reply.headers['retry-after'], reply.headers['content-type']]).toEqual([503, '5', 'text/html; charset=utf-8'])
  expect(reply.body).toContain('We cannot reach our data just now.')
})

test('so does the auth service, in a way that ends no session', async () => {
  const headers = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' }
  const payload = JSON.stringify({ refresh_token: 'A'.repeat(43) })
  const reply = await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', headers, payload })
  expect([reply.statusCode, reply.json().code]).toEqual([503, 'unexpected_failure'])
})

test('pages that need no data are there', async () => {
  expect((await app.inject('/contact')).statusCode).toBe(200)
})

test('an outage is no bug: one line each, without a stack', async () => {
  await sendEnquiry(app, ada)
  expect(warning.mock.calls).toEqual([[{ request: expect.any(String), code: 'ECONNREFUSED' }, 'the database cannot serve']])
  expect(bug).not.toHaveBeenCalled()
})
