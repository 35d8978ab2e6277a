import { afterEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { runMigrations } from '#app/platform/database/migrate.server.ts'
import { seed } from '#db/seed.ts'
import { createPost } from '#app/blog/posts/post.server.ts'
import { claimOwnership } from '#app/auth/users/owner.server.ts'
import { startEndpoints } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { makeBooking, makeHost, makeOwner, makeUser } from '#test/factories.ts'
import { announceBookings } from './booking-signal.server.ts'
import { listHosts } from './host.server.ts'
import './host-notice.server.ts'

const app = await startEndpoints()
afterEach(async () => {
  await stopJobs()
  for (const table of ['bookings', 'bookingHosts', 'notifications', 'jobs', 'users'] as const) await db.deleteFrom(table).execute()
  await db.updateTable('installation').set({ ownerId: null }).execute()
})

/** Runs the upgrade as on an installation of the version before. */
async function upgrade() {
  await sql`ALTER TABLE booking_hosts DROP COLUMN confirmed_at`.execute(db)
  await sql`DELETE FROM kysely_migration WHERE name = '0046-confirmed-hours'`.execute(db)
  await transaction((trx) => runMigrations(trx, ['0046-confirmed-hours']))
  startJobs()
  const open = db.selectFrom('jobs').select('id').where('doneAt', 'is', null)
  await eventually(async () => expect(await open.execute()).toEqual([]))
}

const notices = async () => db.selectFrom('notifications').select(['userId', 'title']).execute()

test('after the upgrade, an owner with a call ahead and colleagues with saved hours still take calls, and nobody is asked again', async () => {
  const owner = await makeOwner()
  const booked = await makeBooking({ hostId: owner.id })
  await upgrade()
  expect((await listHosts()).map(({ id }) => id)).toEqual([owner.id])
  const { userId } = await makeHost()
  await upgrade()
  expect((await listHosts()).map(({ id }) => id)).toEqual(expect.arrayContaining([owner.id, userId]))
  expect((await notices()).map(({ title }) => title)).not.toContain('Confirm your hours for calls')
  expect(await db.selectFrom('bookings').select(['id', 'status']).execute()).toEqual([{ id: booked.id, status: 'booked' }])
})

test('after the upgrade, an owner without a call ahead is asked for hours, and keeps past calls', async () => {
  const owner = await makeOwner()
  await makeBooking({ hostId: owner.id, startsAt: new Date(Date.now() - 3_600_000), status: 'completed' })
  await upgrade()
  expect(await listHosts()).toEqual([])
  expect(await notices()).toEqual([{ userId: owner.id, title: 'Confirm your hours for calls' }])
  expect(await db.selectFrom('bookings').select('status').execute()).toEqual([{ status: 'completed' }])
})

test('samples come with confirmed hours: of the owner, or of the first one to come', async () => {
  const week = { from: new Date().toISOString(), to: new Date(Date.now() + 9 * 24 * 3_600_000).toISOString() }
  const countTimes = async () => {
    announceBookings()
    return (await app.inject(`/api/booking/slots?${new URLSearchParams(week)}`)).json().slots.length
  }
  await seed(createPost)
  expect(await countTimes()).toBe(0)
  const user = await makeUser()
  await transaction((trx) => claimOwnership(trx, user, { ownerEmail: undefined, isLocal: true }))
  expect((await listHosts()).map(({ id }) => id)).toEqual([user.id])
  expect(await countTimes()).toBeGreaterThan(16)
  await db.deleteFrom('bookingHosts').execute()
  await seed(createPost)
  expect((await listHosts()).map(({ id }) => id)).toEqual([user.id])
})
