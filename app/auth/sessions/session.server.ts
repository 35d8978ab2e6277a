import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import type { AccessClaims } from './jwt.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import type { Client } from './client.ts'
import { dropIssuedCodes, type FlowMethod } from './flow-state.server.ts'
import {
  findRefreshToken,
  followRefreshToken,
  isJustUsed,
  isRefreshToken,
  issueRefreshToken,
  rotateRefreshToken,
} from './refresh-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { requireFreshSignIn } from './fresh-sign-in.server.ts'
import { listLiveKeys, revokeKeys } from '#app/auth/users/user-keys.server.ts'
import { signedOutEmail } from './signed-out.email.tsx'
import { securityEmail } from './security.email.tsx'
import { hasVerifiedFactor, verifiedFactor } from './user-factors.server.ts'
import { findUser, type User } from '#app/auth/users/user.server.ts'
import { roleOf } from '#app/auth/users/role.ts'

export type Session = Row<'sessions'>

/** A session with its user, as they are now, and the refresh token for the client. */
export type OpenSession = { session: Session; user: User; refreshToken: string }

/** The sign-in method, as `amr` names it. */
export type SignInMethod = 'password' | 'otp' | 'anonymous' | 'web3' | 'passkey' | FlowMethod
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

export type SignOutScope = 'global' | 'local' | 'others'

/** Every sign-in creates a new session. `provider` names the identity that was used. */
export async function startSession(trx: Trx, user: User, method: SignInMethod, client: Client, provider = 'email'): Promise<OpenSession> {
  const now = new Date()
  // `oauth` alone does not say which provider signed them in.
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000), ...(method === 'oauth' && { provider }) }]
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

/** Runs for every request with a token, so that a sign-out, a ban or a new role takes effect immediately. */
export async function findSession(claims: AccessClaims): Promise<{ user: User | undefined; session: Session | undefined }> {
  return (await findLiveSession(claims)) ?? { user: await findUser(claims.userId), session: undefined }
}

/** The session of a token, its user, and whether they have a verified second factor. One query, because most requests begin with it. */
export async function findLiveSession({
  userId,
  sessionId,
}: AccessClaims): Promise<{ user: User; session: Session; hasFactor: boolean } | undefined> {
  if (!sessionId) return undefined
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .selectAll('users')
    .select(['sessions.aal', 'amr', 'userAgent', 'address', 'sessions.createdAt as startedAt', 'refreshedAt', 'factorId', 'ownPages'])
    .select((builder) => builder.exists(verifiedFactor(builder.selectFrom('mfaFactors'), userId)).as('hasFactor'))
    .where('sessions.id', '=', sessionId)
    .where('sessions.userId', '=', userId)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { aal, amr, userAgent, address, startedAt, refreshedAt, factorId, ownPages, hasFactor, ...user } = row
  const session = { id: sessionId, userId, aal, amr, userAgent, address, createdAt: startedAt, refreshedAt, factorId, ownPages }
  return { user, session, hasFactor: Boolean(hasFactor) }
}

/**
 * A placeholder for a token without a session, which only a program with our key can sign. It is not in the database: it cannot be renewed
 * or raised to `aal2`, and ending it ends all sessions of the user.
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

/** For challenges: they belong to a session, and only a session can be raised. */
export function requireSession({ session }: { session: Session }): void {
  if (isNoSession(session)) refuse('session_not_found')
}

export function isBanned({ bannedUntil }: Pick<User, 'bannedUntil'>): boolean {
  return bannedUntil !== null && bannedUntil > new Date()
}

/** Records that a banned user tried to start or renew a session. */
export function noteBanned({ id }: User, method: string, { address }: Client): void {
  noteRefusal({ action: 'login_failed', account: id, subjectId: id, address, detail: { method, reason: 'user_banned' } })
}

