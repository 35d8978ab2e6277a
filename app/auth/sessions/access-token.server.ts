import { SignJWT } from 'jose'
import { z } from 'zod'
import { MOST_TOKEN_PROFILE_BYTES, profileBytes } from '#app/auth/protocol/profile.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { signingKey, verifyingKeyOf } from './signing-key.server.ts'
import { checkToken } from './token-check.server.ts'

const ISSUER = env.API_EXTERNAL_URL
const AUDIENCE = env.JWT_AUD
/** Room for our own fields about each user: id, address, two flags, role. */
const RESERVED_BYTES = 500

/** The claims that we read back from our own tokens. All others serve other programs: we look up roles and names. */
const claims = z.object({ sub: z.uuid(), session_id: z.uuid().optional(), exp: z.int(), is_anonymous: z.boolean().optional() })

/** `sessionId` is missing from a token that an operator's program has signed with our key for one of our users. */
export type AccessClaims = { userId: string; sessionId: string | undefined }

/**
 * `expired` tokens are genuine and identify their user. `isSubjectForeign` marks a token with our signature whose subject is not a user id.
 * `expiresAt` is in unix seconds.
 */
export type CheckedToken =
  | { state: 'valid' | 'expired'; claims: AccessClaims; isAnonymous: boolean; expiresAt: number }
  | { state: 'invalid'; isSubjectForeign?: boolean }

/** Signs an access token for a session; `expiresAt` is in unix seconds. */
export async function signAccessToken(user: Row<'users'>, session: Row<'sessions'>): Promise<{ token: string; expiresAt: number }> {
  const { kid, alg, key } = await signingKey()
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = now + env.JWT_EXP
  const token = await new SignJWT({
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.appMetadata,
    user_metadata: tokenProfile(user),
    role: user.tokenRole,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.isAnonymous,
  })
    .setProtectedHeader({ alg, typ: 'JWT', kid })
    .setIssuer(ISSUER)
    .setSubject(user.id)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { token, expiresAt }
}

/** A large profile would make the token too large for a cookie; clients then read it from the user. */
function tokenProfile({ userMetadata, appMetadata }: Row<'users'>): Record<string, unknown> {
  const room = MOST_TOKEN_PROFILE_BYTES + RESERVED_BYTES - profileBytes(appMetadata)
  return profileBytes(userMetadata) <= room ? userMetadata : {}
}

/** Whether we signed this token for a user who is not anonymous. It may have expired up to `expiredFor` seconds ago. */
export async function isOwnToken(token: string, expiredFor: number): Promise<boolean> {
  const checked = await checkAccessToken(token)
  return checked.state !== 'invalid' && !checked.isAnonymous && checked.expiresAt + expiredFor >= Date.now() / 1000
}

export async function checkAccessToken(token: string): Promise<CheckedToken> {
  const checked = await checkToken(token, { keyOf: verifyingKeyOf, issuer: ISSUER, audience: AUDIENCE, mayOmitIssuer: true })
  if (checked.state === 'invalid') return checked
  const { state, payload } = checked
  const known = claims.safeParse(payload)
  if (!known.success)
    return { state: 'invalid', isSubjectForeign: payload.sub !== undefined && 'sub' in z.flattenError(known.error).fieldErrors }
  const { sub: userId, session_id: sessionId, exp: expiresAt, is_anonymous: isAnonymous = false } = known.data
  return { state, claims: { userId, sessionId }, isAnonymous, expiresAt }
}
