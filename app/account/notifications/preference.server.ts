import { provenAddress } from '#app/auth/users/account.server.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { kindsFor, type NotificationKind } from './notification.ts'
import { defaultChannels, kindChannels, type KindChannels, type NotificationPreferences, type PreferencesBody } from './preference.ts'
import { listPushDevices } from './push-device.server.ts'
import { pushKeys } from './push-key.server.ts'

type PreferenceRow = Row<'notificationPreferences'>
export type HeldPreferences = Pick<PreferenceRow, 'channels' | 'zone' | 'digestHour' | 'quietFrom' | 'quietUntil'>

/** Of a person who has never saved any. */
const unset: HeldPreferences = { channels: {}, zone: 'UTC', digestHour: 8, quietFrom: null, quietUntil: null }

/** The preferences of people, by id. */
export async function readPreferences(connection: Database | Trx, userIds: string[]): Promise<(userId: string) => HeldPreferences> {
  const rows = await connection.selectFrom('notificationPreferences').selectAll().where('userId', 'in', userIds).execute()
  const held = new Map(rows.map((row) => [row.userId, row]))
  return (userId) => held.get(userId) ?? unset
}

export function channelsOf({ channels }: Pick<HeldPreferences, 'channels'>, kind: NotificationKind): KindChannels {
  const chosen = kindChannels.safeParse(channels[kind])
  return chosen.success ? chosen.data : defaultChannels(kind)
}

type Person = Pick<CurrentUser, 'id' | 'role' | 'rights' | 'sessionId'>

/** The preferences of a person, with all that their page shows. */
export async function findOwnPreferences(person: Person): Promise<NotificationPreferences> {
  const { id } = person
  const row = await db.selectFrom('notificationPreferences').selectAll().where('userId', '=', id).executeTakeFirst()
  const { digestHour, quietFrom, quietUntil, channels } = row ?? unset
  const kinds = kindsFor(person).map((kind) => ({ kind, ...channelsOf({ channels }, kind) }))
  const [email, keys, devices] = [await provenAddress(id), await pushKeys(), await listPushDevices(id)]
  return { channels: kinds, zone: row?.zone ?? null, digestHour, quietFrom, quietUntil, email, publicKey: keys.publicKey, devices }
}

/** Kinds that the person may not see stay as they are. */
export async function savePreferences(person: Person, { channels, ...times }: PreferencesBody): Promise<void> {
  const { id } = person
  const before = await db.selectFrom('notificationPreferences').select('channels').where('userId', '=', id).executeTakeFirst()
  const kinds = new Set(kindsFor(person))
  const chosen = Object.fromEntries(channels.filter(({ kind }) => kinds.has(kind)).map(({ kind, email, push }) => [kind, { email, push }]))
  const row = { ...times, channels: JSON.stringify({ ...before?.channels, ...chosen }) }
  await db
    .insertInto('notificationPreferences')
    .values({ userId: id, ...row })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...row, updatedAt: now }))
    .execute()
}
