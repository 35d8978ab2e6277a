import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { listMadeBefore } from '#app/auth/users/made-before.server.ts'
import { listOtherSignIns } from '#app/auth/users/other-sign-ins.server.ts'
import { listLiveKeys, revokeKeys } from '#app/auth/users/user-keys.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { identityEmail } from '#app/auth/tokens/identity.email.tsx'
import { keepIdentity, setProviders } from '#app/auth/users/user-identity.server.ts'
import { hashPassword, isPassword } from './hashing.server.ts'
import { passwordChangedEmail } from './password-changed.email.tsx'
import { isShortForStaff } from './password.server.ts'
import { endOtherSessions } from './session.server.ts'

export type HashedPassword = { passwordHash: string; passwordShort: boolean }

/** `keepSession` stays signed in. `byEmail`: an email or a message led here, so another person may have used the account before. */
export type NewPasswordOptions = { keepSession: string | undefined; revokesKeys: boolean; byEmail: boolean }

/** Hashes a checked new password for a signed-in user. Hashing is slow, so it comes before the transaction that stores it. */
export async function prepareNewPassword(user: User, password: string): Promise<HashedPassword> {
  if (await isPassword(password, user.passwordHash)) refuse('same_password')
  return hashNewPassword(password)
}

/**
 * Stores a new password, signs out all other sessions, voids earlier emails, and sends a notice that lists API keys and other sign-in
 * methods. A pending change of address is dropped: an intruder with the old password may have asked for it.
 */
export async function keepNewPassword(
  trx: Trx,
  user: User,
  password: HashedPassword,
  { keepSession, revokesKeys, byEmail }: NewPasswordOptions,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...password, newEmail: null, emailChangeSentAt: null, newPhone: null, phoneChangeSentAt: null, updatedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  await endOtherSessions(trx, user.id, keepSession)
  await voidTokens(trx, user.id)
  if (byEmail) await dropUnprovenIdentities(trx, user)
  await audit(trx, 'user_updated_password', { actorId: user.id, subjectId: user.id, detail: byEmail ? { byEmail } : {} })
  const isFirst = user.passwordHash === null && user.lastSignInAt === null
  const keys = await (revokesKeys ? revokeKeys(trx, user.id, { id: user.id }) : listLiveKeys(trx, user.id))
  if (user.email && !isFirst) {
    const signIns = await listOtherSignIns(trx, user.id)
    const made = byEmail ? await listMadeBefore(trx, user.id, new Date()) : undefined
    await enqueueEmail(trx, passwordChangedEmail(user.email, { at: new Date().toISOString(), keys, revoked: revokesKeys, signIns, made }))
  }
}

/** For an account without a password to compare with. */
export async function hashNewPassword(password: string): Promise<HashedPassword> {
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}

/**
 * Removes the providers that were linked before any address of the account was proven, and notifies the user. A stranger may have linked
 * them, and only a recovery by email proves who owns the address. The user can link them again.
 */
async function dropUnprovenIdentities(trx: Trx, { id: userId, email }: User): Promise<void> {
  const gone = await trx
    .deleteFrom('identities')
    .where('userId', '=', userId)
    .where('joinedUnproven', '=', true)
    .returning('provider')
    .execute()
  if (gone.length === 0) return
  // The address that was just proven becomes a sign-in method.
  if (email) await keepIdentity(trx, userId, 'email', { email, email_verified: true })
  await setProviders(trx, userId)
  for (const { provider } of gone) {
    await audit(trx, 'identity_unlinked', { actorId: userId, subjectId: userId, detail: { provider } })
    if (email) await enqueueEmail(trx, identityEmail(email, { at: new Date().toISOString(), provider, isAdded: false }))
  }
}
