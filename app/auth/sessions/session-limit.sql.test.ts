import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, forgetLimits, signUpAndConfirm } from '#test/auth.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

const HOUR = 1
const DAY = 24

/** Whether a session can be renewed that began, and was last used, this many hours ago. */
async function goesOn(role: string, { began = 0, used = 0 }: { began?: number; used?: number }) {
  const { session } = await signUpAndConfirm(app)
  await db
    .updateTable('users')
    .set({ appMetadata: JSON.stringify({ role }) })
    .where('id', '=', session.user.id)
    .execute()
  await sql`UPDATE sessions SET created_at = now() - ${began} * interval '1 hour', refreshed_at = now() - ${used} * interval '1 hour'`.execute(
    db,
  )
  const reply = await call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
  return reply.statusCode === 200 || String(reply.json().code)
}

test.each(['staff', 'owner'])('a session of %s ends after 12 hours without use, and after 30 days in any case', async (role) => {
  expect(await goesOn(role, { began: 29 * DAY, used: 11 * HOUR })).toBe(true)
  expect(await goesOn(role, { began: 2 * DAY, used: 12.1 * HOUR })).toBe('session_expired')
  expect(await goesOn(role, { began: 30.1 * DAY, used: 1 * HOUR })).toBe('session_expired')
})

test('a session of a customer ends after 30 days without use, and after 180 days in any case', async () => {
  expect(await goesOn('customer', { began: 179 * DAY, used: 29 * DAY })).toBe(true)
  expect(await goesOn('customer', { began: 31 * DAY, used: 30.1 * DAY })).toBe('session_expired')
  expect(await goesOn('customer', { began: 180.1 * DAY, used: 1 * HOUR })).toBe('session_expired')
})
