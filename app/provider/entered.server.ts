import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import type { Client } from '#app/session/client.ts'
import { type OpenSession, type SignInMethod, startSession } from '#app/session/session.server.ts'
import type { Entered, External } from './account.server.ts'

export type NotEntered = Exclude<Entered, User>

/** The session of whoever was let in; else the reason goes on. */
export async function startFor(
  trx: Trx,
  entered: Entered,
  { provider }: External,
  method: SignInMethod,
  client: Client,
): Promise<OpenSession | NotEntered> {
  return typeof entered === 'string' ? entered : startSession(trx, entered, method, client, provider)
}

/** What was let in, or the refusal, after the transaction has kept what there is to keep. */
export function orRefuse<T extends object>(outcome: T | NotEntered): T {
  if (typeof outcome !== 'string') return outcome
  if (outcome === 'user_banned') refuse(outcome, { kind: 'forbidden' })
  if (outcome === 'email_missing') refuse('validation_failed', { sentence: 'Error getting user email from external provider' })
  return refuse(outcome)
}
