import { type Actor } from '#app/auth/users/audit.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { announceBookings } from './booking-signal.server.ts'
import { type Booking, endBooking } from './booking.server.ts'
import { enqueueCancelledTogether } from './booking-emails.server.ts'

/** Cancels every call ahead of the address that a call has, for staff. Guest and hosts get one email each. Returns the call. */
export async function cancelAllOf(id: string, { reason }: { reason?: string | undefined }, actor: Actor): Promise<Booking> {
  const named = await transaction(async (trx) => {
    const asked = await trx.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirst()
    if (!asked?.email || asked.status === 'held') return stop('notFound', 'This booking doesn’t exist.')
    const calls = await trx
      .selectFrom('bookings')
      .select('id')
      .where('email', '=', asked.email)
      .where('status', '=', 'booked')
      .where('hostId', 'is not', null)
      .where((row) => row.or([row('startsAt', '>', new Date()), row('id', '=', id)]))
      .orderBy('startsAt')
      .execute()
    const ended = []
    for (const call of calls) ended.push(await endBooking(trx, call.id, { reason, guestEmailed: true }, { by: 'staff', ...actor }))
    await enqueueCancelledTogether(trx, { ended, by: actor.id })
    return ended.find(({ booking }) => booking.id === id)?.booking ?? asked
  })
  announceBookings()
  announceLeads()
  return named
}
