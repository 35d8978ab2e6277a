import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { issueRefreshToken, retireRefreshTokens } from './refresh-token.server.ts'
import { type SecondStep, secondSteps } from './second-step.server.ts'
import type { OpenSession } from './session.server.ts'

/**
 * Raises a session to `aal2` where it is. Its refresh tokens so far open nothing any more, or whoever had copied one would be raised with it;
 * the user's other sessions that have not taken the second step end. The user's row has to be locked.
 */
export async function raiseSession(trx: Trx, user: User, sessionId: string, method: SecondStep, factorId?: string): Promise<OpenSession> {
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

/** What a factor had raised falls back when it goes; everything does when it was the last one. */
export async function lowerSessions(trx: Trx, userId: string, factorId: string | undefined): Promise<void> {
  const raised = trx
    .updateTable('sessions')
    .set({ aal: 'aal1', amr: firstSteps, factorId: null })
    .where('userId', '=', userId)
    .where('aal', '=', 'aal2')
  await (factorId ? raised.where('factorId', '=', factorId) : raised).execute()
}

/** How each of them began, in the order of before. */
const firstSteps = sql<string>`(
  SELECT coalesce(jsonb_agg(step ORDER BY place), '[]') FROM jsonb_array_elements(amr) WITH ORDINALITY AS held (step, place)
  WHERE step->>'method' NOT IN (${sql.join(secondSteps)}))`
