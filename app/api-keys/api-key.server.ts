import { sql } from 'kysely'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { lockPerson } from '#app/identity/person.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import { type ApiKey, type KeyBody, type MadeKey, MONTHLY_QUOTA, MOST_KEYS } from './api-key.ts'
import { keyMadeLetter } from './key-made.email.tsx'
import { findOwnKey } from './key-list.server.ts'
import { newKey } from './key-text.server.ts'
import { THIS_MONTH } from './quota.server.ts'

type Key = Row<'apiKeys'>

/** Each new key is a letter to its owner. */
const NEW_KEYS: Limit = { name: 'new-keys', points: 60, seconds: 3600 }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Makes a key for somebody. The answer has the key itself, which is kept nowhere. */
export async function makeKey(userId: string, { name, productIds, expiresInDays }: KeyBody, actor: Actor): Promise<MadeKey> {
  await consume(NEW_KEYS, userId)
  await refuseUnknownProducts(productIds)
  const { text, prefix, hash } = newKey()
  const id = newId()
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS)
  await transaction(async (trx) => {
    const person = await lockPerson(trx, userId)
    await refuseTooMany(trx, userId)
    const given = { id, countedAs: id, userId, name, prefix, keyHash: hash, productIds, monthlyQuota: MONTHLY_QUOTA, expiresAt }
    const key = await insert(trx, 'apiKeys', given)
    await audit(trx, 'api_key_made', { ...by(actor), subjectId: userId, detail: { key: id, prefix } })
    if (person?.email) await post(trx, keyMadeLetter(person.email, { ...factsOf(key), replaced: null }))
  })
  return withText(text, await findOwnKey(userId, id))
}

/** Another key in the place of one that works, which works on for so many hours. It opens the same, is counted on, and lives as long as the old one was meant to. */
export async function rotateKey(userId: string, id: string, overlapHours: number, actor: Actor): Promise<MadeKey | undefined> {
  await consume(NEW_KEYS, userId)
  const { text, prefix, hash } = newKey()
  const newKeyId = newId()
  const isMade = await transaction(async (trx) => {
    const person = await lockPerson(trx, userId)
    const old = await findLive(trx, userId, id)
    if (!old) return false
    await refuseThird(trx, old)
    const now = Date.now()
    const life = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime()
    const { countedAs, name, productIds, monthlyQuota } = old
    const expiresAt = life === null ? null : new Date(now + life)
    const given = { id: newKeyId, countedAs, userId, name, prefix, keyHash: hash, productIds, monthlyQuota, expiresAt }
    const key = await insert(trx, 'apiKeys', given)
    const until = new Date(Math.min(now + overlapHours * HOUR_MS, old.expiresAt?.getTime() ?? Infinity))
    await trx.updateTable('apiKeys').set({ replacedBy: key.id, expiresAt: until }).where('id', '=', id).execute()
    const detail = { key: key.id, prefix, replaces: id, until: until.toISOString() }
    await audit(trx, 'api_key_rotated', { ...by(actor), subjectId: userId, detail })
    const replaced = { prefix: old.prefix, until: until.toISOString() }
    if (person?.email) await post(trx, keyMadeLetter(person.email, { ...factsOf(key), replaced }))
    return true
  })
  return isMade ? withText(text, await findOwnKey(userId, newKeyId)) : undefined
}

/** Answers the key under its new name; nothing where it is not theirs. */
export async function renameKey(userId: string, id: string, name: string, actor: Actor): Promise<ApiKey | undefined> {
  await transaction(async (trx) => {
    const named = trx.updateTable('apiKeys').set({ name }).where('id', '=', id).where('userId', '=', userId)
    const { numUpdatedRows } = await named.executeTakeFirst()
    if (numUpdatedRows > 0n) await audit(trx, 'api_key_renamed', { ...by(actor), subjectId: userId, detail: { key: id } })
  })
  return findOwnKey(userId, id)
}

