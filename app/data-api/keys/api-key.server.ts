import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { lockAccount } from '#app/auth/users/account.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now, queryRows, secondsFromNow } from '#app/platform/database/sql.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { Row } from '#db/tables.ts'
import { type ApiKey, type KeyBody, type MadeKey, MONTHLY_QUOTA, MOST_KEYS, REVOCATION_UNDO } from './api-key.ts'
import { heldBy, type KeyHolder } from './key-holding.server.ts'
import { keyMadeEmail } from './key-made.email.tsx'
import { findOwnKey } from './key-list.server.ts'
import { newKey } from './key-text.server.ts'
import { THIS_MONTH } from './quota.server.ts'

type Key = Row<'apiKeys'>

/** Changes of one holder's keys run one after the other. Returns the address of the one who acts. */
async function lockHolder(trx: Trx, { userId, organizationId, isService }: KeyHolder) {
  if (isService) await lockOrganization(trx, organizationId)
  return lockAccount(trx, userId)
}

/** Each new key sends its owner an email. */
const NEW_KEYS: Limit = { name: 'new-keys', points: 60, seconds: 3600 }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Creates a key for an organization of the person. Only this response contains the key itself: the database has its hash. */
export async function makeKey(holder: KeyHolder, { name, productIds, expiresInDays }: KeyBody, actor: Actor): Promise<MadeKey> {
  const { userId, organizationId, isService } = holder
  await consume(NEW_KEYS, userId)
  await refuseUnknownProducts(productIds)
  const { text, prefix, hash } = newKey()
  const id = newId()
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS)
  await transaction(async (trx) => {
    const person = await lockHolder(trx, holder)
    await refuseTooMany(trx, holder)
    const given = {
      id,
      countedAs: id,
      organizationId,
      userId,
      isService,
      name,
      prefix,
      keyHash: hash,
      productIds,
      monthlyQuota: MONTHLY_QUOTA,
      expiresAt,
    }
    const key = await insert(trx, 'apiKeys', given)
    await audit(trx, 'api_key_made', { ...by(actor), subjectId: isService ? organizationId : userId, detail: { key: id, prefix } })
    if (person?.email) await enqueueEmail(trx, keyMadeEmail(person.email, { ...factsOf(key), replaced: null }))
  })
  return withText(text, await findOwnKey(holder, id))
}

/** Creates a replacement for a working key, which keeps working for `overlapHours`. The new key has the same scope, quota and lifetime. */
export async function rotateKey(holder: KeyHolder, id: string, overlapHours: number, actor: Actor): Promise<MadeKey | undefined> {
  await consume(NEW_KEYS, holder.userId)
  const { text, prefix, hash } = newKey()
  const newKeyId = newId()
  const isMade = await transaction(async (trx) => {
    const person = await lockHolder(trx, holder)
    const old = await findLive(trx, holder, id)
    if (!old) return false
    await refuseThird(trx, old)
    const now = Date.now()
    const life = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime()
    const { countedAs, organizationId, userId, isService, name, productIds, monthlyQuota } = old
    const expiresAt = life === null ? null : new Date(now + life)
    const given = {
      id: newKeyId,
      countedAs,
      organizationId,
      userId,
      isService,
      name,
      prefix,
      keyHash: hash,
      productIds,
      monthlyQuota,
      expiresAt,
    }
    const key = await insert(trx, 'apiKeys', given)
    const until = new Date(Math.min(now + overlapHours * HOUR_MS, old.expiresAt?.getTime() ?? Infinity))
    await trx.updateTable('apiKeys').set({ replacedBy: key.id, expiresAt: until }).where('id', '=', id).execute()
    const detail = { key: key.id, prefix, replaces: id, until: until.toISOString() }
    await audit(trx, 'api_key_rotated', { ...by(actor), subjectId: isService ? organizationId : userId, detail })
    const replaced = { prefix: old.prefix, until: until.toISOString() }
    if (person?.email) await enqueueEmail(trx, keyMadeEmail(person.email, { ...factsOf(key), replaced }))
    return true
  })
  return isMade ? withText(text, await findOwnKey(holder, newKeyId)) : undefined
}