/**
 * Renews a session. Requests on one session run one after the other. A reused token ends the whole session. That is committed although
 * the request is refused, so the refusal is thrown after the transaction.
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
  // Read again: the previous holder of the lock may have used it.
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
    // A second factor has just retired this token: a late tab gets a refusal, and the session goes on.
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

/** Two clients hold tokens of one session, and we cannot tell which is the thief: the session ends for both. */
async function revokeStolen(trx: Trx, session: Session, user: User, client: Client) {
  await trx.deleteFrom('sessions').where('id', '=', session.id).execute()
  await audit(trx, 'token_revoked', {
    subjectId: user.id,
    address: client.address,
    detail: { sessionId: session.id, reason: 'refresh token reused' },
  })
  if (user.email) await enqueueEmail(trx, securityEmail(user.email, { at: new Date().toISOString() }))
}

/**
 * Signs out this session, all others, or all. Ending other sessions is a sensitive change, so it needs the second factor. Without it,
 * `global` still ends the requesting session: clients treat the 403 as a successful sign-out and delete their tokens. By default `global`
 * also revokes the API keys.
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
    const reach = isNoSession(session) ? 'global' : scope
    if (reach === 'local') await trx.deleteFrom('sessions').where('userId', '=', user.id).where('id', '=', session.id).execute()
    else await endOtherSessions(trx, user.id, reach === 'others' ? session.id : undefined)
    await audit(trx, 'logout', { actorId: user.id, subjectId: user.id, detail: { scope } })
    if (scope === 'global') await settleKeys(trx, user, revokesKeys)
  })
}

async function settleKeys(trx: Trx, { id, email }: User, revoked: boolean): Promise<void> {
  const keys = await (revoked ? revokeKeys(trx, id, { id }) : listLiveKeys(trx, id))
  if (email && keys.length > 0) await enqueueEmail(trx, signedOutEmail(email, { at: new Date().toISOString(), keys, revoked }))
}

/** Signs out without a user check, for the cookies of a browser. */
export async function endSession(sessionId: string): Promise<void> {
  await transaction(async (trx) => {
    const ended = await trx.deleteFrom('sessions').where('id', '=', sessionId).returning('userId').executeTakeFirst()
    if (ended) await audit(trx, 'logout', { actorId: ended.userId, subjectId: ended.userId, detail: { scope: 'local' } })
  })
}

/** Ends all sessions of an account except one, and deletes its unused codes. */
export async function endOtherSessions(trx: Trx, userId: string, keep: string | undefined): Promise<void> {
  // Codes first: an exchange in progress finishes before this delete, and its session is deleted below.
  await dropIssuedCodes(trx, userId)
  const all = trx.deleteFrom('sessions').where('userId', '=', userId)
  await (keep ? all.where('id', '!=', keep) : all).execute()
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Default lifetime and idle time, in seconds. Staff see other people's data, so theirs are shorter. */
const limits = { staff: { life: 30 * DAY, idle: 12 * HOUR }, customer: { life: 180 * DAY, idle: 30 * DAY } }

/** Whether a session has expired. It is checked when the session is renewed. */
export async function isOver(trx: Trx, session: Session, { appMetadata }: Pick<User, 'appMetadata'>): Promise<boolean> {
  const { SESSIONS_TIMEBOX, SESSIONS_INACTIVITY_TIMEOUT, SESSIONS_ALLOW_LOW_AAL, SESSIONS_SINGLE_PER_USER } = env
  const { life, idle } = limits[roleOf(appMetadata) === 'customer' ? 'customer' : 'staff']
  if (isOlder(session.createdAt, SESSIONS_TIMEBOX ?? life) || isOlder(session.refreshedAt, SESSIONS_INACTIVITY_TIMEOUT ?? idle)) return true
  const isLow = session.aal === 'aal1' && isOlder(session.createdAt, SESSIONS_ALLOW_LOW_AAL)
  if (isLow && (await hasVerifiedFactor(trx, session.userId))) return true
  return SESSIONS_SINGLE_PER_USER && hasNewer(trx, session)
}

function isOlder(since: Date, seconds: number | undefined): boolean {
  return seconds !== undefined && Date.now() - since.getTime() > seconds * 1000
}

/** Ids sort by time. */
async function hasNewer(trx: Trx, { id, userId }: Session): Promise<boolean> {
  const newer = await trx.selectFrom('sessions').select('id').where('userId', '=', userId).where('id', '>', id).limit(1).executeTakeFirst()
  return newer !== undefined
}
