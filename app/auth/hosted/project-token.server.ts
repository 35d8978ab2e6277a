import { decodeProtectedHeader } from 'jose'
import { z } from 'zod'
import { checkToken } from '#app/auth/sessions/jwt.server.ts'
import { findProjectKey } from './project-keys.server.ts'
import { PROJECT_URL } from './project-url.server.ts'

const claims = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  exp: z.int(),
  email: z.string().optional(),
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
  is_anonymous: z.boolean().optional(),
  amr: z.array(z.object({ method: z.string(), provider: z.string().optional() })).catch([]),
  app_metadata: z.object({ providers: z.array(z.string()).catch([]) }).catch({ providers: [] }),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
})

/** Claims of a hosted-service token. They have no roles: ours are in our database. */
export type ProjectClaims = z.infer<typeof claims>

/** Sign-in methods that are no provider. */
const OWN_METHODS = new Set(['email', 'phone'])

/**
 * The provider with which the session began. The service names it only for single sign-on. For others it tells the providers of the account, so with
 * several of them nobody can say which one it was.
 */
export function providerIn({ amr, app_metadata: { providers } }: Pick<ProjectClaims, 'amr' | 'app_metadata'>): string | undefined {
  const step = amr.find(({ method }) => method === 'oauth' || method.startsWith('sso'))
  if (!step || step.provider) return step?.provider
  const [only, ...others] = providers.filter((each) => !OWN_METHODS.has(each))
  return others.length === 0 ? only : undefined
}

/** `expired` tokens are authentic and still identify the user. */
export type ProjectToken = { state: 'valid' | 'expired'; claims: ProjectClaims } | { state: 'invalid' }

/** Checks a hosted-service token with the key that it names. */
export async function checkProjectToken(token: string): Promise<ProjectToken> {
  const checked = await checkToken(token, projectKeyOf, { issuer: PROJECT_URL, audience: 'authenticated' })
  if (checked.state === 'invalid') return checked
  const known = claims.safeParse(checked.payload)
  return known.success ? { state: checked.state, claims: known.data } : { state: 'invalid' }
}

/** Whether the service signed the token for a non-anonymous account. It may have expired `expiredFor` seconds ago. */
export async function isProjectToken(token: string, expiredFor: number): Promise<boolean> {
  const checked = await checkProjectToken(token)
  return checked.state !== 'invalid' && !checked.claims.is_anonymous && checked.claims.exp + expiredFor >= Date.now() / 1000
}

async function projectKeyOf(token: string) {
  const { kid } = decodeProtectedHeader(token)
  return kid === undefined ? undefined : findProjectKey(kid)
}

/** Whether the token is signed with a shared secret. We have none, so the token proves nothing here. */
export function isSharedSecret(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg?.startsWith('HS') ?? false
  } catch {
    return false
  }
}
