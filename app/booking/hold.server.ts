import { db, insert } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { announceBookings } from './booking-signal.server.ts'
import { refuseEnded } from './call-type.server.ts'
import { inPlace, type Places } from './place.server.ts'
import { HOLD_MINUTES } from './rules/booking.ts'
import type { Visitor } from './visitor.server.ts'

const MOST_OF_VISITOR = 3
const MOST_OF_NETWORK = 20

export type Hold = Pick<Row<'bookings'>, 'id' | 'startsAt' | 'endsAt' | 'hostId' | 'callTypeId'> & { heldUntil: Date }

type Wish = { callTypeId: string; replaces?: string | undefined; preferred?: string | undefined }

/**
 * Holds a time for a visitor. Asked again for the same time, it returns the first hold. `replaces` is a hold that ends with the new one: in the
 * same transaction, so that a visitor whose new time is taken keeps the old one. `preferred` is the host who takes the call if they are free.
 */
export async function holdSlot(visitor: Visitor, startsAt: Date, { callTypeId, replaces, preferred }: Wish): Promise<Hold> {
  const own = await listHolds(visitor)
  const replaced = own.find(({ id }) => id === replaces)
  const except = replaced ? [replaced.id] : []
  const hold = await inPlace(startsAt, { except, callTypeId }, async ({ trx, callType, take }) => {
    refuseEnded(callType)
    const same = await trx
      .selectFrom('bookings')
      .selectAll()
      .where('status', '=', 'held')
      .where('holder', '=', visitor.id)
      .where('startsAt', '=', startsAt)
      .where('callTypeId', '=', callTypeId)
      .executeTakeFirst()
    const endReplaced = async () => {
      if (replaced && replaced.id !== same?.id)
        await trx.deleteFrom('bookings').where('id', '=', replaced.id).where('status', '=', 'held').execute()
    }
    if (same) {
      await endReplaced()
      return same
    }
    await refuseFlood(trx, visitor, except)
    const { host, callType: _callType, ...times } = await take(startsAt, { except, preferred: preferred ?? replaced?.hostId ?? null })
    await endReplaced()
    return insert(trx, 'bookings', {
      ...times,
      callTypeId,
      hostId: host.id,
      status: 'held',
      heldUntil: new Date(Date.now() + HOLD_MINUTES * 60_000),
      holder: visitor.id,
      holderNetwork: visitor.network,
      cameFrom: JSON.stringify(visitor.cameFrom),
    })
  })
  announceBookings()
  return toHold(hold)
}

/** Gives a held time up. Returns whether this visitor held it. */
export async function releaseHold(visitor: Visitor, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bookings')
    .where('id', '=', id)
    .where('status', '=', 'held')
    .where('holder', '=', visitor.id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) announceBookings()
  return numDeletedRows > 0n
}

/** The current holds of a visitor, the newest first. */
export async function listHolds(visitor: Pick<Visitor, 'id'>): Promise<Hold[]> {
  const rows = await db
    .selectFrom('bookings')
    .selectAll()
    .where('status', '=', 'held')
    .where('holder', '=', visitor.id)
    .where('heldUntil', '>', new Date())
    .orderBy('id', 'desc')
    .limit(MOST_OF_VISITOR)
    .execute()
  return rows.map(toHold)
}

function toHold({ id, startsAt, endsAt, hostId, callTypeId, heldUntil }: Row<'bookings'>): Hold {
  if (!heldUntil) throw new Error('A booking was read as a hold.')
  return { id, startsAt, endsAt, hostId, callTypeId, heldUntil }
}

async function refuseFlood(trx: Places['trx'], { id, network }: Visitor, except: readonly string[]): Promise<void> {
  const held = trx.selectFrom('bookings').select(rowCount.as('total')).where('status', '=', 'held')
  const others = except.length > 0 ? held.where('id', 'not in', except) : held
  const own = await others.where('holder', '=', id).executeTakeFirstOrThrow()
  const near = await others.where('holderNetwork', '=', network).executeTakeFirstOrThrow()
  if (own.total < MOST_OF_VISITOR && near.total < MOST_OF_NETWORK) return
  stop('tooMany', 'Too many times are held at once. Give one up, or wait until it is free again.', {
    code: 'too_many_holds',
    retryAfter: HOLD_MINUTES * 60,
  })
}
