import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { claimOwnership, isOwnerAwaited, settleOwner } from './owner.server.ts'
import { roleOf } from './role.ts'

beforeAll(openDatabase)
beforeEach(async () => {
  await db.updateTable('installation').set({ ownerId: null }).execute()
  await db.deleteFrom('users').execute()
})
afterAll(closeDatabase)

const owners = async () => (await db.selectFrom('users').selectAll().execute()).filter(({ appMetadata }) => roleOf(appMetadata) === 'owner')

const open = { ownerEmail: undefined, isLocal: false }
const named = { ownerEmail: 'boss@example.com', isLocal: false }

test('of ten accounts confirmed at the same moment, exactly one owns the installation', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => makeUser()))
  const claims = await Promise.all(users.map((user) => transaction((trx) => claimOwnership(trx, user))))
  expect(claims.filter(Boolean)).toHaveLength(1)
  const [owner, ...others] = await owners()
  expect(others).toEqual([])
  expect(await db.selectFrom('installation').select('ownerId').execute()).toEqual([{ ownerId: owner?.id }])
})

test('a later account stays a customer', async () => {
  const [first, second] = [await makeUser(), await makeUser()]
  expect(await transaction((trx) => claimOwnership(trx, first))).toBe(true)
  expect(await transaction((trx) => claimOwnership(trx, second))).toBe(false)
  expect((await owners()).map(({ id }) => id)).toEqual([first.id])
})

test('with OWNER_EMAIL, no other account becomes the owner, even if it is first', async () => {
  const stranger = await makeUser()
  const boss = await makeUser({ email: 'Boss@Example.com' })
  expect(await transaction((trx) => claimOwnership(trx, stranger, named))).toBe(false)
  expect(await transaction((trx) => claimOwnership(trx, boss, named))).toBe(true)
})

test('a user named by OWNER_EMAIL after they confirmed their account owns the installation from the next start', async () => {
  const boss = await makeUser({ email: 'boss@example.com' })
  await makeUser()
  await settleOwner(named)
  expect((await owners()).map(({ id }) => id)).toEqual([boss.id])
})

test('a public installation without an owner and OWNER_EMAIL does not start, and says why', async () => {
  await expect(settleOwner(open)).rejects.toThrow(/^OWNER_EMAIL must be .* such as owner@example\.com\.$/)
  await settleOwner(named)
  const owner = await makeUser()
  await transaction((trx) => claimOwnership(trx, owner))
  await settleOwner(open)
})

test('a public installation without an owner does not start with auto-confirm, and says why', async () => {
  await expect(settleOwner(named, { autoConfirms: true })).rejects.toThrow(
    /^MAILER_AUTOCONFIRM must be false while .* such as MAILER_AUTOCONFIRM=false\.$/,
  )
  await settleOwner({ ...named, isLocal: true }, { autoConfirms: true })
  const owner = await makeUser({ email: named.ownerEmail })
  await transaction((trx) => claimOwnership(trx, owner, named))
  await settleOwner(open, { autoConfirms: true })
})

test('an auto-confirmed address does not become the owner', async () => {
  const boss = await makeUser({ email: named.ownerEmail, emailAssumed: true })
  expect(await transaction((trx) => claimOwnership(trx, boss, named))).toBe(false)
  await settleOwner(named)
  expect(await owners()).toEqual([])
})

test('on a public installation the first account does not become the owner, even after the owner is deleted', async () => {
  const user = await makeUser()
  expect(await transaction((trx) => claimOwnership(trx, user, open))).toBe(false)
  expect(await owners()).toEqual([])
})

test('an owner is awaited only on a local installation without an owner', async () => {
  const local = { ownerEmail: undefined, isLocal: true }
  expect(await Promise.all([local, open, named, { ...named, isLocal: true }].map(isOwnerAwaited))).toEqual([true, false, false, false])
  const owner = await makeUser()
  await transaction((trx) => claimOwnership(trx, owner, local))
  expect(await isOwnerAwaited(local)).toBe(false)
})
