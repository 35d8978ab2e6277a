import { beforeEach, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, makeContacts, signIn } from '#test/factories.ts'
import { byLength } from '#test/length.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(() => db.deleteFrom('contacts').execute())

const createdAt = new Date('2026-10-03T09:08:07.654Z')

/** The last ones are of both lengths, and change between them within a batch. */
const lengths: [string, (at: number) => number][] = [
  ['short', () => 10],
  ['long', () => 2_500],
  ['long ones after short', (at) => (at < 2_050 ? 10 : 4_500)],
]

test.each(byLength(lengths.slice(-1), lengths))(
  'nothing is cut off and nothing comes twice, however many share a moment: %s messages',
  async (_length, lengthAt) => {
    await makeContact({ createdAt })
    await makeContacts(4_100, (at) => ({
      message: `Number ${at}`.padEnd(lengthAt(at), '.'),
      createdAt: new Date(createdAt.getTime() - Math.floor(at / 500)),
    }))

    const lines = (await app.inject({ url: '/api/contacts.csv', headers: staff.headers })).body.trim().split('\r\n').slice(1)
    expect(lines).toHaveLength(4_101)
    expect(new Set(lines).size).toBe(4_101)
  },
)