/** Returns the renamed key, or undefined if the user has no such key. */
export async function renameKey(holder: KeyHolder, id: string, name: string, actor: Actor): Promise<ApiKey | undefined> {
  await transaction(async (trx) => {
    const named = trx.updateTable('apiKeys').set({ name }).where('id', '=', id).where(heldBy(holder))
    const { numUpdatedRows } = await named.executeTakeFirst()
    if (numUpdatedRows > 0n) await audit(trx, 'api_key_renamed', { ...by(actor), subjectId: subjectOf(holder), detail: { key: id } })
  })
  return findOwnKey(holder, id)
}

/** Revokes a key with effect from its next request. Returns `false` if the user has no such key; a key that has ended stays as it is. */
export async function revokeKey(holder: KeyHolder, id: string, actor: Actor): Promise<boolean> {
  return transaction(async (trx) => {
    const key = await trx.selectFrom('apiKeys').selectAll().where('id', '=', id).where(heldBy(holder)).forUpdate().executeTakeFirst()
    if (!key || key.revokedAt) return key !== undefined
    const revoked = { revokedAt: now, revokedBy: actor.id ?? null }
    await trx.updateTable('apiKeys').set(revoked).where('id', '=', id).execute()
    await audit(trx, 'api_key_revoked', { ...by(actor), subjectId: subjectOf(holder), detail: { key: id, prefix: key.prefix } })
    return true
  })
}

/**
 * Undoes a revocation within `REVOCATION_UNDO` seconds, for the person who revoked the key. Returns a working key unchanged, and undefined
 * if the user has no such key. The limits of new keys apply, because others may have been created meanwhile.
 */
export async function undoRevocation(holder: KeyHolder, id: string, actor: Actor): Promise<ApiKey | undefined> {
  await transaction(async (trx) => {
    await lockHolder(trx, holder)
    const key = await trx.selectFrom('apiKeys').selectAll().where('id', '=', id).where(heldBy(holder)).forUpdate().executeTakeFirst()
    if (!key?.revokedAt) return
    const undone = await trx
      .updateTable('apiKeys')
      .set({ revokedAt: null, revokedBy: null })
      .where('id', '=', id)
      .where('revokedBy', '=', actor.id ?? null)
      .where('revokedAt', '>', secondsFromNow(-REVOCATION_UNDO))
      .returning('id')
      .executeTakeFirst()
    if (!undone) stop('conflict', 'It is too late to undo this. Create a new key.', { code: 'too_late' })
    await refuseTooMany(trx, holder, MOST_KEYS)
    if (key.replacedBy) await refuseReplacedTwice(trx, key.replacedBy)
    await audit(trx, 'api_key_revocation_undone', { ...by(actor), subjectId: subjectOf(holder), detail: { key: id, prefix: key.prefix } })
  })
  return findOwnKey(holder, id)
}

/** Sets the quota of a key and of those that share it. The owner gets the quota emails again for the new one. */
export async function setQuota(id: string, monthlyQuota: number, actor: Actor): Promise<ApiKey | undefined> {
  const holder = await transaction(async (trx) => {
    const key = await trx
      .selectFrom('apiKeys')
      .select(['userId', 'organizationId', 'isService', 'countedAs'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!key) return undefined
    await trx.updateTable('apiKeys').set({ monthlyQuota }).where('countedAs', '=', key.countedAs).execute()
    // A key's quota set by staff must not fail at the quota of its organization.
    await trx
      .updateTable('organizations')
      .set({ monthlyQuota })
      .where('id', '=', key.organizationId)
      .where('monthlyQuota', '<', monthlyQuota)
      .execute()
    await sql`
      UPDATE api_quotas SET told = CASE WHEN used >= ${monthlyQuota} THEN 100 WHEN used * 100.0 >= ${monthlyQuota} * 80.0 THEN 80 ELSE 0 END
      WHERE key_id = ${key.countedAs} AND month = ${THIS_MONTH}`.execute(trx)
    await audit(trx, 'api_key_quota_set', { ...by(actor), subjectId: subjectOf(key), detail: { key: id, monthlyQuota } })
    return key
  })
  return holder && findOwnKey(holder, id)
}

/** Revokes a key of an organization, whosever it is. Returns `false` if the organization has no such key that works. */
export async function revokeOrganizationKey(organizationId: string, id: string, actor: Actor): Promise<boolean> {
  const key = await findWorking(organizationId, id)
  return key !== undefined && revokeKey(key, id, actor)
}

/** Undoes that, as `undoRevocation` does. Returns undefined if the organization has no such key. */
export async function restoreOrganizationKey(organizationId: string, id: string, actor: Actor): Promise<ApiKey | undefined> {
  const key = await holderIn(organizationId, id).executeTakeFirst()
  return key && undoRevocation(key, id, actor)
}

/** Sets the share of a key in the quota of its organization. Returns undefined if the organization has no such key. */
export async function shareQuota(organizationId: string, id: string, monthlyQuota: number, actor: Actor): Promise<ApiKey | undefined> {
  if (!(await findWorking(organizationId, id))) return undefined
  const { monthlyQuota: all } = await db
    .selectFrom('organizations')
    .select('monthlyQuota')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const sentence = `Your organization has ${numberText(all)} requests a month. A key cannot have more.`
  if (monthlyQuota > all) stop('unprocessable', sentence, { code: 'validation_failed', errors: { monthlyQuota: sentence } })
  return setQuota(id, monthlyQuota, actor)
}

async function findWorking(organizationId: string, id: string): Promise<KeyHolder | undefined> {
  return holderIn(organizationId, id).where('revokedAt', 'is', null).executeTakeFirst()
}

const holderIn = (organizationId: string, id: string) =>
  db
    .selectFrom('apiKeys')
    .select(['userId', 'organizationId', 'isService'])
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)

