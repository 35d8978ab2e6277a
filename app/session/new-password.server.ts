import { post } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import { hashPassword, isPassword } from '#app/password/hashing.server.ts'
import { findLink, useLink, voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { passwordChangedLetter } from '#app/password/password-changed.email.tsx'
import { checkNewPassword, isShortForStaff, leastLength } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import { endOtherSessions } from './session.server.ts'
import { confirmEmail, findUser, type User } from '#app/identity/user.server.ts'

/** The letters whose links let one choose a password: for a forgotten one, and for the first one of someone who was invited. */
const letters = ['recovery', 'confirmation'] as const

export type HashedPassword = { passwordHash: string; passwordShort: boolean }

/** Hashes a new password, which has been checked, for a signed-in user. The work comes before the transaction that keeps it. */
export async function prepareNewPassword(user: User, password: string): Promise<HashedPassword> {
  if (await isPassword(password, user.passwordHash)) refuse('same_password')
  return hashed(password)
}

/** Keeps a new password: whoever else is signed in is signed out, letters sent before open nothing, and a notice goes out. */
export async function keepNewPassword(trx: Trx, user: User, password: HashedPassword, keepSession: string | undefined): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...password, updatedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  await endOtherSessions(trx, user.id, keepSession)
  await voidTokens(trx, user.id)
  await audit(trx, 'user_updated_password', { actorId: user.id, subjectId: user.id })
  const isFirst = user.passwordHash === null && user.lastSignInAt === null
  if (user.email && !isFirst) await post(trx, passwordChangedLetter(user.email, { at: new Date().toISOString() }))
}

/**
 * Sets a new password with the link of a recovery letter, which is used up only when the password is accepted. Answers whether the link
 * was good. Who has it reads the account's mail, so the address is confirmed with it.
 */
export async function recoverPassword(link: string, password: string): Promise<boolean> {
  const token = await findLink(link, letters)
  const user = token && (await findUser(token.userId))
  if (!user) return false
  await checkNewPassword(password, roleOf(user.appMetadata))
  const fresh = await hashed(password)
  return transaction(async (trx) => {
    if (!(await useLink(trx, link, letters))) return false
    await confirmEmail(trx, user)
    await keepNewPassword(trx, user, fresh, undefined)
    return true
  })
}

/** How long a password has to be that is set by a recovery link; nothing when the link does not work. */
export async function findRecovery(link: string): Promise<{ leastLength: number; isFirst: boolean } | undefined> {
  const token = await findLink(link, letters)
  const user = token && (await findUser(token.userId))
  return user && { leastLength: leastLength(roleOf(user.appMetadata)), isFirst: user.passwordHash === null }
}

async function hashed(password: string): Promise<HashedPassword> {
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}
