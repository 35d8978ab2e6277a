import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { makeUser } from '#test/factories.ts'
import { claimOwnership, settleOwner } from './owner.server.ts'
import { roleOf } from './role.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

/** The manual's SQL for operators. */
const [, statements = ''] = /Another owner[\s\S]*?```sql\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []

test('the manual’s SQL changes the owner, and there are never two', async () => {
  const [first, second] = [await makeUser({ email: 'first@example.com' }), await makeUser({ email: 'second@example.com' })]
  await transaction((trx) => claimOwnership(trx, first))
  expect(await owners()).toEqual([first.id])

  const operator = new Client({ connectionString: env.DATABASE_URL })
  await operator.connect()
  await operator.query(statements)
  await operator.end()
  expect(await owners()).toEqual([])

  await settleOwner({ ownerEmail: second.email ?? '', isLocal: false })
  expect(await owners()).toEqual([second.id])
  const { appMetadata } = await db.selectFrom('users').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
  expect(roleOf(appMetadata)).toBe('customer')
})

async function owners() {
  const users = await db.selectFrom('users').selectAll().execute()
  const named = await db.selectFrom('installation').select('ownerId').executeTakeFirst()
  const found = users.filter(({ appMetadata }) => roleOf(appMetadata) === 'owner').map(({ id }) => id)
  expect(found).toEqual(named?.ownerId ? [named.ownerId] : [])
  return found
}
