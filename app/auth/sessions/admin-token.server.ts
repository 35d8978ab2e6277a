import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { signingKey, verifyingKeyOf } from './signing-key.server.ts'

/** Roles in a token that may administer all accounts. */
const ADMIN_ROLES = new Set(['service_role', 'supabase_admin'])

const claims = z.object({ role: z.string().optional(), sub: z.uuid().optional().catch(undefined), session_id: z.unknown().optional() })

/** A genuine token; `isAdmin` follows its role. A token with a session is only as good as that session. */
export type AdminToken = { isAdmin: boolean; userId: string | undefined; sessionId: unknown }

/** Reads a token that one of our own keys has signed, for any subject. */
export async function readAdminToken(token: string): Promise<AdminToken | 'invalid' | 'expired'> {
  try {
    const key = await verifyingKeyOf(token)
    if (!key) return 'invalid'
    const { payload } = await jwtVerify(token, key.verify, { algorithms: [key.alg] })
    const { role = '', sub, session_id } = claims.parse(payload)
    return { isAdmin: ADMIN_ROLES.has(role), userId: sub, sessionId: session_id }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof z.ZodError) return 'invalid'
    throw error
  }
}

/** A key for an operator's program that administers accounts. It has no user. It ends after these days, or with our signing key. */
export async function makeServiceKey(days: number): Promise<string> {
  const { kid, alg, key } = await signingKey()
  const signer = new SignJWT({ role: 'service_role' }).setProtectedHeader({ alg, typ: 'JWT', kid })
  return signer.setIssuedAt().setExpirationTime(`${days} days`).sign(key)
}
