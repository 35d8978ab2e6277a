import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { findHosted, isOut, meetHosted } from '#app/auth/hosted/hosted-account.server.ts'
import { claimHosted } from '#app/auth/hosted/admission.server.ts'
import { endHosted } from '#app/auth/hosted/hosted-session.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { hostedDirectory } from './hosted-directory.server.ts'

beforeAll(openDatabase)
beforeEach(async () => void (await db.deleteFrom('hostedAccounts').execute()))
afterAll(closeDatabase)

const client = { address: '127.0.0.1', userAgent: 'Firefox/1 Linux' }
const open = { ownerEmail: undefined, isLocal: true }

/** Token claims of a new user. */
function claimsOf(sub: string, email = `${sub}@example.com`, sessionId = newId()) {
  return { sub, session_id: sessionId, exp: 0, email, aal: 'aal1' as const, user_metadata: { first_name: 'Ada', last_name: 'Lovelace' } }
}

async function someone() {
  const claims = claimsOf(newId())
  await meetHosted(claims, client)
  const proven = { emailConfirmedAt: new Date() }
  const account = await db.updateTable('hostedAccounts').set(proven).where('id', '=', claims.sub).returningAll().executeTakeFirstOrThrow()
  return { account, claims, whose: { accountId: claims.sub, sessionId: claims.session_id } }
}

test('a new user is stored once, also for ten concurrent requests', async () => {
  const claims = claimsOf(newId())
  const seen = await Promise.all(Array.from({ length: 10 }, () => meetHosted(claims, client)))
  expect(seen.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await hostedDirectory.listSessions(claims.sub)).toMatchObject([{ id: claims.session_id, userAgent: client.userAgent }])
})

test('of ten first accounts that are confirmed at the same moment exactly one owns the installation', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, someone))
  await Promise.all(people.map(({ account }) => transaction((trx) => claimHosted(trx, account, open))))
  expect(await db.selectFrom('hostedAccounts').select('id').where('role', '=', 'owner').execute()).toHaveLength(1)
})

test('an unconfirmed address does not claim the ownership', async () => {
  const { account } = await someone()
  await transaction((trx) => claimHosted(trx, { ...account, emailConfirmedAt: null }, open))
  expect((await hostedDirectory.findUser(account.id))?.role).toBe('customer')
})

test('people are listed page by page and found by address or name', async () => {
  const ids = []
  for (let index = 0; index < 3; index += 1) ids.push((await someone()).account.id)
  const first = await hostedDirectory.listUsers({ limit: 2 })
  const second = await hostedDirectory.listUsers({ limit: 2, cursor: first.nextCursor ?? '' })
  expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(ids.toReversed())
  expect((await hostedDirectory.listUsers({ search: ids[1]?.slice(4) })).users).toMatchObject([{ id: ids[1], name: 'Ada Lovelace' }])
  expect((await hostedDirectory.listUsers({ search: '%' })).users).toEqual([])
  expect((await hostedDirectory.listUsers({ role: 'customer', limit: 1 })).users.map(({ id }) => id)).toEqual([ids[2]])
  expect((await hostedDirectory.listUsers({ role: 'staff' })).users).toEqual([])
})

test('a role that the owner gives replaces the one of an open invitation', async () => {
  const { account } = await someone()
  await db.updateTable('hostedAccounts').set({ invitedRole: 'owner' }).where('id', '=', account.id).execute()
  expect(await hostedDirectory.changeRole(account.id, 'customer', {})).toMatchObject({ role: 'customer', invitedRole: null })
})

test('rights are given to staff, and end with the role', async () => {
  const { account, whose } = await someone()
  const rights = ['billing.write'] as const
  await expect(hostedDirectory.giveRights(account.id, rights, {})).rejects.toMatchObject({ extra: { code: 'not_staff' } })
  await hostedDirectory.changeRole(account.id, 'staff', {})
  expect((await hostedDirectory.giveRights(account.id, rights, {})).rights).toEqual(rights)
  expect((await findHosted(whose))?.account.rights).toEqual(rights)
  expect((await hostedDirectory.changeRole(account.id, 'customer', {})).rights).toEqual([])
})

test('each sign-out scope takes effect here before it reaches the service', async () => {
  const { account, claims, whose } = await someone()
  const others = [claimsOf(account.id), claimsOf(account.id)]
  for (const other of others) await meetHosted(other, client)
  const open = async () => (await hostedDirectory.listSessions(account.id)).map(({ id }) => id)
  await endHosted(whose, 'others')
  expect(await open()).toEqual([claims.session_id])
  await endHosted(whose, 'local')
  expect(await open()).toEqual([])
  expect([await findHosted(whose)].map((seen) => seen !== undefined && isOut(seen))).toEqual([true])
  // A session that ends before its first request to us stays refused.
  const unseen = claimsOf(account.id)
  await endHosted({ accountId: account.id, sessionId: unseen.session_id }, 'local')
  expect(isOut(await meetHosted(unseen, client))).toBe(true)
})

test('of two owners who remove each other at the same moment, one stays', async () => {
  const [first, second] = [await someone(), await someone()]
  await db.updateTable('hostedAccounts').set({ role: 'owner' }).execute()
  const outcomes = await Promise.allSettled([
    hostedDirectory.changeRole(first.account.id, 'staff', {}),
    hostedDirectory.banUser(second.account.id, new Date(Date.now() + 60_000), {}),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
