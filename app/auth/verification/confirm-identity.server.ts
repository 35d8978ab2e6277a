import { audit } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { lockUser, type User } from '#app/auth/users/user.server.ts'
import { spendToken } from '#app/auth/tokens/one-time-token.server.ts'
import { isPassword } from '#app/auth/sessions/hashing.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { confirmSession } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { guardGuess } from '#app/auth/sessions/sign-in.server.ts'
import { hasVerifiedFactor, type SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { noteFailedProof } from './failed-proof.server.ts'
import { findNonce } from './typed-code.server.ts'

/** How a signed-in user can confirm their identity. With two-factor authentication, only the second factor counts. */
export type ConfirmationMethods = { secondStep: boolean; password: boolean; code: 'email' | 'phone' | null }

export async function findConfirmationMethods(user: User): Promise<ConfirmationMethods> {
  if (await hasVerifiedFactor(db, user.id)) return { secondStep: true, password: false, code: null }
  return { secondStep: false, password: user.passwordHash !== null, code: codeWayOf(user) }
}

/** Confirms by password. Guesses count together with those at sign-in. */
export async function confirmByPassword({ user, session }: SessionUser, password: string, client: Client): Promise<void> {
  await refuseWithoutSecondStep(user)
  if (!(await guardGuess(user, client, () => isPassword(password, user.passwordHash)))) refuse('current_password_invalid')
  await transaction(async (trx) => {
    const current = await lockUser(trx, user.id)
    // Hashing is slow: refuse if the password was replaced meanwhile.
    if (current.passwordHash !== user.passwordHash) refuse('current_password_invalid')
    await confirmSession(trx, session.id, 'password')
    await audit(trx, 'identity_confirmed', {
      actorId: user.id,
      subjectId: user.id,
      address: client.address,
      detail: { method: 'password' },
    })
  })
}

/** Confirms by a one-time code sent to the user's own address. */
export async function confirmByCode({ user, session }: SessionUser, code: string, client: Client): Promise<void> {
  await refuseWithoutSecondStep(user)
  const token = await findNonce(user, code, client)
  const confirmed =
    token &&
    (await transaction(async (trx) => {
      if (!(await spendToken(trx, token))) return false
      await confirmSession(trx, session.id, 'otp')
      await audit(trx, 'identity_confirmed', { actorId: user.id, subjectId: user.id, address: client.address, detail: { method: 'otp' } })
      return true
    }))
  if (confirmed) return
  noteFailedProof(user, client)
  refuse('reauthentication_not_valid')
}

async function refuseWithoutSecondStep({ id }: User): Promise<void> {
  if (await hasVerifiedFactor(db, id)) refuse('insufficient_aal', { sentence: 'Please confirm with two-factor authentication.' })
}

function codeWayOf({ email, emailConfirmedAt, phone, phoneConfirmedAt }: User): ConfirmationMethods['code'] {
  if (email) return emailConfirmedAt ? 'email' : null
  return phone && phoneConfirmedAt ? 'phone' : null
}
