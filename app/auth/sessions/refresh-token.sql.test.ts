import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import {
  findRefreshToken,
  followRefreshToken,
  isRefreshToken,
  issueRefreshToken,
  purgeRefreshTokens,
  rotateRefreshToken,
} from './refresh-token.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

async function newSession() {
  const user = await makeUser()
  const session = await insert(db, 'sessions', { userId: user.id })
  return { sessionId: session.id, token: await transaction((trx) => issueRefreshToken(trx, session.id)) }
}

async function stored(token: string) {
  const row = await findRefreshToken(db, token)
  if (!row) throw new Error('There is no such token.')
  return row
}

const rotate = async (token: string) => {
  const row = await stored(token)
  return transaction((trx) => rotateRefreshToken(trx, token, row))
}
const follow = async (token: string) => {
  const row = await stored(token)
  return transaction((trx) => followRefreshToken(trx, token, row))
}
/** Moves the use of a session's tokens into the past. */
const usedAgo = (sessionId: string, seconds: number) =>
  db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - seconds * 1000) })
    .where('sessionId', '=', sessionId)
    .where('usedAt', 'is not', null)
    .execute()

/** A session that has been renewed three times; the last token is the active one. */
async function chain() {
  const { sessionId, token } = await newSession()
  const second = await rotate(token)
  const third = await rotate(second)
  return { sessionId, first: token, second, third, active: await rotate(third) }
}

test('a token is 43 URL-safe characters, and other text is not looked up', async () => {
  const { token } = await newSession()
  expect(isRefreshToken(token)).toBe(true)
  for (const other of ['', token.slice(1), `${token}A`, `${token.slice(1)}=`, `${token.slice(1)}\n`, ` ${token.slice(1)}`]) {
    expect(isRefreshToken(other)).toBe(false)
  }
})

test('renewing marks the old token as used and names it as the parent of the new one', async () => {
  const { sessionId, token } = await newSession()
  const next = await rotate(token)
  const [parent, child] = [await stored(token), await stored(next)]
  expect(parent.usedAt).not.toBeNull()
  expect(child).toMatchObject({ sessionId, usedAt: null, successorSealed: null })
  expect(child.parentHash && Buffer.compare(child.parentHash, parent.tokenHash)).toBe(0)
})

test('the parent of the active token leads to it for ten seconds after its use, and not a moment longer', async () => {
  const { sessionId, third, active } = await chain()
  await usedAgo(sessionId, 9)
  expect(await follow(third)).toBe(active)
  expect(await follow(third)).toBe(active)
  await usedAgo(sessionId, 11)
  expect(await follow(third)).toBeUndefined()
})

test('an older token leads to it within ten seconds, and to nothing after that', async () => {
  const { sessionId, first, second, active } = await chain()
  await usedAgo(sessionId, 9)
  expect([await follow(first), await follow(second)]).toEqual([active, active])
  await usedAgo(sessionId, 11)
  expect([await follow(first), await follow(second)]).toEqual([undefined, undefined])
})

test('the interval counts from the use of the token that is presented, not from the last renewal', async () => {
  const { sessionId, first, second, active } = await chain()
  await db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - 60_000) })
    .where('tokenHash', '=', Buffer.from((await stored(first)).tokenHash))
    .execute()
  expect(await follow(first)).toBeUndefined()
  expect(await follow(second)).toBe(active)
  expect(await db.selectFrom('refreshTokens').select('tokenHash').where('sessionId', '=', sessionId).execute()).toHaveLength(4)
})

test('only the previous token decrypts a successor', async () => {
  const [mine, other] = [await chain(), await chain()]
  const sealed = (await stored(mine.third)).successorSealed
  await db
    .updateTable('refreshTokens')
    .set({ successorSealed: sealed })
    .where('tokenHash', '=', Buffer.from((await stored(other.third)).tokenHash))
    .execute()
  await expect(follow(other.third)).rejects.toThrow('unable to authenticate data')
})

test('the purge keeps the active token and its parent at any age, and deletes earlier ones', async () => {
  const { sessionId, first, second, third, active } = await chain()
  await usedAgo(sessionId, 30 * 24 * 3600)
  await purgeRefreshTokens(new Date(Date.now() - 24 * 3600 * 1000))
  expect(await Promise.all([first, second, third, active].map(async (token) => Boolean(await findRefreshToken(db, token))))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(await follow(third)).toBeUndefined()
})

test('the purge keeps tokens that were used today or never', async () => {
  const recent = await chain()
  const idle = await newSession()
  await purgeRefreshTokens(new Date(Date.now() - 24 * 3600 * 1000))
  expect(await findRefreshToken(db, recent.first)).toBeDefined()
  await purgeRefreshTokens(new Date(Date.now() + 24 * 3600 * 1000))
  expect(await findRefreshToken(db, recent.first)).toBeUndefined()
  expect(await findRefreshToken(db, idle.token)).toBeDefined()
})

test('the end of a session deletes all of its tokens', async () => {
  const { sessionId, first, active } = await chain()
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
  expect([await findRefreshToken(db, first), await findRefreshToken(db, active)]).toEqual([undefined, undefined])
})
