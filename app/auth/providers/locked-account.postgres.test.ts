import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { onSecondConnection, untilBlocked } from '#test/second-connection.ts'
import { enterAs } from './account.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

/** A provider's user with another verified address. */
function someone(otherEmail: string) {
  const subject = crypto.randomUUID()
  const email = `${subject}@example.com`
  return {
    provider: 'github',
    subject,
    email,
    emailVerified: true,
    needsEmail: true,
    data: { email_verified: true },
    otherEmails: [otherEmail],
  }
}

/** Signs in while another process changes the account. Returns the account of the session. */
function enterDuring(external: ReturnType<typeof someone>, change: string, values: unknown[]) {
  return onSecondConnection(async (other) => {
    await other.query('BEGIN')
    await other.query(change, values)
    const entering = enterAs(external, async (_trx, entered) => (typeof entered === 'string' ? entered : entered.id))
    await untilBlocked(other)
    await other.query('COMMIT')
    return entering
  })
}

test('a ban that begins during the lookup by another address counts: the identity does not join the account', async () => {
  const { id, email } = await makeUser()
  const external = someone(email ?? '')
  const entered = await enterDuring(external, "UPDATE users SET banned_until = now() + interval '1 hour' WHERE id = $1", [id])
  expect(entered).not.toBe(id)
  expect(await db.selectFrom('identities').select('provider').where('userId', '=', id).execute()).toEqual([])
})

test('an address that changes during the lookup does not join its former account', async () => {
  const { id, email } = await makeUser()
  const external = { ...someone(''), email: email ?? '', otherEmails: [] }
  const entered = await enterDuring(external, 'UPDATE users SET email = $2 WHERE id = $1', [id, `moved-${email}`])
  expect(entered).not.toBe(id)
  expect(await db.selectFrom('identities').select('provider').where('userId', '=', id).execute()).toEqual([])
})

test('a sign-in method that is removed concurrently does not sign in to its former account', async () => {
  const { id, email } = await makeUser()
  const external = { ...someone(''), otherEmails: [] }
  const identity = { userId: id, provider: 'github', providerId: external.subject, email, identityData: '{}' }
  await insert(db, 'identities', identity)
  const change = 'WITH held AS (UPDATE users SET updated_at = now() WHERE id = $1) DELETE FROM identities WHERE user_id = $1'
  expect(await enterDuring(external, change, [id])).not.toBe(id)
})
