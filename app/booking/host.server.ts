import { sql } from 'kysely'
import { z } from 'zod'
import { nameOf } from '#app/auth/users/user-name.ts'
import { currentAccountRows } from '#app/auth/users/account.server.ts'
import { identity } from '#app/content/identity.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { later } from '#app/platform/process/later.ts'
import { weeklyHours } from '#app/platform/time/weekly-hours.ts'
import { defaultRules, type HostRules } from './rules/hours.ts'

/** A staff member who takes calls. */
export type Host = {
  id: string
  name: string
  /** The host's name until they enter another one. It is not stored, so it follows the account and the business. */
  usualName: string
  email: string | null
  /** Where the call happens: a text or a link. */
  place: string
  rules: HostRules
  isActive: boolean
  /** Whether they have confirmed hours and zone. Before, visitors are offered no times. */
  isConfirmed: boolean
  /** Of the saved hours; 0 before the first save. */
  version: number
}

const hostRow = {
  id: z.string(),
  email: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  isOwner: z.boolean(),
  isActive: z.boolean().nullable(),
  name: z.string().nullable(),
  zone: z.string().nullable(),
  hours: z.nullable(weeklyHours),
  noticeMinutes: z.number().nullable(),
  horizonDays: z.number().nullable(),
  bufferBeforeMinutes: z.number().nullable(),
  bufferAfterMinutes: z.number().nullable(),
  dailyCap: z.number().nullable(),
  place: z.string().nullable(),
  version: z.number().nullable(),
  isConfirmed: z.boolean(),
}

/** Everyone who takes calls, in hours that they have confirmed. A call that nobody knows of would be missed. */
export async function listHosts(connection: Database | Trx = db): Promise<Host[]> {
  return (await listPossibleHosts(connection)).filter(({ isActive, isConfirmed }) => isActive && isConfirmed)
}

/** All staff, with their hours; those without any have the defaults. While nobody has said that they take calls, the owner is expected to. */
export async function listPossibleHosts(connection: Database | Trx = db): Promise<Host[]> {
  const rows = await queryRows(
    connection,
    hostRow,
    sql`
    SELECT a.id, a.email, a.user_metadata AS metadata, a.role = 'owner' AS is_owner, h.is_active, h.name, h.zone, h.hours, h.notice_minutes,
      h.horizon_days, h.buffer_before_minutes, h.buffer_after_minutes, h.daily_cap, h.place, h.version,
      h.confirmed_at IS NOT NULL AS is_confirmed
    FROM ${currentAccountRows} AS a LEFT JOIN booking_hosts AS h ON h.user_id = a.id
    WHERE a.role IN ('staff', 'owner') AND (a.banned_until IS NULL OR a.banned_until < now())
    ORDER BY a.id LIMIT 500`,
  )
  // A colleague who has a private address but takes no calls changes nothing for the owner.
  const isFresh = rows.every(({ isActive }) => isActive !== true)
  return rows.map((row) => toHost(row, isFresh))
}

/** Stands for a host whose account is gone, so that their calls can still be changed. */
export function formerHost(id: string): Host {
  const rules = { ...defaultRules, zone: serverZone() }
  const { name } = identity
  return { id, name, usualName: name, email: null, place: '', isActive: false, isConfirmed: false, version: 0, rules }
}

/** The zone of hosts who have named none. */
const serverZone = later(() => Intl.DateTimeFormat().resolvedOptions().timeZone)

type HostRow = z.infer<z.ZodObject<typeof hostRow>>

function toHost(row: HostRow, isFresh: boolean): Host {
  const usualName = nameOf(row.metadata) ?? identity.name
  return {
    id: row.id,
    name: row.name ?? usualName,
    usualName,
    email: row.email,
    place: row.place ?? '',
    isActive: row.isActive ?? (isFresh && row.isOwner),
    isConfirmed: row.isConfirmed,
    version: row.version ?? 0,
    rules: {
      zone: row.zone ?? serverZone(),
      hours: row.hours ?? defaultRules.hours,
      noticeMinutes: row.noticeMinutes ?? defaultRules.noticeMinutes,
      horizonDays: row.horizonDays ?? defaultRules.horizonDays,
      bufferBeforeMinutes: row.bufferBeforeMinutes ?? defaultRules.bufferBeforeMinutes,
      bufferAfterMinutes: row.bufferAfterMinutes ?? defaultRules.bufferAfterMinutes,
      dailyCap: row.dailyCap,
    },
  }
}

/** Stores what has been the default until now. Only with a time does it confirm the hours. */
export async function keepHost(trx: Trx, { id, isActive, place, rules }: Host, confirmedAt: Date | null = null): Promise<void> {
  const { hours, ...limits } = rules
  await trx
    .insertInto('bookingHosts')
    .values({ userId: id, name: null, isActive, place, confirmedAt, ...limits, hours: JSON.stringify(hours) })
    .onConflict((conflict) => {
      const known = conflict.column('userId')
      return confirmedAt ? known.doUpdateSet({ confirmedAt }) : known.doNothing()
    })
    .execute()
}
