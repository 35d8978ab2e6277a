import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const reader = `reader_${randomUUID().replaceAll('-', '')}`

vi.hoisted(() => {
  process.env.DATABASE_REPLICA_URL = process.env.DATABASE_URL
})

import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { connectDatabase, type Connection } from '#app/platform/database/connect.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { useReplica } from '#app/platform/database/replica.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { createApp } from '#app/server.ts'
import { eventually } from '#test/eventually.ts'
import { makeConsultation, makeContact, signIn, type SignedIn } from '#test/factories.ts'

let app: Http
let staff: SignedIn
let replica: Connection

/** The same server under a read-only user that does not see Grace, as if her row had not been replicated yet. */
beforeAll(async () => {
  await openDatabase()
  await openSignals()
  await onServer(`
    CREATE ROLE ${reader} LOGIN;
    GRANT pg_read_all_data TO ${reader};
    CREATE SCHEMA behind;
    CREATE VIEW behind.contacts AS SELECT * FROM public.contacts WHERE name <> 'Grace Hopper';
    CREATE VIEW behind.leads AS SELECT * FROM public.leads WHERE contact_id IN (SELECT id FROM behind.contacts);
    CREATE VIEW behind.consultations AS SELECT * FROM public.consultations WHERE name <> 'Grace Hopper';
    ALTER ROLE ${reader} SET search_path = behind, public;
    ALTER ROLE ${reader} SET default_transaction_read_only = on`)
  replica = await connectDatabase({ url: Object.assign(new URL(env.DATABASE_REPLICA_URL ?? ''), { username: reader }).href })
  app = await createApp()
  staff = await signIn('staff')
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    await makeContact({ name })
    await makeConsultation({ name })
  }
})
afterAll(async () => {
  await app.close()
  await replica.close()
  await closeSignals()
  await closeDatabase()
  await onServer(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`)
})

async function onServer(statements: string) {
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query(statements)
  await client.end()
}

const get = async (url: string) => app.inject({ url, headers: staff.headers })

/** Grace's values in each of the reads that may lag. */
async function whereGraceIs() {
  const lists = ['/api/contacts', '/api/contacts?q=hopper', '/api/consultations', '/api/contacts.csv', '/api/consultations.csv']
  const shown = await Promise.all(lists.map(async (url) => (await get(url)).body.includes('Grace Hopper')))
  const { contacts, consultations, latestContacts } = (await get('/api/leads/summary')).json()
  return { shown, contacts, consultations, latest: latestContacts.length }
}

const everywhere = { shown: [true, true, true, true, true], contacts: 2, consultations: 2, latest: 2 }
const nowhere = { shown: [false, false, false, false, false], contacts: 1, consultations: 1, latest: 1 }

test('the process opens the replica that the settings name', async () => {
  expect(await whereGraceIs()).toEqual(everywhere)
})

test('lists, figures and exports are read from the replica; one lead, and who may see it, from the database', async () => {
  useReplica(replica)
  expect(await whereGraceIs()).toEqual(nowhere)
  const grace = await makeContact({ name: 'Grace Hopper' })
  expect((await get(`/api/contacts/${grace.id}`)).json()).toMatchObject({ name: 'Grace Hopper' })
})

test('after a change everything is fresh for a while', async () => {
  useReplica(replica)
  const { id } = await makeContact({ name: 'Grace Hopper' })
  expect((await get('/api/contacts')).json()).toHaveLength(1)
  await app.inject({ method: 'POST', url: `/api/contacts/${id}/answer`, headers: staff.headers })
  expect((await get('/api/contacts')).json().length).toBeGreaterThan(1)
})

test('without the replica the database serves, with the same results', async () => {
  useReplica(replica)
  // The signal of the last change may still be on its way: for a while after it nothing is read from the replica.
  await eventually(async () => expect((await get('/api/contacts')).json()).toHaveLength(1), { interval: 250 })
  await onServer(`
    ALTER ROLE ${reader} NOLOGIN;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${reader}'`)
  const answers = await Promise.all(['/api/contacts', '/api/leads/summary', '/api/contacts.csv'].map(get))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(answers[0]?.body).toContain('Grace Hopper')
})
