import { db, insert, transaction, type Trx } from '#app/platform/db.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import type { AccessClaims } from './access-token.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import { noteRefusal } from '#app/identity/refused.server.ts'
import type { Client } from './client.ts'
import type { FlowMethod } from './flow-state.server.ts'
import {
  findRefreshToken,
  followRefreshToken,
  isJustUsed,
  isRefreshToken,
  issueRefreshToken,
  rotateRefreshToken,
} from './refresh-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { requireFreshSignIn } from './fresh-sign-in.server.ts'
import { isOver } from './session-limit.server.ts'
import { listLiveKeys, revokeKeys } from '#app/identity/user-keys.server.ts'
import { signedOutLetter } from './signed-out.email.tsx'
import { securityLetter } from './security.email.tsx'
import { hasVerifiedFactor } from './user-factors.server.ts'
import type { User } from '#app/identity/user.server.ts'

export type Session = Row<'sessions'>

/** A session with the user whose it is, as they are now, and the refresh token that its holder is to keep. */
export type OpenSession = { session: Session; user: User; refreshToken: string }

/** How someone came in, as `amr` names it. */
export type SignInMethod = 'password' | 'otp' | 'anonymous' | 'web3' | 'passkey' | FlowMethod
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

export type SignOutScope = 'global' | 'local' | 'others'

/** Every sign-in makes a session of its own. `provider` is the one of the identities that was used. */
export async function startSession(trx: Trx, user: User, method: SignInMethod, client: Client, provider = 'email'): Promise<OpenSession> {
  const now = new Date()
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }]
  const session = await insert(trx, 'sessions', {
    userId: user.id,
    amr: JSON.stringify(amr),
    userAgent: client.userAgent?.slice(0, 400) ?? null,
    address: client.address,
    ownPages: client.ownPages ?? false,
  })
  const refreshToken = await issueRefreshToken(trx, session.id)
  const seen = await trx.updateTable('users').set({ lastSignInAt: now }).where('id', '=', user.id).returningAll().executeTakeFirstOrThrow()
  await trx.updateTable('identities').set({ lastSignInAt: now }).where('userId', '=', user.id).where('provider', '=', provider).execute()
  await audit(trx, 'login', { actorId: user.id, subjectId: user.id, address: client.address, detail: { method } })
  return { session, user: seen, refreshToken }
}

/** Looked up for every request that a token opens, so that signing out, a ban or a new role counts at once. */
export async function findSession({ userId, sessionId }: AccessClaims): Promise<{ user: User | undefined; session: Session | undefined }> {
  const [user, session] = await Promise.all([
    db.selectFrom('users').selectAll().where('id', '=', userId).where('deletedAt', 'is', null).executeTakeFirst(),
    sessionId
      ? db.selectFrom('sessions').selectAll().where('id', '=', sessionId).where('userId', '=', userId).executeTakeFirst()
      : undefined,
  ])
  return { user, session }
}

/**
 * Stands in for the session of a token that has none, which only a program with our key can have signed. It is not in the database: it cannot
 * be renewed or raised to aal2, and ending it ends all sessions of the user.
 */
export function noSession(userId: string): Session {
  const now = new Date()
  return {
    id: NO_SESSION,
    userId,
    aal: 'aal1',
    amr: [],
    userAgent: null,
    address: null,
    createdAt: now,
    refreshedAt: now,
    factorId: null,
    ownPages: false,
  }
}

export function isNoSession({ id }: Session): boolean {
  return id === NO_SESSION
}

export function isBanned({ bannedUntil }: Pick<User, 'bannedUntil'>): boolean {
  return bannedUntil !== null && bannedUntil > new Date()
}

/** Records that a banned user tried to start or renew a session. */
export function noteBanned({ id }: User, method: string, { address }: Client): void {
  noteRefusal({ action: 'login_failed', account: id, subjectId: id, address, detail: { method, reason: 'user_banned' } })
}

/**
 * Renews a session. Requests on one session take turns. A token that someone else must have used ends the whole session, and that
 * is kept although the answer is a refusal.
 */
export async function refreshSession(token: string, client: Client): Promise<OpenSession> {
  if (!isRefreshToken(token)) refuse('validation_failed', { sentence: 'Refresh token is not valid' })
  const outcome = await transaction((trx) => renew(trx, token, client))
  if (outcome === 'session_not_found') refuse(outcome, { kind: 'badRequest', sentence: 'Invalid Refresh Token: No Valid Session Found' })
  if (typeof outcome === 'string') refuse(outcome)
  return outcome
}

type Refused = 'refresh_token_not_found' | 'refresh_token_already_used' | 'session_not_found' | 'session_expired' | 'user_banned'

