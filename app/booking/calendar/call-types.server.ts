import { announceBookings } from '#app/booking/booking-signal.server.ts'
import { findCallType, listCallTypes, toCallType } from '#app/booking/call-type.server.ts'
import type { CallType } from '#app/booking/rules/hours.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { placeCalls } from './hours.server.ts'
import { type CallTypeBody, MOST_CALL_TYPES, type SettingsBody } from './calendar.ts'

/** With the number of its calls ahead. */
export type CountedType = CallType & { ahead: number }

export async function listCounted(): Promise<CountedType[]> {
  const [types, ahead] = await Promise.all([listCallTypes(), countAhead()])
  return types.map((type) => ({ ...type, ahead: ahead.get(type.id) ?? 0 }))
}

export async function findCounted(id: string): Promise<CountedType> {
  return (await listCounted()).find((type) => type.id === id) ?? unknown()
}

async function countAhead(): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('bookings')
    .select(['callTypeId', rowCount.as('total')])
    .where('status', '=', 'booked')
    .where('startsAt', '>', new Date())
    .where('callTypeId', 'is not', null)
    .groupBy('callTypeId')
    .execute()
  return new Map(rows.map(({ callTypeId, total }) => [callTypeId ?? '', total]))
}

export async function addCallType(body: CallTypeBody): Promise<CallType> {
  const added = await refusingSlug(() =>
    transaction(async (trx) => {
      const types = await listCallTypes(trx)
      if (types.length >= MOST_CALL_TYPES)
        stop('conflict', `There are at most ${MOST_CALL_TYPES} call types. Delete one first.`, { code: 'too_many_call_types' })
      const position = Math.max(...types.map((type) => type.position)) + 1
      const row = { ...toRow(body), id: newId(), slug: body.slug ?? '', position, version: 1 }
      return toCallType(await trx.insertInto('callTypes').values(row).returningAll().executeTakeFirstOrThrow())
    }),
  )
  announceBookings()
  return added
}

/** Saves a call type, based on a version of it. Returns `false` if someone saved it meanwhile. The first one keeps its address. */
export async function saveCallType({ id, slug }: CallType, body: CallTypeBody, version: number): Promise<boolean> {
  return store(id, { ...toRow(body), slug: slug === null ? null : (body.slug ?? slug) }, version)
}

/** The part of the first one that `/settings` has. */
export async function saveFirst({ questions, ...rest }: SettingsBody, version: number): Promise<boolean> {
  const { id } = await findCallType(null)
  return store(id, { ...rest, questions: JSON.stringify(questions) }, version)
}

type Changed = Partial<ReturnType<typeof toRow>> & { slug?: string | null }

async function store(id: string, changed: Changed, version: number): Promise<boolean> {
  const saved = await refusingSlug(() =>
    transaction(async (trx) => {
      const stored = await trx
        .updateTable('callTypes')
        .set({ ...changed, version: version + 1, updatedAt: new Date() })
        .where('id', '=', id)
        .where('version', '=', version)
        .where('deletedAt', 'is', null)
        .returning(['version', 'slug'])
        .executeTakeFirst()
      // The first one has the calls without a call type.
      const isOfType = stored?.slug === null ? condition`call_type_id IS NULL OR call_type_id = ${id}` : condition`call_type_id = ${id}`
      if (stored && changed.place) await placeCalls(trx, isOfType, changed.place)
      return stored
    }),
  )
  announceBookings()
  return saved !== undefined
}

function toRow({ questions, hours, slug: _slug, ...rest }: CallTypeBody) {
  return { ...rest, place: rest.place || null, questions: JSON.stringify(questions), hours: hours && JSON.stringify(hours) }
}

async function refusingSlug<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!breaks(error, 'call_types_slug')) throw error
    const sentence = 'Another call type has this address'
    return stop('unprocessable', sentence, { code: 'validation_failed', errors: { slug: sentence } })
  }
}

/** Sets the order; `ids` are all of them. */
export async function orderCallTypes(ids: readonly string[]): Promise<void> {
  await transaction(async (trx) => {
    const known = await listCallTypes(trx)
    if (known.length !== ids.length || known.some(({ id }) => !ids.includes(id)))
      stop('conflict', 'Someone else has changed the call types. Reload the page.', { code: 'list_changed' })
    for (const [position, id] of ids.entries()) await trx.updateTable('callTypes').set({ position }).where('id', '=', id).execute()
  })
  announceBookings()
}

/** Deletes a call type. Its calls stay as they are, which staff say with `keepsCalls`: it may have more than they saw. */
export async function removeCallType(id: string, { keepsCalls }: { keepsCalls: boolean }): Promise<void> {
  const { slug } = await findCounted(id)
  if (slug === null)
    stop('conflict', 'The first call type is behind every button that leads to a call. Switch it off instead.', {
      code: 'first_call_type',
    })
  await transaction(async (trx) => {
    await trx.updateTable('callTypes').set({ deletedAt: new Date(), updatedAt: new Date() }).where('id', '=', id).execute()
    if (!keepsCalls) await refuseWithCalls(trx, id)
    // Times held for it are released, because they can no longer be booked.
    await trx.deleteFrom('bookings').where('callTypeId', '=', id).where('status', '=', 'held').execute()
  })
  announceBookings()
}

async function refuseWithCalls(trx: Trx, id: string): Promise<void> {
  const ahead = trx.selectFrom('bookings').select(rowCount.as('total')).where('callTypeId', '=', id)
  const { total } = await ahead.where('status', '=', 'booked').where('startsAt', '>', new Date()).executeTakeFirstOrThrow()
  if (total > 0) stop('conflict', `${total} of these calls are still ahead. They stay booked if you delete it.`, { code: 'has_calls' })
}

function unknown(): never {
  return stop('notFound', 'This call type doesn’t exist.')
}
