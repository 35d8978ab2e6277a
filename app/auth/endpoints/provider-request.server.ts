import { z } from 'zod'
import { proofFields, readProof, textField, wishedTarget } from '#app/auth/http/body.server.ts'
import { needsOwnPage } from '#app/auth/http/own-target.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { ProviderSignInRequest } from '#app/auth/providers/sign-in.server.ts'

export const providerSignInQuery = z.looseObject({ provider: textField, redirect_to: textField, scopes: textField, ...proofFields })

/** Authorization parameters that a client may add. None of them changes the client or the redirect. */
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

const OWN_PAGE = 'To return to an address of this site, send code_challenge and code_challenge_method (PKCE)'

/** Reads a client's request for a provider sign-in. */
export function readProviderSignIn({
  query,
  headers,
}: {
  query: z.infer<typeof providerSignInQuery>
  headers: RequestContext['headers']
}): Omit<ProviderSignInRequest, 'origin'> {
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