/** A key may be limited only to published datasets. */
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
  const sentence = 'One of these datasets is not published.'
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { productIds: sentence } })
}

/** Runs under a lock on the owner's keys. `most` is the count that is still fine. A revoked key has used its quota, so it counts until the month ends. */
async function refuseTooMany(trx: Trx, { userId, organizationId, isService }: KeyHolder, most = MOST_KEYS - 1): Promise<void> {
  const rows = await queryRows(
    trx,
    { count: z.number() },
    sql`
    SELECT count(DISTINCT counted_as)::integer AS count FROM api_keys
    WHERE ${isService ? sql`organization_id = ${organizationId}` : sql`user_id = ${userId}`} AND is_service = ${isService} AND (
      (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
      OR EXISTS (SELECT 1 FROM api_quotas WHERE key_id = counted_as AND month = ${THIS_MONTH})
    )`,
  )
  if ((rows[0]?.count ?? 0) <= most) return
  const sentence = `You have ${MOST_KEYS} keys that work or were used this month. Revoke one that you don’t use, or wait until next month.`
  stop('conflict', sentence, { code: 'too_many_keys' })
}

async function findLive(trx: Trx, holder: KeyHolder, id: string): Promise<Key | undefined> {
  const key = await trx.selectFrom('apiKeys').selectAll().where('id', '=', id).where(heldBy(holder)).forUpdate().executeTakeFirst()
  if (!key) return undefined
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= new Date()))
    stop('conflict', 'This key no longer works. Create a new one.', { code: 'key_ended' })
  if (key.replacedBy) stop('conflict', 'This key has already been replaced.', { code: 'key_replaced' })
  return key
}

/** At most two keys of a rotation work at the same time. Otherwise each rotation would leave one behind. */
async function refuseThird(trx: Trx, { id }: Key): Promise<void> {
  const before = await trx
    .selectFrom('apiKeys')
    .select('prefix')
    .where('replacedBy', '=', id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (before) stop('conflict', `The key before this one, ${before.prefix}…, still works. Revoke it first.`, { code: 'key_overlaps' })
}

/** While a key was revoked, the one that replaced it may have been replaced as well: then three of them would work. */
async function refuseReplacedTwice(trx: Trx, nextId: string): Promise<void> {
  const next = await trx
    .selectFrom('apiKeys')
    .select('replacedBy')
    .where('id', '=', nextId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (next?.replacedBy) stop('conflict', 'The key that replaced this one has been replaced too.', { code: 'key_overlaps' })
}

/** Whose audit log has it. */
function subjectOf({ userId, organizationId, isService }: KeyHolder): string {
  return isService ? organizationId : userId
}

function factsOf({ name, prefix, createdAt }: Key) {
  return { at: createdAt.toISOString(), name, prefix }
}

function withText(key: string, made: ApiKey | undefined): MadeKey {
  if (!made) throw new Error('A key that was just made is not there.')
  return { ...made, key }
}
