import { audit } from '#app/identity/audit.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { lockUser, type User } from '#app/identity/user.server.ts'
import { useToken } from '#app/one-time-token/one-time-token.server.ts'
import { isPassword } from '#app/password/hashing.server.ts'
import { db, transaction } from '#app/platform/db.server.ts'
import type { Client } from '#app/session/client.ts'
import { confirmSession } from '#app/session/fresh-sign-in.server.ts'
import { guardGuess } from '#app/session/sign-in.server.ts'
import { hasVerifiedFactor, type Holder } from '#app/session/user-factors.server.ts'
import { noteFailedProof } from './failed-proof.server.ts'
import { findNonce } from './typed-code.server.ts'

/** How someone who is signed in can show again who they are. With two-factor authentication set up it is a second step, and nothing less. */
export type WaysToConfirm = { secondStep: boolean; password: boolean; code: 'email' | 'phone' | null }

export async function findWaysToConfirm(user: User): Promise<WaysToConfirm> {
  if (await hasVerifiedFactor(db, user.id)) return { secondStep: true, password: false, code: null }
  return { secondStep: false, password: user.passwordHash !== null, code: codeWayOf(user) }
}

/** Confirms by the password. Guesses count as those at sign-in do. */
export async function confirmByPassword({ user, session }: Holder, password: string, client: Client): Promise<void> {
  await refuseWithoutSecondStep(user)
  if (!(await guardGuess(user, client, () => isPassword(password, user.passwordHash)))) refuse('current_password_invalid')
  await transaction(async (trx) => {
    const current = await lockUser(trx, user.id)
    // Checking takes a while: a password that was replaced meanwhile confirms nothing.
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

/** Confirms by a code that was sent to the person's own address. It works once. */
export async function confirmByCode({ user, session }: Holder, code: string, client: Client): Promise<void> {
  await refuseWithoutSecondStep(user)
  const token = await findNonce(user, code)
  const confirmed =
    token &&
    (await transaction(async (trx) => {
      if (!(await useToken(trx, token))) return false
      await confirmSession(trx, session.id, 'otp')
      await audit(trx, 'identity_confirmed', { actorId: user.id, subjectId: user.id, address: client.address, detail: { method: 'otp' } })
      return true
    }))
  if (confirmed) return
  noteFailedProof(user, client)
  refuse('reauthentication_not_valid')
}

async function refuseWithoutSecondStep({ id }: User): Promise<void> {
  if (await hasVerifiedFactor(db, id)) refuse('insufficient_aal', { sentence: 'Please confirm with your second step.' })
}

function codeWayOf({ email, emailConfirmedAt, phone, phoneConfirmedAt }: User): WaysToConfirm['code'] {
  if (email) return emailConfirmedAt ? 'email' : null
  return phone && phoneConfirmedAt ? 'phone' : null
}
