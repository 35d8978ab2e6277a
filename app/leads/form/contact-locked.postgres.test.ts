import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, transaction } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { env } from '#app/platform/env.server.ts'
import { toEnquiry } from '#app/leads/lead/contact.ts'
import { ada } from '#test/enquiries.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { storeEnquiry } from './store-enquiry.server.ts'

const holder = new Client({ connectionString: env.DATABASE_URL })
beforeAll(async () => {
  await openDatabase()
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await closeDatabase()
})

const spam = { countryCode: null, idempotencyKey: null, spamScore: 0, spamReasons: [], quarantinedAt: null }

/** Ends with the address once the enquiry is stored. */
async function store(email: string): Promise<string> {
  const row = { ...toEnquiry({ ...ada, email, form: 'contact' }), ...spam, id: newId(), personId: newId(), reference: newReference() }
  await transaction((trx) => storeEnquiry(trx, { row, acknowledge: true }))
  return email
}

test('an enquiry whose person is locked holds up no other one, and is stored once the lock is free', async () => {
  await store(ada.email)
  await holder.query('BEGIN')
  await holder.query('SELECT FROM people WHERE email = $1 FOR UPDATE', [ada.email])
  let isStored = false
  const locked = store(ada.email).then(() => (isStored = true))
  const others = [1, 2, 3, 4, 5].map((index) => `other-${index}@analytical.example`)
  expect(await Promise.all(others.map((email) => store(email)))).toEqual(others)

  expect(isStored).toBe(false)
  await holder.query('ROLLBACK')
  expect(await locked).toBe(true)
})
