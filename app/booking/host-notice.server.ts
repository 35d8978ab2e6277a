import { z } from 'zod'
import { notify } from '#app/account/notifications/notification.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { announceBookings } from './booking-signal.server.ts'
import { type Host, keepHost, listPossibleHosts } from './host.server.ts'
import { HOURS_PAGE } from './rules/hours.ts'

/**
 * Runs once, after the upgrade to confirmed hours: owners took calls before without having saved anything. Those with a call ahead know of it,
 * so they keep taking calls. The others are told that visitors see no times for now.
 */
defineJob('bookings.confirm-hosts', z.unknown(), async () => {
  await transaction(async (trx) => {
    const hosts = await listPossibleHosts(trx)
    for (const host of hosts.filter(({ isActive, isConfirmed }) => isActive && !isConfirmed))
      if (await hasCallAhead(trx, host)) await keepHost(trx, host, new Date())
      else await askForHours(trx, host)
  })
  announceBookings()
})

async function hasCallAhead(trx: Trx, { id }: Host): Promise<boolean> {
  const calls = trx.selectFrom('bookings').select('id').where('hostId', '=', id).where('status', '=', 'booked')
  return (await calls.where('startsAt', '>', new Date()).limit(1).executeTakeFirst()) !== undefined
}

async function askForHours(trx: Trx, { id }: Host): Promise<void> {
  await notify(trx, {
    kind: 'booking',
    title: 'Confirm your hours for calls',
    body: 'Visitors can book calls once you confirm your hours and time zone. Booked calls stay as they are.',
    link: HOURS_PAGE,
    subjectId: id,
    dedupeKey: `booking_hours:${id}`,
    to: { userIds: [id] },
  })
}

/** Reminds hosts each day of guests who were promised a link, until they say where their calls take place. */
defineJob(
  'bookings.ask-for-place',
  z.unknown(),
  async () => {
    const today = new Date().toISOString().slice(0, 10)
    await transaction(async (trx) => {
      for (const { id, place } of await listPossibleHosts(trx)) {
        const waiting = place === '' ? await countWithoutPlace(trx, id) : 0
        if (waiting > 0) await askForPlace(trx, id, { waiting, today })
      }
    })
  },
  { every: 'day' },
)

async function countWithoutPlace(trx: Trx, hostId: string): Promise<number> {
  const { total } = await trx
    .selectFrom('bookings')
    .select(rowCount.as('total'))
    .where('hostId', '=', hostId)
    .where('status', '=', 'booked')
    .where('place', '=', '')
    .where('startsAt', '>', new Date())
    .executeTakeFirstOrThrow()
  return total
}

async function askForPlace(trx: Trx, id: string, { waiting, today }: { waiting: number; today: string }): Promise<void> {
  await notify(trx, {
    kind: 'booking',
    title: 'Say where your calls take place',
    body: `${waiting === 1 ? 'A guest was' : `${waiting} guests were`} promised the link before the call.`,
    link: HOURS_PAGE,
    subjectId: id,
    dedupeKey: `booking_place:${id}:${today}`,
    to: { userIds: [id] },
  })
}
