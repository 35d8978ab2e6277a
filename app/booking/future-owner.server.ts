import { onFirstOwner } from '#app/auth/users/first-owner.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { afterCommit, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { enqueueAdoptionNotices } from './booking-emails.server.ts'
import { announceBookings } from './booking-signal.server.ts'
import { FUTURE_OWNER } from './host.server.ts'
import { waitForPlaces } from './place.server.ts'

onFirstOwner(adopt)

/** Runs at start: accounts that were restored or copied from elsewhere had an owner without becoming one here. */
export async function adoptCalls(): Promise<void> {
  const owner = await currentAccounts().select('id').where('role', '=', 'owner').orderBy('id').limit(1).executeTakeFirst()
  if (owner) await transaction((trx) => adopt(trx, owner.id))
}

/**
 * Gives the owner the calls that were booked while there was no owner. No call is booked meanwhile, so none is left behind; one at whose time the
 * owner has another call already stays without a host until staff hand it over.
 */
async function adopt(trx: Trx, ownerId: string): Promise<void> {
  await waitForPlaces(trx)
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
