import { expect, test } from 'vitest'
import { onSecondConnection, untilBlocked } from './second-connection.ts'

test('inside a transaction, the wait of a connection that is opened later is seen', async () => {
  const lock = 'SELECT pg_advisory_xact_lock(1)'
  await onSecondConnection(async (first) => {
    await first.query('BEGIN')
    await first.query(lock)
    expect((await first.query('SELECT FROM pg_stat_activity')).rowCount).toBeGreaterThan(0)
    await onSecondConnection(async (late) => {
      await late.query('BEGIN')
      const waiting = late.query(lock)
      await untilBlocked(first)
      await first.query('COMMIT')
      await waiting
    })
  })
})
