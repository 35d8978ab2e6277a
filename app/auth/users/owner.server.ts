import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { AUTO_CONFIRM_IN_PUBLIC, env, isLocalInstallation } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import type { Row } from '#db/tables.ts'
import { confirmsWithoutProof, hasOwner } from './account.server.ts'
import { audit } from './audit.server.ts'
import { greetFirstOwner } from './first-owner.server.ts'
import { isEmailProven } from './proven.server.ts'

/** Only `ownerEmail` may become the owner. Without it, the first user may, but only on a local installation. */
export type OwnerRule = { ownerEmail: string | undefined; isLocal: boolean }

export const ownerRule: OwnerRule = { ownerEmail: env.OWNER_EMAIL, isLocal: isLocalInstallation }

/**
 * Makes the first account with a proven email address the owner; with OWNER_EMAIL only that account. The update locks the row that names the
 * owner, so two users at the same moment cannot both win.
 * Returns whether this user has just become the owner.
 */
export async function claimOwnership(trx: Trx, user: Row<'users'>, rule = ownerRule): Promise<boolean> {
  if (!isEmailProven(user) || !mayClaim(user, rule)) return false
  const { numUpdatedRows } = await trx.updateTable('installation').set({ ownerId: user.id }).where('ownerId', 'is', null).executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx
    .updateTable('users')
    .set({ appMetadata: JSON.stringify({ ...user.appMetadata, role: 'owner' }) })
    .where('id', '=', user.id)
    .execute()
  await audit(trx, 'owner_claimed', { actorId: user.id, subjectId: user.id })
  await greetFirstOwner(trx, user.id)
  return true
}

/** On a public installation, the first user could be a stranger. */
export function mayClaim({ email }: { email: string | null }, { ownerEmail, isLocal }: OwnerRule): boolean {
  return ownerEmail ? email?.toLowerCase() === ownerEmail.toLowerCase() : isLocal
}

/**
 * Runs at start: the account of OWNER_EMAIL may have been confirmed before the setting was made. Refuses to start where the first stranger
 * to sign up could become the owner.
 */
export async function settleOwner({ ownerEmail, isLocal } = ownerRule, { autoConfirms = confirmsWithoutProof } = {}): Promise<void> {
  if (await hasOwner()) return
  if (autoConfirms && !isLocal) throw new OperatorError(AUTO_CONFIRM_IN_PUBLIC)
  if (ownerEmail) return claimFor(ownerEmail)
  if (isLocal) return
  throw new OperatorError(
    'OWNER_EMAIL must be the address of the person who will own this installation while HOST or SITE_URL is reachable by others, such as owner@example.com.',
  )
}

async function claimFor(ownerEmail: string): Promise<void> {
  await transaction(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .selectAll()
      .where('email', '=', ownerEmail)
      .where('emailConfirmedAt', 'is not', null)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (user) await claimOwnership(trx, user, { ownerEmail, isLocal: false })
  })
}

/** Whether the next confirmed account will own this installation. */
export async function isOwnerAwaited({ ownerEmail, isLocal } = ownerRule): Promise<boolean> {
  return isLocal && !ownerEmail && !(await hasOwner())
}
