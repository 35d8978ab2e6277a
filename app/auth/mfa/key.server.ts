import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { insert } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { KeyUse, NewKey } from './ceremony.server.ts'

/** A WebAuthn key: a passkey, or the key of a second factor. */
export type Key = Row<'webauthnCredentials'>

type Owner = { userId: string; factorId?: string; friendlyName?: string }

export async function keepKey(trx: Trx, { transports, ...key }: NewKey, owner: Owner): Promise<Key> {
  return insert(trx, 'webauthnCredentials', { ...key, ...owner, transports: JSON.stringify(transports) })
}

/** A key belongs to one account. Only the owner of the authenticator can see this refusal. */
export function refuseKnownKey(error: unknown): never {
  if (breaks(error, 'webauthn_credentials_credential_id')) refuse('webauthn_credential_exists')
  throw error
}

/**
 * Stores a use of a key. `false`: its counter did not increase, so there may be a copy, or its backup eligibility changed. The check is part
 * of the update, so of two parallel uses with one count only one succeeds.
 */
export async function noteUse(trx: Trx, id: string, { signCount, backupEligible, backedUp }: KeyUse): Promise<boolean> {
  const now = new Date()
  const { numUpdatedRows } = await trx
    .updateTable('webauthnCredentials')
    .set({ signCount, backedUp, lastUsedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('backupEligible', '=', backupEligible)
    .where((row) => row.or([row('signCount', '<', signCount), row.and([row('signCount', '=', 0), row.lit(signCount === 0)])]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Oldest first. */
export function listPasskeys(connection: Database | Trx, userId: string): Promise<Key[]> {
  return connection
    .selectFrom('webauthnCredentials')
    .selectAll()
    .where('userId', '=', userId)
    .where('factorId', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(100)
    .execute()
}

export function listFactorKeys(connection: Database | Trx, userId: string): Promise<Key[]> {
  return connection
    .selectFrom('webauthnCredentials')
    .selectAll()
    .where('userId', '=', userId)
    .where('factorId', 'is not', null)
    .limit(100)
    .execute()
}
