import { type Database, db, transaction, type Trx } from '#app/platform/db.server.ts'
import { AUTO_CONFIRM_IN_PUBLIC, env, isHosted, isLocalInstallation } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import type { Row } from '#db/tables.ts'
import { audit } from './audit.server.ts'
import { isEmailProven } from './proven.server.ts'

/** Sign-ups of the hosted service are not confirmed here. */
const confirmsWithoutProof = env.MAILER_AUTOCONFIRM && !isHosted

/** Who may become the owner: the one who is named, else, where nobody else can come in, whoever is first. */
export type OwnerRule = { ownerEmail: string | undefined; isLocal: boolean }

export const ownerRule: OwnerRule = { ownerEmail: env.OWNER_EMAIL, isLocal: isLocalInstallation }

/**
 * The first account with a proven email address owns the installation; with OWNER_EMAIL only that one. The row that names the owner
 * is locked by whoever comes first, so two at the same moment cannot both win.
 * Answers whether this user has just become the owner.
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
  return true
}

/** Beyond one's own machine, being first would make a stranger the owner. */
export function mayClaim({ email }: { email: string | null }, { ownerEmail, isLocal }: OwnerRule): boolean {
  return ownerEmail ? email?.toLowerCase() === ownerEmail.toLowerCase() : isLocal
}

/**
 * At the start: whoever OWNER_EMAIL names may have confirmed their account before they were named. Refuses to start where the first stranger to
 * sign up could become the owner.
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

/** Whether someone owns this installation already. */
export async function hasOwner(): Promise<boolean> {
  if (isHosted) return hasHostedOwner()
  const row = await db.selectFrom('installation').select('ownerId').executeTakeFirst()
  return Boolean(row?.ownerId)
}

/** The same for accounts that a hosted service keeps. */
export async function hasHostedOwner(connection: Database | Trx = db): Promise<boolean> {
  const owner = await connection
    .selectFrom('hostedAccounts')
    .select('id')
    .where('role', '=', 'owner')
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** Whether the next account that is confirmed will own this installation, whoever makes it. */
export async function isOwnerAwaited({ ownerEmail, isLocal } = ownerRule): Promise<boolean> {
  return isLocal && !ownerEmail && !(await hasOwner())
}
