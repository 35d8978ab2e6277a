import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { findProjectKey } from './project-keys.server.ts'
import { PROJECT_URL } from './project-url.server.ts'

const claims = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  exp: z.int(),
  email: z.string().optional(),
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
  is_anonymous: z.boolean().optional(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
})

/** What a token of the hosted service says. Roles are not among it: ours are kept here. */
export type ProjectClaims = z.infer<typeof claims>

/** `expired` tokens are genuine: they tell who was here. */
export type ProjectToken = { state: 'valid' | 'expired'; claims: ProjectClaims } | { state: 'invalid' }

/** Checks signature, issuer, audience and time, with the key that the token names and the algorithm that this key is for. */
export async function checkProjectToken(token: string): Promise<ProjectToken> {
  try {
    const { kid } = decodeProtectedHeader(token)
    const found = kid === undefined ? undefined : await findProjectKey(kid)
    if (!found) return { state: 'invalid' }
    const { payload } = await jwtVerify(token, found.key, {
      algorithms: [found.alg],
      issuer: PROJECT_URL,
      audience: 'authenticated',
      requiredClaims: ['exp'],
    })
    return read('valid', payload)
  } catch (error) {
    // The signature is checked before the time, so an expired token is a genuine one.
    if (error instanceof errors.JWTExpired) return read('expired', error.payload)
    if (error instanceof errors.JOSEError || error instanceof TypeError) return { state: 'invalid' }
    throw error
  }
}

/** Whether the service has signed with a secret that it shares with whoever checks: we hold none, so such a token proves nothing here. */
export function isSharedSecret(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg?.startsWith('HS') ?? false
  } catch {
    return false
  }
}

function read(state: 'valid' | 'expired', payload: JWTPayload): ProjectToken {
  const known = claims.safeParse(payload)
  return known.success ? { state, claims: known.data } : { state: 'invalid' }
}
