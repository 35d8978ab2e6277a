import { sql } from 'kysely'
import type { Trx } from '#app/platform/database/db.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { issueRefreshToken, retireRefreshTokens } from './refresh-token.server.ts'
import { type MfaFactorMethod, mfaMethods } from './mfa.server.ts'
import type { OpenSession } from './session.server.ts'

/**
 * Raises a session to `aal2`. Its earlier refresh tokens stop working, else a copied one would rise with it. The user's `aal1` sessions
 * end. The caller has to lock the user's row.
 */
export async function elevateSession(
  trx: Trx,
  user: User,
  sessionId: string,
  method: MfaFactorMethod,
  factorId?: string,
): Promise<OpenSession> {
  const held = await trx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('userId', '=', user.id)
    .forUpdate()
    .executeTakeFirst()
  if (!held) refuse('session_not_found')
  const amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }, ...held.amr.filter((step) => step.method !== method)]
  const session = await trx
    .updateTable('sessions')
    .set({ aal: 'aal2', amr: JSON.stringify(amr), ...(factorId && { factorId }) })
    .where('id', '=', sessionId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await retireRefreshTokens(trx, sessionId)
  await trx.deleteFrom('sessions').where('userId', '=', user.id).where('id', '!=', sessionId).where('aal', '=', 'aal1').execute()
  return { session, user, refreshToken: await issueRefreshToken(trx, sessionId) }
}

/** Lowers the sessions that a removed factor had raised, or all sessions if it was the last factor. */
export async function lowerSessions(trx: Trx, userId: string, factorId: string | undefined): Promise<void> {
  const raised = trx
    .updateTable('sessions')
    .set({ aal: 'aal1', amr: firstSteps, factorId: null })
    .where('userId', '=', userId)
    .where('aal', '=', 'aal2')
  await (factorId ? raised.where('factorId', '=', factorId) : raised).execute()
}

/** The `amr` of a session without its second factors, in the same order. */
const firstSteps = sql<string>`(
  SELECT coalesce(jsonb_agg(step ORDER BY place), '[]') FROM jsonb_array_elements(amr) WITH ORDINALITY AS held (step, place)
  WHERE step->>'method' NOT IN (${sql.join(mfaMethods)}))`
