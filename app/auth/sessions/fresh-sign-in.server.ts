import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Row } from '#db/tables.ts'
import { isMfaMethod } from './mfa.server.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

type Session = Row<'sessions'>

/** How long a sign-in, or its confirmation, allows sensitive changes. */
const FRESH_MS = 15 * 60 * 1000

/**
 * Whether a session may make sensitive changes: its user has signed in, or confirmed their identity, within 15 minutes. If they use
 * two-factor authentication, only the second factor counts. Sessions of other programs follow the auth protocol, which has no such rule.
 */
export function isFresh(session: Session, hasFactor: boolean): boolean {
  return !session.ownPages || Date.now() - provedAt(session, hasFactor) < FRESH_MS
}

/** Refuses a sensitive change until the user has confirmed their identity. Our pages then ask for it and send the request again. */
export async function requireFreshSignIn(connection: Database | Trx, session: Session): Promise<void> {
  if (!isFresh(session, await hasVerifiedFactor(connection, session.userId))) refuse('recent_sign_in_required')
}

/** Records that the user has just confirmed their identity. */
export async function confirmSession(trx: Trx, sessionId: string, method: 'password' | 'otp'): Promise<void> {
  const session = await trx.selectFrom('sessions').selectAll().where('id', '=', sessionId).forUpdate().executeTakeFirst()
  if (!session) refuse('session_not_found')
  const step = { method, timestamp: Math.floor(Date.now() / 1000) }
  const amr = JSON.stringify([step, ...session.amr.filter((earlier) => earlier.method !== method)])
  await trx.updateTable('sessions').set({ amr }).where('id', '=', sessionId).execute()
}

function provedAt({ amr, createdAt }: Session, hasFactor: boolean): number {
  const steps = hasFactor ? amr.filter(({ method }) => isMfaMethod(method)) : amr
  return Math.max(hasFactor ? 0 : createdAt.getTime(), ...steps.map(({ timestamp }) => timestamp * 1000))
}
