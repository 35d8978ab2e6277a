import { beforeEach, expect, test } from 'vitest'
import type { PossibleDuplicate } from '#app/leads/lead/duplicate.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('personMerges').execute()
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('people').execute()
})

type Headers = Record<string, string>
const read = async (query = '', headers: Headers = staff.headers) => app.inject({ url: `/api/lead-duplicates${query}`, headers })
const pairs = async (query = '') =>
  (await read(query)).json().pairs.map(({ one, other, because }: PossibleDuplicate) => [one.email, other.email, because.join()])
const apart = async (method: 'POST' | 'DELETE', oneId: string, otherId: string, headers: Headers = staff.headers) =>
  method === 'POST'
    ? app.inject({ method, url: '/api/lead-duplicates/apart', headers, payload: { oneId, otherId } })
    : app.inject({ method, url: `/api/lead-duplicates/apart?oneId=${oneId}&otherId=${otherId}`, headers })
const phone = async (id: string, number: string) => db.updateTable('leads').set({ phone: number }).where('contactId', '=', id).execute()

test('people are found by an address with a tag, by a phone number and by name with company: in the list and on the lead', async () => {
  const ada = await makeContact({ email: 'ada@example.com', name: 'Ada', company: 'Acme' })
  await makeContact({ email: 'ada+work@example.com', name: 'A. L.', company: null })
  const called = await makeContact({ email: 'other@example.org', name: 'Other', company: null })
  await makeContact({ email: 'ada@home.example', name: 'ADA', company: 'acme' })
  const stranger = await makeContact({ email: 'stranger@example.net', name: 'Ada', company: 'Elsewhere' })
  await phone(ada.id, '+49 (0)30 123 456 78')
  await phone(called.id, '030 12345678')
  await phone(stranger.id, '110')
  const all = await pairs()
  expect(all.toSorted()).toEqual([
    ['ada@example.com', 'ada+work@example.com', 'address'],
    ['ada@example.com', 'ada@home.example', 'name'],
    ['ada@example.com', 'other@example.org', 'phone'],
  ])
  expect((await pairs(`?reference=${ada.reference}`)).toSorted()).toEqual(all.toSorted())
  expect(await pairs(`?reference=${called.reference}`)).toEqual([['ada@example.com', 'other@example.org', 'phone']])
  expect(await pairs(`?reference=${stranger.reference}`)).toEqual([])
})

test('two people who were told apart are not offered again, until that is undone; neither are merged people and deleted leads', async () => {
  const one = await makeContact({ email: 'ada@example.com', company: null })
  const other = await makeContact({ email: 'ada+work@example.com', company: null })
  expect(await pairs()).toHaveLength(1)
  expect((await apart('POST', other.personId, one.personId)).statusCode).toBe(204)
  expect((await apart('POST', one.personId, other.personId)).statusCode).toBe(204)
  expect([await pairs(), await pairs(`?reference=${one.reference}`)]).toEqual([[], []])
  expect((await apart('DELETE', one.personId, other.personId)).statusCode).toBe(204)
  expect(await pairs()).toHaveLength(1)
  const url = `/api/leads/${one.reference}/merge`
  const merged = await app.inject({ method: 'POST', url, headers: staff.headers, payload: { email: 'ada+work@example.com' } })
  expect(await pairs()).toEqual([])
  await app.inject({ method: 'POST', url: `/api/lead-merges/${merged.json().id}/undo`, headers: staff.headers })
  expect(await pairs()).toHaveLength(1)
  await db.updateTable('contacts').set({ deletedAt: new Date() }).where('id', '=', other.id).execute()
  expect(await pairs()).toEqual([])
})

test('a number that a whole office shares is no sign: in the list and on the lead', async () => {
  const clerks = []
  for (let at = 0; at < 7; at += 1) clerks.push(await makeContact({ email: `clerk${at}@example.com`, company: null }))
  for (const { id } of clerks) await phone(id, '+1 202 555 0100')
  expect([await pairs(), await pairs(`?reference=${clerks[0]?.reference}`)]).toEqual([[], []])
  await db
    .deleteFrom('contacts')
    .where('id', '=', clerks[6]?.id ?? '')
    .execute()
  expect([(await pairs()).length, (await pairs(`?reference=${clerks[0]?.reference}`)).length]).toEqual([15, 5])
})

test('duplicates are for staff; people who are gone, or one and the same, are refused', async () => {
  const customer = await signIn('customer')
  for (const [headers, expected] of [
    [{}, 401],
    [customer.headers, 403],
  ] as const)
    expect([(await read('', headers)).statusCode, (await apart('POST', newId(), newId(), headers)).statusCode]).toEqual([
      expected,
      expected,
    ])
  const { personId } = await makeContact()
  expect((await apart('POST', personId, personId)).statusCode).toBe(422)
  expect((await apart('POST', personId, newId())).statusCode).toBe(404)
})
