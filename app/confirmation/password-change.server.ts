import { isPassword } from '#app/password/hashing.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { requireFreshSignIn } from '#app/session/fresh-sign-in.server.ts'
import type { Session } from '#app/session/session.server.ts'
import { guardGuess } from '#app/session/sign-in.server.ts'
import type { Client } from '#app/session/client.ts'
import { noteFailedProof } from './failed-proof.server.ts'
import { findNonce } from './typed-code.server.ts'

const DAY_MS = 24 * 3600 * 1000

export type PasswordProof = { nonce?: string | undefined; currentPassword?: string | undefined }

/**
 * Whether someone who is signed in may set a new password: by the settings a session of more than a day needs a code that was sent to them
 * just now, and one that was not opened by a letter or message needs the old password. A session of our own pages always needs
 * the old password, or a recent sign-in where there is none.
 */
export async function allowNewPassword(
  user: User,
  session: Session,
  { nonce, currentPassword }: PasswordProof,
  client: Client,
): Promise<void> {
  if (env.SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION && Date.now() - session.createdAt.getTime() > DAY_MS) {
    if (!nonce) refuse('reauthentication_needed')
    if (!(await findNonce(user, nonce))) {
      noteFailedProof(user, client)
      refuse('reauthentication_not_valid')
    }
  }
  const isAsked = session.ownPages || (env.SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD && !cameByLetter(session))
  if (!isAsked || !user.passwordHash) return requireFreshSignIn(db, session)
  if (!currentPassword) refuse('current_password_required')
  const right = await guardGuess(user, client, () => isPassword(currentPassword, user.passwordHash))
  if (!right) refuse('current_password_invalid')
}

export function cameByLetter({ amr }: Session): boolean {
  return amr.some(({ method }) => ['otp', 'recovery', 'magiclink'].includes(method))
}
