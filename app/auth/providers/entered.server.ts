import { INVALID_EMAIL, refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { type OpenSession, type SignInMethod, startSession } from '#app/auth/sessions/session.server.ts'
import type { Entered, External } from './account.server.ts'

export type NotEntered = Exclude<Entered, User>

/** Starts a session for an account; passes a refusal on. */
export async function startFor(
  trx: Trx,
  entered: Entered,
  { provider }: External,
  method: SignInMethod,
  client: Client,
): Promise<OpenSession | NotEntered> {
  return typeof entered === 'string' ? entered : startSession(trx, entered, method, client, provider)
}

/** Returns the outcome or throws the refusal. Call it after the transaction has committed. */
export function orRefuse<T extends object>(outcome: T | NotEntered): T {
  if (typeof outcome !== 'string') return outcome
  if (outcome === 'user_banned') refuse(outcome, { kind: 'forbidden' })
  if (outcome === 'email_missing') refuse('validation_failed', { sentence: 'Error getting user email from external provider' })
  if (outcome === 'email_refused') refuse('validation_failed', { sentence: INVALID_EMAIL })
  return refuse(outcome)
}
