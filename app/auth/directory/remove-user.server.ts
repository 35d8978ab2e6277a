import type { Trx } from '#app/platform/database/db.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import { type Actor, audit, by, eraseAddresses } from '#app/auth/users/audit.server.ts'
import { clearAuthorPages } from '#app/auth/users/author-pages.server.ts'
import { keepAnOwner } from '#app/auth/users/last-owner.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { removeDataAccess } from './remove-data-access.server.ts'

/**
 * Deletes an account and its data. Its enquiries are handled separately. The audit log stays, with only an id of the user.
 * The last owner cannot be deleted.
 */
export async function removeUser(trx: Trx, { id }: Pick<User, 'id'>, actor: Actor): Promise<void> {
  await keepAnOwner(trx, id)
  await removeBelongings(trx, id)
  await eraseAddresses(trx, id)
  await trx.deleteFrom('users').where('id', '=', id).execute()
  await audit(trx, 'user_deleted', { ...by(actor), subjectId: id })
}

/** Soft delete: clears the account's data and ends its access. Its id stays for references, and its addresses are free again. */
export async function emptyUser(trx: Trx, { id, email, phone }: Pick<User, 'id' | 'email' | 'phone'>, actor: Actor): Promise<void> {
  await keepAnOwner(trx, id)
  await removeBelongings(trx, id)
  for (const table of [
    'sessions',
    'mfaFactors',
    'webauthnCredentials',
    'recoveryCodes',
    'identities',
    'oneTimeTokens',
    'flowStates',
  ] as const) {
    await trx.deleteFrom(table).where('userId', '=', id).execute()
  }
  const now = new Date()
  await trx
    .updateTable('users')
    .set({
      email: email && veiled(id, email),
      phone: phone && veiled(id, phone).slice(0, 15),
      newEmail: null,
      newPhone: null,
      passwordHash: null,
      passwordShort: false,
      userMetadata: '{}',
      appMetadata: '{}',
      cameFrom: null,
      deletedAt: now,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute()
  await audit(trx, 'user_deleted', { ...by(actor), subjectId: id, detail: { soft: true } })
}

async function removeBelongings(trx: Trx, userId: string): Promise<void> {
  await clearAuthorPages(trx, userId)
  const tables = [
    'avatars',
    'accountDeletions',
    'notifications',
    'notificationPreferences',
    'pushSubscriptions',
    'hiddenFirstSteps',
    'leadSignatures',
    'leadColumns',
  ] as const
  for (const table of tables) await trx.deleteFrom(table).where('userId', '=', userId).execute()
  await trx.deleteFrom('webhookDeliveries').where('subjectId', '=', userId).execute()
  await removeDataAccess(trx, userId)
}

/** Keyed, so that the address cannot be found by hashing guesses. */
function veiled(id: string, address: string): string {
  return macText('deleted-address', `${id}:${address}`).toLowerCase()
}
