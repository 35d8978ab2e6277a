import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { issueToken } from '#app/auth/tokens/one-time-token.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { findRefreshToken, issueRefreshToken, rotateRefreshToken } from './refresh-token.server.ts'
import './housekeeping.server.ts'
import { jobOf } from '#test/job.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const HOUR_MS = 3600 * 1000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
const housekeeping = () => {
  const kind = jobOf('identity-housekeeping')
  if (!kind) throw new Error('There is no such work.')
  return kind
}
const cleanUp = () => housekeeping().run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
const isThere = async (table: 'sessions' | 'oneTimeTokens', column: 'id' | 'userId', value: string) =>
  (await db.selectFrom(table).select('id').where(column, '=', value).executeTakeFirst()) !== undefined

test('the job runs every day', () => {
  expect(housekeeping().every).toBe('day')
})

test('a session that was not used for 180 days ends, one of 179 days continues', async () => {
  const { id: userId } = await makeUser()
  const [gone, kept] = [
    await insert(db, 'sessions', { userId, refreshedAt: ago(181 * 24) }),
    await insert(db, 'sessions', { userId, refreshedAt: ago(179 * 24) }),
  ]
  await cleanUp()
  expect([await isThere('sessions', 'id', gone.id), await isThere('sessions', 'id', kept.id)]).toEqual([false, true])
})

test('email tokens of the day before are deleted, those of today still work', async () => {
  const [old, fresh] = [await makeUser(), await makeUser()]
  for (const { id } of [old, fresh]) await transaction((trx) => issueToken(trx, id, 'recovery', 'ada@example.com'))
  await db
    .updateTable('oneTimeTokens')
    .set({ issuedAt: ago(25) })
    .where('userId', '=', old.id)
    .execute()
  await cleanUp()
  expect([await isThere('oneTimeTokens', 'userId', old.id), await isThere('oneTimeTokens', 'userId', fresh.id)]).toEqual([false, true])
})

test('unfinished flows of the day before are deleted', async () => {
  const flow = (hours: number) => insert(db, 'flowStates', { method: 'oauth', createdAt: ago(hours) })
  await flow(25)
  const fresh = await flow(23)
  await cleanUp()
  const left = await db.selectFrom('flowStates').select('id').execute()
  expect(left.map(({ id }) => id)).toEqual([fresh.id])
})

test('the parent of the active refresh token stays, so a copy of it is recognized after weeks', async () => {
  const { id: userId } = await makeUser()
  const { id: sessionId } = await insert(db, 'sessions', { userId })
  const tokens = [await transaction((trx) => issueRefreshToken(trx, sessionId))]
  for (const token of [0, 1]) {
    const held = tokens[token] ?? ''
    const row = await findRefreshToken(db, held)
    if (!row) throw new Error('There is no such token.')
    tokens.push(await transaction((trx) => rotateRefreshToken(trx, held, row)))
  }
  await db
    .updateTable('refreshTokens')
    .set({ usedAt: ago(500) })
    .where('sessionId', '=', sessionId)
    .where('usedAt', 'is not', null)
    .execute()
  await cleanUp()
  const left = await Promise.all(tokens.map(async (token) => Boolean(await findRefreshToken(db, token))))
  expect(left).toEqual([false, true, true])
})

test('an anonymous account with an address or another sign-in method is permanent, even with the flag', async () => {
  const old = { isAnonymous: true, email: null, createdAt: ago(31 * 24) }
  const [byEmail, byPhone, byProvider] = [
    await makeUser({ ...old, email: `user-${newId()}@example.com` }),
    await makeUser({ ...old, phone: '4915199999999', emailConfirmedAt: null, phoneConfirmedAt: new Date() }),
    await makeUser({ ...old, emailConfirmedAt: null }),
  ]
  await insert(db, 'identities', { userId: byProvider.id, provider: 'github', providerId: byProvider.id, identityData: '{}' })
  await cleanUp()
  const ids = [byEmail.id, byPhone.id, byProvider.id]
  const left = await db.selectFrom('users').select('id').where('id', 'in', ids).execute()
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set(ids))
})

test('an anonymous account ends after 30 days without use; others stay', async () => {
  const old = { isAnonymous: true, email: null, createdAt: ago(31 * 24) }
  const [gone, used, fresh, named] = [
    await makeUser(old),
    await makeUser(old),
    await makeUser({ ...old, createdAt: ago(29 * 24) }),
    await makeUser({ createdAt: ago(31 * 24) }),
  ]
  await insert(db, 'sessions', { userId: gone.id, refreshedAt: ago(31 * 24) })
  await insert(db, 'sessions', { userId: used.id, refreshedAt: ago(24) })
  await cleanUp()
  const left = await db.selectFrom('users').select('id').where('id', 'in', [gone.id, used.id, fresh.id, named.id]).execute()
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([used.id, fresh.id, named.id]))
})
