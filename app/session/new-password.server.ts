import { post } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import { hashPassword, isPassword } from '#app/password/hashing.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { passwordChangedLetter } from '#app/password/password-changed.email.tsx'
import { isShortForStaff } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { listLiveKeys, revokeKeys } from '#app/identity/user-keys.server.ts'
import { endOtherSessions } from './session.server.ts'
import type { User } from '#app/identity/user.server.ts'

export type HashedPassword = { passwordHash: string; passwordShort: boolean }

/** `keepSession` stays signed in. */
export type Manner = { keepSession: string | undefined; revokesKeys: boolean }

/** Hashes a new password, which has been checked, for a signed-in user. The work comes before the transaction that keeps it. */
export async function prepareNewPassword(user: User, password: string): Promise<HashedPassword> {
  if (await isPassword(password, user.passwordHash)) refuse('same_password')
  return hashNewPassword(password)
}

/**
 * Keeps a new password: whoever else is signed in is signed out, letters sent before open nothing and cannot be asked for again (whoever knew the old
 * password may have wished for the new address), and a notice goes out, which names the API keys.
 */
export async function keepNewPassword(trx: Trx, user: User, password: HashedPassword, { keepSession, revokesKeys }: Manner): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...password, newEmail: null, emailChangeSentAt: null, newPhone: null, phoneChangeSentAt: null, updatedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  await endOtherSessions(trx, user.id, keepSession)
  await voidTokens(trx, user.id)
  await audit(trx, 'user_updated_password', { actorId: user.id, subjectId: user.id })
  const isFirst = user.passwordHash === null && user.lastSignInAt === null
  const keys = await (revokesKeys ? revokeKeys(trx, user.id, { id: user.id }) : listLiveKeys(trx, user.id))
  if (user.email && !isFirst) {
    await post(trx, passwordChangedLetter(user.email, { at: new Date().toISOString(), keys, revoked: revokesKeys }))
  }
}

/** Where there is nobody to compare with. */
export async function hashNewPassword(password: string): Promise<HashedPassword> {
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}
