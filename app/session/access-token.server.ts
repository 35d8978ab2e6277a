import { SignJWT } from 'jose'
import { z } from 'zod'
import { MOST_TOKEN_PROFILE_BYTES, profileBytes } from '#app/auth-protocol/profile.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { signingKey, verifyingKeyOf } from './signing-key.server.ts'
import { checkToken } from './token-check.server.ts'

const ISSUER = env.API_EXTERNAL_URL
const AUDIENCE = env.JWT_AUD
/** Room for what we say about each user ourselves: id, address, two flags, role. */
const RESERVED_BYTES = 500

/** What we read back from a token of ours. Everything else in it is for others: roles and names are looked up. */
const claims = z.object({ sub: z.uuid(), session_id: z.uuid().optional(), exp: z.int() })

/** `sessionId` is missing from a token that a program of the operator has signed with our key for one of our users. */
export type AccessClaims = { userId: string; sessionId: string | undefined }

/**
 * `expired` tokens are genuine: they tell who was here. `invalid` ones tell nothing, but for one that is ours and names no user of ours.
 * `expiresAt` is in unix seconds.
 */
export type CheckedToken =
  | { state: 'valid' | 'expired'; claims: AccessClaims; expiresAt: number }
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

/** Checks a token of ours with the key that it names. */
export async function checkAccessToken(token: string): Promise<CheckedToken> {
  const checked = await checkToken(token, { keyOf: verifyingKeyOf, issuer: ISSUER, audience: AUDIENCE, mayOmitIssuer: true })
  if (checked.state === 'invalid') return checked
  const { state, payload } = checked
  const known = claims.safeParse(payload)
  if (!known.success)
    return { state: 'invalid', isSubjectForeign: payload.sub !== undefined && 'sub' in z.flattenError(known.error).fieldErrors }
  const { sub: userId, session_id: sessionId, exp: expiresAt } = known.data
  return { state, claims: { userId, sessionId }, expiresAt }
}
