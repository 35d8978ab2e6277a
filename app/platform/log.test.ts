import { expect, test } from 'vitest'
import { openDatabase } from '#app/platform/database/open.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { describeError } from './log.server.ts'

test('user input does not reach the log through an error of the database', async () => {
  await openDatabase()
  const person = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }
  const write = () =>
    db
      .insertInto('people')
      .values({ id: newId(), ...person })
      .execute()
  await write()
  const error = await write().catch((reason: unknown) => reason)

  const logged = describeError(error)
  expect(JSON.stringify(logged)).not.toMatch(/ada|lovelace/i)
  expect(logged).toMatchObject({ code: '23505', constraint: 'people_email_key' })
  expect(logged.stack).toContain('log.test.ts')
})

test('a bug keeps its message, its stack and its cause', () => {
  const logged = describeError(new TypeError('x is not a function', { cause: new RangeError('deeper') }))

  expect(logged).toMatchObject({ type: 'TypeError', message: 'x is not a function', cause: { type: 'RangeError', message: 'deeper' } })
})
