import type { Trx } from '#app/platform/database/db.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { findCallType } from './call-type.server.ts'
import type { Row } from '#db/tables.ts'

type Booking = Row<'bookings'>

const types = { booked: 'booking.created', changed: 'booking.moved', cancelled: 'booking.cancelled' } as const

/** Tells other programs about a call. One that only got another host has not moved. */
export async function emitBooking(trx: Trx, happened: keyof typeof types, booking: Booking, before?: Booking): Promise<void> {
  if (happened === 'changed' && before?.startsAt.getTime() === booking.startsAt.getTime()) return
  await emitWebhook(trx, types[happened], async () => {
    const { id, reference, name, email, startsAt, endsAt } = booking
    const type = await describeType(trx, booking)
    const data = { id, reference, type, name, email, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() }
    return [
      { subjectId: id, data: { ...data, ...(before && happened === 'changed' && { previousStartsAt: before.startsAt.toISOString() }) } },
    ]
  })
}

/** The kind of the call. Calls of other schedulers have none. */
async function describeType(trx: Trx, { source, callTypeId }: Booking) {
  if (source !== 'site') return null
  const { id, slug, title } = await findCallType(callTypeId, trx)
  return { id, slug, title }
}
