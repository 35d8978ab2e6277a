import { onFirstOwner } from '#app/auth/users/first-owner.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { afterCommit, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { enqueueAdoptionNotices } from './booking-emails.server.ts'
import { announceBookings } from './booking-signal.server.ts'
import { waitForPlaces } from './place.server.ts'

/** Stands for the owner of an installation that has none yet. No account has this id. */
export const FUTURE_OWNER = '00000000-0000-7000-8000-000000000000'

onFirstOwner(adopt)

/** Runs at start: accounts that were restored or copied from elsewhere had an owner without becoming one here. */
export async function adoptCalls(): Promise<void> {
  const owner = await currentAccounts().select('id').where('role', '=', 'owner').orderBy('id').limit(1).executeTakeFirst()
  if (owner) await transaction((trx) => adopt(trx, owner.id))
}

/**
 * Gives the owner what was stored while there was no owner: the hours of the samples, and calls, which earlier versions took without an owner. A
 * call at whose time the owner has another one already stays without a host until staff hand it over.
 */
async function adopt(trx: Trx, ownerId: string): Promise<void> {
  await waitForPlaces(trx)
  await adoptHours(trx, ownerId)
  const calls = await trx
    .updateTable('bookings')
    .set({ hostId: ownerId })
    .where('hostId', '=', FUTURE_OWNER)
    .where(
      condition`NOT EXISTS (SELECT FROM bookings AS other WHERE other.host_id = ${ownerId}::uuid AND other.blocked && bookings.blocked
        AND other.status IN ('held', 'booked') AND bookings.status IN ('held', 'booked'))`,
    )
    .returningAll()
    .execute()
  if (calls.length === 0) return
  await enqueueAdoptionNotices(trx, calls)
  afterCommit(announceBookings)
}

/** Hours of the owner's own come first. */
async function adoptHours(trx: Trx, ownerId: string): Promise<void> {
  const own = await trx.selectFrom('bookingHosts').select('userId').where('userId', '=', ownerId).executeTakeFirst()
  const sample = trx.updateTable('bookingHosts').set({ userId: ownerId }).where('userId', '=', FUTURE_OWNER)
  if (!own) await sample.execute()
}
