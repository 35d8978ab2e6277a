import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import { moveHostedSource, noteHostedSource } from './hosted-source.server.ts'

beforeAll(openDatabase)
beforeEach(async () => {
  await db.deleteFrom('hostedSignUps').execute()
  await db.deleteFrom('hostedAccounts').execute()
})
afterAll(closeDatabase)

const from = (form: string): Source => ({ form, path: '/signup', referrer: 'example.com', campaign: { utm_source: 'ads' } })
const waiting = () => db.selectFrom('hostedSignUps').select(['id', 'cameFrom']).execute()
const sourceOf = (id: string) => db.selectFrom('hostedAccounts').select('cameFrom').where('id', '=', id).executeTakeFirst()

test('the first source of a sign-up is kept for its account and no other', async () => {
  const [id, other] = [newId(), newId()]
  await noteHostedSource({ id }, from('first'))
  await noteHostedSource({ user: { id }, access_token: 'x' }, from('second'))
  expect(await waiting()).toEqual([{ id, cameFrom: from('first') }])
  await db
    .insertInto('hostedAccounts')
    .values([
      { id, email: 'ada@example.com' },
      { id: other, email: 'grace@example.com' },
    ])
    .execute()
  await transaction(async (trx) => {
    await moveHostedSource(trx, id)
    await moveHostedSource(trx, other)
  })
  expect([await sourceOf(id), await sourceOf(other), await waiting()]).toEqual([{ cameFrom: from('first') }, { cameFrom: null }, []])
})

test.each([undefined, null, 'x', {}, { id: 'x' }, { user: null }, { user: { id: 7 } }])('the answer %j keeps nothing', async (answer) => {
  await noteHostedSource(answer, from('first'))
  expect(await waiting()).toEqual([])
})
