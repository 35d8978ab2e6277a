import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { db, insert, transaction } from '#app/platform/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { findLink, issueToken, type TokenKind, tryCode, useLink, useToken, voidTokens } from './one-time-token.server.ts'
import { isFlowLink } from './flow-link.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const addressOf = (userId: string) => `${userId}@example.com`
const issue = (userId: string, kind: TokenKind = 'recovery') => transaction((trx) => issueToken(trx, userId, kind, addressOf(userId)))
const tryFor = (userId: string, code: string) => tryCode(addressOf(userId), code, ['recovery'])
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
  expect(await findLink(link, ['recovery'])).toMatchObject({ userId: id, sentTo: addressOf(id) })
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
  expect(await tryFor(id, second.code)).toMatchObject({ userId: id })
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
  for (let count = 1; count <= 4; count += 1) expect(await tryFor(id, wrong(first.code))).toBeUndefined()
  expect(await tryFor(id, first.code)).toMatchObject({ tries: 5 })
  expect(await tryFor(id, first.code)).toBeUndefined()
  const second = await issue(id)
  expect(await tryFor(id, second.code)).toMatchObject({ tries: 1 })
})

test('guesses at the same moment cannot outrun the count', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  await Promise.all(Array.from({ length: 20 }, () => tryFor(id, wrong(code))))
  expect(await tryFor(id, code)).toBeUndefined()
  const { tries } = await db.selectFrom('oneTimeTokens').select('tries').where('userId', '=', id).executeTakeFirstOrThrow()
  expect(tries).toBe(5)
})

test('the code of one account opens no other', async () => {
  const [ada, eve] = [await makeUser(), await makeUser()]
  const { code } = await issue(ada.id)
  const own = await issue(eve.id)
  const isSame = own.code === code
  expect(Boolean(await tryFor(eve.id, code))).toBe(isSame)
})

test('a code ends after ten minutes, its link after an hour', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  await age(id, 599)
  expect(await tryFor(id, code)).toBeDefined()
  await age(id, 601)
  expect(await tryFor(id, code)).toBeUndefined()
  await age(id, 3599)
  expect(await findLink(link, ['recovery'])).toBeDefined()
  await age(id, 3601)
  expect(await findLink(link, ['recovery'])).toBeUndefined()
  expect(await open(link)).toBeUndefined()
})

test('a code that was right opens nothing when a newer letter went out meanwhile, and only once otherwise', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  const compared = await tryFor(id, code)
  if (!compared) throw new Error('The code was right.')
  const fresh = await issue(id)
  expect(await transaction((trx) => useToken(trx, compared))).toBe(false)
  const again = await tryFor(id, fresh.code)
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

test('the code to a phone lives a minute, and a letter to the same account is another matter', async () => {
  const { id } = await makeUser()
  const { code } = await transaction((trx) => issueToken(trx, id, 'confirmation', '4915112345678'))
  await age(id, 59)
  expect(await tryCode('4915112345678', code, ['confirmation'])).toMatchObject({ userId: id })
  expect(await tryCode(addressOf(id), code, ['confirmation'])).toBeUndefined()
  await age(id, 61)
  expect(await tryCode('4915112345678', code, ['confirmation'])).toBeUndefined()
})

test('the link of a flow is known by its beginning, and opens nothing without it', async () => {
  const { id } = await makeUser()
  const flow = await insert(db, 'flowStates', { userId: id, method: 'recovery' })
  const { link } = await transaction((trx) => issueToken(trx, id, 'recovery', addressOf(id), { flowId: flow.id }))
  expect([isFlowLink(link), isFlowLink((await issue(id)).link)]).toEqual([true, false])
})
