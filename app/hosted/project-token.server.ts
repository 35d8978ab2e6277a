import { decodeProtectedHeader } from 'jose'
import { z } from 'zod'
import { checkToken } from '#app/session/token-check.server.ts'
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

/** Checks a token of the hosted service with the key that it names. */
export async function checkProjectToken(token: string): Promise<ProjectToken> {
  const checked = await checkToken(token, { keyOf: projectKeyOf, issuer: PROJECT_URL, audience: 'authenticated' })
  if (checked.state === 'invalid') return checked
  const known = claims.safeParse(checked.payload)
  return known.success ? { state: checked.state, claims: known.data } : { state: 'invalid' }
}

async function projectKeyOf(token: string) {
  const { kid } = decodeProtectedHeader(token)
  return kid === undefined ? undefined : findProjectKey(kid)
}

/** Whether the service has signed with a secret that it shares with whoever checks: we hold none, so such a token proves nothing here. */
export function isSharedSecret(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg?.startsWith('HS') ?? false
  } catch {
    return false
  }
}