/** Ends a key with its next request. Answers `false` where there is none of theirs; one that has ended stays so. */
export async function revokeKey(userId: string, id: string, actor: Actor): Promise<boolean> {
  return transaction(async (trx) => {
    const key = await trx.selectFrom('apiKeys').selectAll().where('id', '=', id).where('userId', '=', userId).forUpdate().executeTakeFirst()
    if (!key || key.revokedAt) return key !== undefined
    await trx.updateTable('apiKeys').set({ revokedAt: new Date() }).where('id', '=', id).execute()
    await audit(trx, 'api_key_revoked', { ...by(actor), subjectId: userId, detail: { key: id, prefix: key.prefix } })
    return true
  })
}

/** Staff give a key, and those that it is counted with, another quota. What its owner was told of the old one is told anew of this one. */
export async function setQuota(id: string, monthlyQuota: number, actor: Actor): Promise<ApiKey | undefined> {
  const userId = await transaction(async (trx) => {
    const key = await trx.selectFrom('apiKeys').select(['userId', 'countedAs']).where('id', '=', id).executeTakeFirst()
    if (!key) return undefined
    await trx.updateTable('apiKeys').set({ monthlyQuota }).where('countedAs', '=', key.countedAs).execute()
    await sql`
      UPDATE api_quotas SET told = CASE WHEN used >= ${monthlyQuota} THEN 100 WHEN used * 100.0 >= ${monthlyQuota} * 80.0 THEN 80 ELSE 0 END
      WHERE key_id = ${key.countedAs} AND month = ${THIS_MONTH}`.execute(trx)
    await audit(trx, 'api_key_quota_set', { ...by(actor), subjectId: key.userId, detail: { key: id, monthlyQuota } })
    return key.userId
  })
  return userId === undefined ? undefined : findOwnKey(userId, id)
}

/** Keys that limit themselves to datasets name some that are on the shelf. */
async function refuseUnknownProducts(productIds: string[] | null): Promise<void> {
  if (!productIds) return
  const wanted = [...new Set(productIds.map((id) => id.toLowerCase()))]
  const known = db
    .selectFrom('dataProducts')
    .select('id')
    .where('id', 'in', wanted)
    .where('removedAt', 'is', null)
    .where('hidden', '=', false)
  if ((await known.execute()).length === wanted.length) return
  const sentence = 'One of these datasets is not on the shelf.'
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { productIds: sentence } })
}

/** Asked while nobody else makes a key for them. A key that is revoked has used its quota all the same, so it counts until the month ends. */
async function refuseTooMany(trx: Trx, userId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT counted_as)::integer AS count FROM api_keys
    WHERE user_id = ${userId} AND (
      (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
      OR EXISTS (SELECT 1 FROM api_quotas WHERE key_id = counted_as AND month = ${THIS_MONTH})
    )`.execute(trx)
  if ((rows[0]?.count ?? 0) < MOST_KEYS) return
  const sentence = `You have ${MOST_KEYS} keys that work or have been used this month. Revoke one that is not used, or wait for the next month.`
  stop('conflict', sentence, { code: 'too_many_keys' })
}

async function findLive(trx: Trx, userId: string, id: string): Promise<Key | undefined> {
  const key = await trx.selectFrom('apiKeys').selectAll().where('id', '=', id).where('userId', '=', userId).forUpdate().executeTakeFirst()
  if (!key) return undefined
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= new Date()))
    stop('conflict', 'This key does not work any more. Make a new one.', { code: 'key_ended' })
  if (key.replacedBy) stop('conflict', 'Another key has taken its place already.', { code: 'key_replaced' })
  return key
}

/** Of keys that took each other's place two work at once, no more: else each rotation would leave one behind. */
async function refuseThird(trx: Trx, { id }: Key): Promise<void> {
  const before = await trx
    .selectFrom('apiKeys')
    .select('prefix')
    .where('replacedBy', '=', id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (before) stop('conflict', `The key before this one, ${before.prefix}…, still works. Revoke it first.`, { code: 'key_overlaps' })
}

function factsOf({ name, prefix, createdAt }: Key) {
  return { at: createdAt.toISOString(), name, prefix }
}

function withText(key: string, made: ApiKey | undefined): MadeKey {
  if (!made) throw new Error('A key that was just made is not there.')
  return { ...made, key }
}
