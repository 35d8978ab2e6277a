import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { deviceOf } from '#app/auth/sessions/device.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { isPublicAddress } from '#app/platform/http/fetch-public.server.ts'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { type PushDevice, type PushSubscriptionBody, pushSubscriptionBody } from './preference.ts'

/** Browsers of one person. The oldest goes when another comes. */
const MOST_DEVICES = 20
const PURPOSE = 'push-subscription'

/** The sign-in that subscribed still exists. */
const hasSession = isHosted
  ? condition`EXISTS (SELECT FROM hosted_sessions WHERE hosted_sessions.id = session_id AND ended_at IS NULL)`
  : condition`EXISTS (SELECT FROM sessions WHERE sessions.id = session_id)`

function signedInDevices(connection: Database | Trx = db) {
  return connection.selectFrom('pushSubscriptions').where(hasSession)
}

/** The browsers in which a person is signed in and has turned notifications on, newest first. */
export async function listPushDevices(userId: string): Promise<PushDevice[]> {
  const rows = await signedInDevices().selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()
  return rows.map(toDevice)
}

export async function listPushDeviceIds(trx: Trx, userId: string): Promise<string[]> {
  return (await signedInDevices(trx).select('id').where('userId', '=', userId).execute()).map(({ id }) => id)
}

type Subscriber = { id: string; sessionId: string; userAgent: string | undefined }

/** Turns notifications on in a browser. One that another account had used belongs to this one from now on. */
export async function addPushDevice({ id: userId, sessionId, userAgent }: Subscriber, body: PushSubscriptionBody): Promise<PushDevice> {
  refuseInside(body.endpoint)
  const addressHash = createHash('sha256').update(body.endpoint).digest()
  const id = newId()
  return transaction(async (trx) => {
    await trx.deleteFrom('pushSubscriptions').where('addressHash', '=', addressHash).execute()
    const kept = await trx
      .selectFrom('pushSubscriptions')
      .select('id')
      .where('userId', '=', userId)
      .orderBy('id', 'desc')
      .limit(MOST_DEVICES - 1)
      .execute()
    if (kept.length === MOST_DEVICES - 1)
      await trx
        .deleteFrom('pushSubscriptions')
        .where('userId', '=', userId)
        .where(
          'id',
          'not in',
          kept.map((device) => device.id),
        )
        .execute()
    const row = { id, userId, sessionId, addressHash, device: deviceOf(userAgent ?? null), sealed: seal(PURPOSE, id, JSON.stringify(body)) }
    const added = await trx
      .insertInto('pushSubscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('addressHash').doUpdateSet(row))
      .returningAll()
      .executeTakeFirstOrThrow()
    return toDevice(added)
  })
}

/** Returns whether this person had it. */
export async function removePushDevice(userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pushSubscriptions').where('userId', '=', userId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** The push service says that a subscription has ended. */
export async function forgetPushDevice(id: string): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute()
}

/** Undefined: it has ended, or its person has signed out. */
export async function findPushSubscription(id: string): Promise<(PushSubscriptionBody & { userId: string }) | undefined> {
  const row = await signedInDevices().selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...pushSubscriptionBody.parse(JSON.parse(unseal(PURPOSE, id, row.sealed).toString())), userId: row.userId }
}

export async function notePushSent(id: string): Promise<void> {
  await db.updateTable('pushSubscriptions').set({ lastSentAt: new Date() }).where('id', '=', id).execute()
}

function refuseInside(endpoint: string): void {
  const host = URL.parse(endpoint)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (host === '' || host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host)))
    stop('unprocessable', 'This browser’s subscription can’t be used.', { code: 'validation_failed' })
}

function toDevice({ id, addressHash, device, createdAt, lastSentAt }: Row<'pushSubscriptions'>): PushDevice {
  const hash = Buffer.from(addressHash).toString('hex')
  return { id, hash, device, createdAt: createdAt.toISOString(), lastSentAt: lastSentAt?.toISOString() ?? null }
}

defineJob(
  'notifications.ended-devices',
  z.unknown(),
  async () =>
    void (await db
      .deleteFrom('pushSubscriptions')
      .where(condition`NOT ${hasSession}`)
      .execute()),
  { every: 'day' },
)
