import { isPassword } from '#app/auth/sessions/hashing.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import type { Session } from '#app/auth/sessions/session.server.ts'
import { guardGuess } from '#app/auth/sessions/sign-in.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { noteFailedProof } from './failed-proof.server.ts'
import { findNonce } from './typed-code.server.ts'

const DAY_MS = 24 * 3600 * 1000

export type PasswordProof = { nonce?: string | undefined; currentPassword?: string | undefined }

/**
 * Refuses a new password without enough proof. One setting requires a code for sessions older than a day. Another requires the old
 * password for sessions that did not begin with an email or message. Sessions of our own pages always need the old password, or a recent
 * sign-in if there is none.
 */
export async function allowNewPassword(
  user: User,
  session: Session,
  { nonce, currentPassword }: PasswordProof,
  client: Client,
): Promise<void> {
  if (env.SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION && Date.now() - session.createdAt.getTime() > DAY_MS) {
    if (!nonce) refuse('reauthentication_needed')
    if (!(await findNonce(user, nonce, client))) {
      noteFailedProof(user, client)
      refuse('reauthentication_not_valid')
    }
  }
  const isAsked = session.ownPages || (env.SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD && !cameByEmail(session))
  if (!isAsked || !user.passwordHash) return requireFreshSignIn(db, session)
  if (!currentPassword) refuse('current_password_required')
  const right = await guardGuess(user, client, () => isPassword(currentPassword, user.passwordHash))
  if (!right) refuse('current_password_invalid')
}

export function cameByEmail({ amr }: Session): boolean {
  return amr.some(({ method }) => ['otp', 'recovery', 'magiclink'].includes(method))
}
