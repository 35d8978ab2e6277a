import { z } from 'zod'
import { proofFields, readProof, text, wishedTarget } from '#app/auth/body.server.ts'
import { needsOwnPage } from '#app/auth/own-target.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import type { Wish } from '#app/provider/sign-in.server.ts'

export const wishQuery = z.looseObject({ provider: text, redirect_to: text, scopes: text, ...proofFields })

/** What a client may add to our question: none of it says who asks, or where the answer goes. */
const passedOn = [
  'access_type',
  'prompt',
  'login_hint',
  'hd',
  'domain_hint',
  'include_granted_scopes',
  'ui_locales',
  'display',
  'max_age',
  'kc_idp_hint',
]

const OWN_PAGE = 'To come back to an address of this site, send code_challenge and code_challenge_method (PKCE)'

/** What the client wants to have when its user comes back from a provider. */
export function readWish({ query, headers }: { query: z.infer<typeof wishQuery>; headers: Visit['headers'] }): Omit<Wish, 'origin'> {
  const added = passedOn.flatMap((name) => {
    const value = query[name]
    return typeof value === 'string' && value.length <= 300 ? [[name, value] as const] : []
  })
  const proof = readProof(query)
  const target = wishedTarget({ query, headers }) ?? env.SITE_URL
  if (!proof && needsOwnPage(target)) refuse('validation_failed', { sentence: OWN_PAGE })
  return {
    proof,
    target,
    scopes: query.scopes,
    more: Object.fromEntries(added),
  }
}
