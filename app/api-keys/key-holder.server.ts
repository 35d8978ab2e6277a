import { sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'
import { Stop, stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import { findKeyOwner, type KeyOwner } from './key-owner.server.ts'
import { hashOf, isWellFormed } from './key-text.server.ts'
import { noteRefusedKey, noteUnknownKey } from './refused-key.server.ts'
import { THIS_MONTH } from './quota.server.ts'

/** A key that works, with whose it is and what has been used of its quota. */
export type KeyHolder = { key: Row<'apiKeys'>; owner: KeyOwner; used: number }

/** To whom a key belongs. Stops with 401 and why, when it opens nothing: whoever holds it may know that, and a stranger cannot guess one. */
export async function openKey(text: string, address: string): Promise<KeyHolder> {
  if (!isWellFormed(text)) stop('notSignedIn', 'This is not a key: a character of it is wrong or missing.', { code: 'invalid_key' })
  const known = await findKey(hashOf(text))
  if (!known) {
    noteUnknownKey(address)
    stop('notSignedIn', 'There is no such key.', { code: 'invalid_key' })
  }
  const { used, ...key } = known
  const owner = await openedBy(key).catch((error: unknown) => {
    if (error instanceof Stop) noteRefusedKey({ key, address, reason: error.extra.code ?? error.kind })
    throw error
  })
  await noteUse(key)
  return { key, owner, used: used ?? 0 }
}

async function openedBy(key: Row<'apiKeys'>): Promise<KeyOwner> {
  if (key.revokedAt) stop('notSignedIn', 'This key has been revoked.', { code: 'key_revoked' })
  if (key.expiresAt && key.expiresAt <= new Date()) stop('notSignedIn', 'This key has expired.', { code: 'key_expired' })
  const owner = await findKeyOwner(key.userId)
  if (!owner) stop('notSignedIn', 'The account that this key belongs to is closed.', { code: 'key_owner_gone' })
  return owner
}

/** Whether a key that is limited to some datasets has this one among them. */
export function isInScope({ productIds }: Pick<Row<'apiKeys'>, 'productIds'>, productId: string): boolean {
  return productIds === null || productIds.includes(productId)
}

function findKey(hash: string) {
  return db
    .selectFrom('apiKeys')
    .leftJoin('apiQuotas', (on) => on.onRef('apiQuotas.keyId', '=', 'apiKeys.countedAs').on('apiQuotas.month', '=', THIS_MONTH))
    .selectAll('apiKeys')
    .select('apiQuotas.used')
    .where('keyHash', '=', hash)
    .executeTakeFirst()
}

const NOTED_MS = 60_000

/** Once a minute at most: it is asked of the row that was just read, and once more by the statement, so many at once write it once. */
async function noteUse({ id, lastUsedAt }: Row<'apiKeys'>): Promise<void> {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < NOTED_MS) return
  await sql`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < now() - ${NOTED_MS} * interval '1 millisecond')`.execute(db)
}
