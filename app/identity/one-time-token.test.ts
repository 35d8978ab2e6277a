import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { db, transaction } from '#app/platform/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { findLink, issueToken, type TokenKind, tryCode, useLink, useToken, voidTokens } from './one-time-token.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const issue = (userId: string, kind: TokenKind = 'recovery') => transaction((trx) => issueToken(trx, userId, kind, 'ada@example.com'))
const open = (link: string, kind: TokenKind = 'recovery') => transaction((trx) => useLink(trx, link, [kind]))
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
const age = (userId: string, seconds: number) =>
  db
    .updateTable('oneTimeTokens')
    .set({ issuedAt: new Date(Date.now() - seconds * 1000) })
    .where('userId', '=', userId)
    .execute()

test('a letter carries a link of 256 bits and a code of six digits', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  expect(Buffer.from(link, 'base64url')).toHaveLength(32)
  expect(code).toMatch(/^\d{6}$/)
})

test('looking at a link uses nothing up, using it does', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  expect(await findLink(link, ['recovery'])).toMatchObject({ userId: id, sentTo: 'ada@example.com' })
  expect(await findLink(link, ['recovery'])).toMatchObject({ userId: id })
  expect(await open(link)).toMatchObject({ userId: id })
  expect(await open(link)).toBeUndefined()
  expect(await findLink(link, ['recovery'])).toBeUndefined()
})

test('of two letters of one kind only the latest opens anything, those of another kind stay', async () => {
  const { id } = await makeUser()
  const other = await issue(id, 'confirmation')
  const first = await issue(id)
  const second = await issue(id)
  expect(await open(first.link)).toBeUndefined()
  expect(await tryCode(id, second.code, ['recovery'])).toMatchObject({ userId: id })
  expect(await open(second.link)).toMatchObject({ userId: id })
  expect(await open(other.link, 'confirmation')).toMatchObject({ userId: id })
})

test('a link is worth nothing as a letter of another kind, and is not used up by trying', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  expect(await open(link, 'confirmation')).toBeUndefined()
  expect(await open(link)).toMatchObject({ userId: id })
})

test('five tries of a code are counted, right or wrong; a new letter begins anew', async () => {
  const { id } = await makeUser()
  const first = await issue(id)
  for (let count = 1; count <= 4; count += 1) expect(await tryCode(id, wrong(first.code), ['recovery'])).toBeUndefined()
  expect(await tryCode(id, first.code, ['recovery'])).toMatchObject({ tries: 5 })
  expect(await tryCode(id, first.code, ['recovery'])).toBeUndefined()
  const second = await issue(id)
  expect(await tryCode(id, second.code, ['recovery'])).toMatchObject({ tries: 1 })
})

test('guesses at the same moment cannot outrun the count', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  await Promise.all(Array.from({ length: 20 }, () => tryCode(id, wrong(code), ['recovery'])))
  expect(await tryCode(id, code, ['recovery'])).toBeUndefined()
  const { tries } = await db.selectFrom('oneTimeTokens').select('tries').where('userId', '=', id).executeTakeFirstOrThrow()
  expect(tries).toBe(5)
})

test('the code of one account opens no other', async () => {
  const [ada, eve] = [await makeUser(), await makeUser()]
  const { code } = await issue(ada.id)
  const own = await issue(eve.id)
  const isSame = own.code === code
  expect(Boolean(await tryCode(eve.id, code, ['recovery']))).toBe(isSame)
})

test('a code ends after a quarter of an hour, its link after an hour', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  await age(id, 899)
  expect(await tryCode(id, code, ['recovery'])).toBeDefined()
  await age(id, 901)
  expect(await tryCode(id, code, ['recovery'])).toBeUndefined()
  await age(id, 3599)
  expect(await findLink(link, ['recovery'])).toBeDefined()
  await age(id, 3601)
  expect(await findLink(link, ['recovery'])).toBeUndefined()
  expect(await open(link)).toBeUndefined()
})

test('a code that was right opens nothing when a newer letter went out meanwhile, and only once otherwise', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  const compared = await tryCode(id, code, ['recovery'])
  if (!compared) throw new Error('The code was right.')
  const fresh = await issue(id)
  expect(await transaction((trx) => useToken(trx, compared))).toBe(false)
  const again = await tryCode(id, fresh.code, ['recovery'])
  if (!again) throw new Error('The code was right.')
  const used = [await transaction((trx) => useToken(trx, again)), await transaction((trx) => useToken(trx, again))]
  expect(used).toEqual([true, false])
})

test('of many who use one link at the same moment one gets in', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(link)))
  expect(opened.filter(Boolean)).toHaveLength(1)
})

test('voiding ends every letter of an account, and none of another', async () => {
  const [ada, eve] = [await makeUser(), await makeUser()]
  const letters = [await issue(ada.id), await issue(ada.id, 'confirmation')]
  const others = await issue(eve.id)
  await transaction((trx) => voidTokens(trx, ada.id))
  for (const { link } of letters) expect(await findLink(link, ['recovery', 'confirmation'])).toBeUndefined()
  expect(await findLink(others.link, ['recovery'])).toBeDefined()
})

test('the database alone gives neither link nor code away', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  const row = await db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', id).executeTakeFirstOrThrow()
  const stored = Buffer.concat([row.linkHash, row.codeHmac])
  for (const secret of [Buffer.from(link), Buffer.from(link, 'base64url'), Buffer.from(code)]) expect(stored.indexOf(secret)).toBe(-1)
  expect(row.linkHash).toHaveLength(32)
  expect(row.codeHmac).toHaveLength(32)
})
