import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { findLink, issueToken, type TokenKind, tryCode, useLink, spendToken, voidTokens } from './one-time-token.server.ts'
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

test('an email has a link of 256 bits and a code of six digits', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  expect(Buffer.from(link, 'base64url')).toHaveLength(32)
  expect(code).toMatch(/^\d{6}$/)
})

test('finding a link does not use it up, using it does', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  expect(await findLink(link, ['recovery'])).toMatchObject({ userId: id, sentTo: addressOf(id) })
  expect(await findLink(link, ['recovery'])).toMatchObject({ userId: id })
  expect(await open(link)).toMatchObject({ userId: id })
  expect(await open(link)).toBeUndefined()
  expect(await findLink(link, ['recovery'])).toBeUndefined()
})

test('of two emails of one kind only the latest works, those of another kind stay valid', async () => {
  const { id } = await makeUser()
  const other = await issue(id, 'confirmation')
  const first = await issue(id)
  const second = await issue(id)
  expect(await open(first.link)).toBeUndefined()
  expect(await tryFor(id, second.code)).toMatchObject({ userId: id })
  expect(await open(second.link)).toMatchObject({ userId: id })
  expect(await open(other.link, 'confirmation')).toMatchObject({ userId: id })
})

test('tokens of different sign-ups all work, and a renewed one replaces only its own', async () => {
  const { id } = await makeUser()
  const signUp = (name: string, own?: string) =>
    transaction((trx) => issueToken(trx, id, 'confirmation', addressOf(id), { brought: { data: { name } }, signUp: own }))
  const [mine, theirs, old] = [await signUp('Ada'), await signUp('Eve'), await signUp('Bo', 'browser of Bo')]
  const renewed = await signUp('Bo', 'browser of Bo')
  expect(await tryCode(addressOf(id), mine.code, ['confirmation'])).toMatchObject({ userId: id })
  for (const { link } of [mine, theirs, renewed]) expect(await findLink(link, ['confirmation'])).toBeDefined()
  expect(await findLink(old.link, ['confirmation'])).toBeUndefined()
})

test('a link does not work as another kind, and the attempt does not use it up', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  expect(await open(link, 'confirmation')).toBeUndefined()
  expect(await open(link)).toMatchObject({ userId: id })
})

test('a code allows five tries, right or wrong; a new email starts a new count', async () => {
  const { id } = await makeUser()
  const first = await issue(id)
  for (let count = 1; count <= 4; count += 1) expect(await tryFor(id, wrong(first.code))).toBeUndefined()
  expect(await tryFor(id, first.code)).toMatchObject({ tries: 5 })
  expect(await tryFor(id, first.code)).toBeUndefined()
  const second = await issue(id)
  expect(await tryFor(id, second.code)).toMatchObject({ tries: 1 })
})

test('parallel guesses cannot outrun the count', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  await Promise.all(Array.from({ length: 20 }, () => tryFor(id, wrong(code))))
  expect(await tryFor(id, code)).toBeUndefined()
  const { tries } = await db.selectFrom('oneTimeTokens').select('tries').where('userId', '=', id).executeTakeFirstOrThrow()
  expect(tries).toBe(5)
})

test('the code of one account does not work for another', async () => {
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

test('a right code works once, and not after a newer email', async () => {
  const { id } = await makeUser()
  const { code } = await issue(id)
  const compared = await tryFor(id, code)
  if (!compared) throw new Error('The code was right.')
  const fresh = await issue(id)
  expect(await transaction((trx) => spendToken(trx, compared))).toBe(false)
  const again = await tryFor(id, fresh.code)
  if (!again) throw new Error('The code was right.')
  const used = [await transaction((trx) => spendToken(trx, again)), await transaction((trx) => spendToken(trx, again))]
  expect(used).toEqual([true, false])
})

test('of many parallel requests with one link, one succeeds', async () => {
  const { id } = await makeUser()
  const { link } = await issue(id)
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(link)))
  expect(opened.filter(Boolean)).toHaveLength(1)
})

test('voiding ends all tokens of an account, and none of another', async () => {
  const [ada, eve] = [await makeUser(), await makeUser()]
  const emails = [await issue(ada.id), await issue(ada.id, 'confirmation')]
  const others = await issue(eve.id)
  await transaction((trx) => voidTokens(trx, ada.id))
  for (const { link } of emails) expect(await findLink(link, ['recovery', 'confirmation'])).toBeUndefined()
  expect(await findLink(others.link, ['recovery'])).toBeDefined()
})

test('the database alone reveals neither link nor code', async () => {
  const { id } = await makeUser()
  const { link, code } = await issue(id)
  const row = await db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', id).executeTakeFirstOrThrow()
  const stored = Buffer.concat([row.linkHash, row.codeHmac])
  for (const secret of [Buffer.from(link), Buffer.from(link, 'base64url'), Buffer.from(code)]) expect(stored.indexOf(secret)).toBe(-1)
  expect(row.linkHash).toHaveLength(32)
  expect(row.codeHmac).toHaveLength(32)
})

test('a phone code expires after a minute, and does not work for the email of the same account', async () => {
  const { id } = await makeUser()
  const { code } = await transaction((trx) => issueToken(trx, id, 'confirmation', '4915112345678'))
  await age(id, 59)
  expect(await tryCode('4915112345678', code, ['confirmation'])).toMatchObject({ userId: id })
  expect(await tryCode(addressOf(id), code, ['confirmation'])).toBeUndefined()
  await age(id, 61)
  expect(await tryCode('4915112345678', code, ['confirmation'])).toBeUndefined()
})

test('a flow link has a prefix, and does not work without it', async () => {
  const { id } = await makeUser()
  const flow = await insert(db, 'flowStates', { userId: id, method: 'recovery' })
  const { link } = await transaction((trx) => issueToken(trx, id, 'recovery', addressOf(id), { flowId: flow.id }))
  expect([isFlowLink(link), isFlowLink((await issue(id)).link)]).toEqual([true, false])
})