async function renew(trx: Trx, token: string, client: Client): Promise<OpenSession | Refused> {
  const known = await findRefreshToken(trx, token)
  if (!known) return 'refresh_token_not_found'
  const session = await trx.selectFrom('sessions').selectAll().where('id', '=', known.sessionId).forUpdate().executeTakeFirst()
  if (!session) return 'session_not_found'
  // Read again: whoever held the lock before may have used it.
  const stored = await findRefreshToken(trx, token)
  if (!stored) return 'refresh_token_not_found'
  const user = await trx.selectFrom('users').selectAll().where('id', '=', session.userId).where('deletedAt', 'is', null).executeTakeFirst()
  if (!user) return 'refresh_token_not_found'
  if (isBanned(user)) {
    noteBanned(user, 'refresh_token', client)
    return 'user_banned'
  }
  if (await isOver(trx, session, user)) return 'session_expired'

  const active = stored.usedAt ? await followRefreshToken(trx, token, stored) : await rotateRefreshToken(trx, token, stored)
  if (!active) {
    // A second step has just taken it out of use: a tab that was on its way with it gets nothing, and nobody is signed out.
    if (env.SECURITY_REFRESH_TOKEN_ROTATION_ENABLED && !isJustUsed(stored)) await revokeStolen(trx, session, user, client)
    return 'refresh_token_already_used'
  }
  const seen = {
    refreshedAt: new Date(),
    address: client.address,
    userAgent: client.userAgent?.slice(0, 400) ?? null,
    ownPages: session.ownPages || (client.ownPages ?? false),
  }
  const renewed = await trx.updateTable('sessions').set(seen).where('id', '=', session.id).returningAll().executeTakeFirstOrThrow()
  return { session: renewed, user, refreshToken: active }
}

/** Two hold what one should hold, and nobody can tell which of them is the thief: neither keeps it. */
async function revokeStolen(trx: Trx, session: Session, user: User, client: Client) {
  await trx.deleteFrom('sessions').where('id', '=', session.id).execute()
  await audit(trx, 'token_revoked', {
    subjectId: user.id,
    address: client.address,
    detail: { sessionId: session.id, reason: 'refresh token reused' },
  })
  if (user.email) await post(trx, securityLetter(user.email, { at: new Date().toISOString() }))
}

/**
 * Signs out: this session, all others, or all. Ending the sessions of other devices is a sensitive change, so it needs the second step. Without it
 * `global` still ends the session that asks: clients take the 403 for a sign-out that is done, and forget their tokens. `global` revokes the
 * API keys as well, unless told not to.
 */
export async function endSessions(
  { session, user }: { session: Session; user: User },
  scope: SignOutScope,
  { revokesKeys = true } = {},
): Promise<void> {
  if (scope !== 'local' && session.aal === 'aal1' && (await hasVerifiedFactor(db, user.id))) {
    if (scope === 'others') refuse('insufficient_aal', { kind: 'unprocessable' })
    await endSession(session.id)
    refuse('insufficient_aal')
  }
  if (scope !== 'local') await requireFreshSignIn(db, session)
  await transaction(async (trx) => {
    const all = trx.deleteFrom('sessions').where('userId', '=', user.id)
    const which = { global: all, local: all.where('id', '=', session.id), others: all.where('id', '!=', session.id) }
    await which[isNoSession(session) ? 'global' : scope].execute()
    await audit(trx, 'logout', { actorId: user.id, subjectId: user.id, detail: { scope } })
    if (scope === 'global') await settleKeys(trx, user, revokesKeys)
  })
}

async function settleKeys(trx: Trx, { id, email }: User, revoked: boolean): Promise<void> {
  const keys = await (revoked ? revokeKeys(trx, id, { id }) : listLiveKeys(trx, id))
  if (email && keys.length > 0) await post(trx, signedOutLetter(email, { at: new Date().toISOString(), keys, revoked }))
}

/** Signs out by session alone, as the cookies of a browser do. */
export async function endSession(sessionId: string): Promise<void> {
  await transaction(async (trx) => {
    const ended = await trx.deleteFrom('sessions').where('id', '=', sessionId).returning('userId').executeTakeFirst()
    if (ended) await audit(trx, 'logout', { actorId: ended.userId, subjectId: ended.userId, detail: { scope: 'local' } })
  })
}

/** After a new password only who set it stays signed in. */
export async function endOtherSessions(trx: Trx, userId: string, keep: string | undefined): Promise<void> {
  const all = trx.deleteFrom('sessions').where('userId', '=', userId)
  await (keep ? all.where('id', '!=', keep) : all).execute()
}
