import { z } from 'zod'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { weeklyHours } from '#app/platform/time/weekly-hours.ts'
import type { Row } from '#db/tables.ts'
import type { Host } from './host.server.ts'
import { NOT_OFFERED } from './rules/booking.ts'
import { bookingQuestion, type CallType } from './rules/hours.ts'

type Connection = Database | Trx

/** The kind of a call, also one that was deleted; without an id, the first one. */
export async function findCallType(id: string | null | undefined, connection: Connection = db): Promise<CallType> {
  const types = connection.selectFrom('callTypes').selectAll()
  return toCallType(await (id ? types.where('id', '=', id) : types.where('slug', 'is', null)).executeTakeFirstOrThrow())
}

/** All call types by their ids, also the deleted ones, and how to find that of a booking. */
export async function readCallTypes(connection: Connection = db) {
  const rows = (await connection.selectFrom('callTypes').selectAll().execute()).map(toCallType)
  return (id: string | null) => rows.find((row) => (id === null ? row.slug === null : row.id === id)) ?? firstOf(rows)
}

function firstOf(types: readonly CallType[]): CallType {
  const [first] = types
  if (!first) throw new Error('The first call type is missing.')
  return first
}

/** Those that were not deleted, in their order. */
export async function listCallTypes(connection: Connection = db): Promise<CallType[]> {
  const rows = connection.selectFrom('callTypes').selectAll().where('deletedAt', 'is', null)
  return (await rows.orderBy('position').orderBy('id').execute()).map(toCallType)
}

/** Those that visitors book, with the time of their last change. */
export async function listPublicCallTypes(): Promise<{ slug: string | null; title: string; updatedAt: Date }[]> {
  return db
    .selectFrom('callTypes')
    .select(['slug', 'title', 'updatedAt'])
    .where('deletedAt', 'is', null)
    .where('isActive', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The call type that visitors book at an address below `/book`, or at `/book` itself. Undefined: they cannot. */
export async function findOffered(slug: string | undefined): Promise<CallType | undefined> {
  const types = db.selectFrom('callTypes').selectAll().where('deletedAt', 'is', null).where('isActive', '=', true)
  const row = await (slug === undefined ? types.where('slug', 'is', null) : types.where('slug', '=', slug)).executeTakeFirst()
  return row && toCallType(row)
}

export async function needOffered(slug: string | undefined): Promise<CallType> {
  return (await findOffered(slug)) ?? refuseNotOffered()
}

/** The same by its id, for staff. */
export async function needOfferedById(id: string | undefined): Promise<CallType> {
  const known = (await listCallTypes()).find((each) => (id === undefined ? each.slug === null : each.id === id))
  return known?.isOffered ? known : refuseNotOffered()
}

/** Inside the transaction that gives a time away: staff may have ended the call type while its page was open. */
export function refuseEnded({ isOffered }: CallType): void {
  if (!isOffered) refuseNotOffered()
}

function refuseNotOffered(): never {
  return stop('notFound', NOT_OFFERED, { code: 'call_not_offered' })
}

/** A host as this call type has them: its own place and limits come first. */
export function hostFor(callType: CallType, host: Host): Host {
  const { noticeMinutes, bufferBeforeMinutes, bufferAfterMinutes } = callType
  const { rules } = host
  const limits = {
    noticeMinutes: noticeMinutes ?? rules.noticeMinutes,
    bufferBeforeMinutes: bufferBeforeMinutes ?? rules.bufferBeforeMinutes,
    bufferAfterMinutes: bufferAfterMinutes ?? rules.bufferAfterMinutes,
  }
  return { ...host, place: callType.place ?? host.place, rules: { ...rules, ...limits } }
}

export function toCallType({ questions, hours, isActive, deletedAt, createdAt: _c, updatedAt: _u, ...row }: Row<'callTypes'>): CallType {
  return {
    ...row,
    questions: z.array(bookingQuestion).parse(questions),
    hours: z.nullable(weeklyHours).parse(hours),
    isActive,
    isOffered: isActive && deletedAt === null,
  }
}
