import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { fetchJson, fetchWithin } from './provider-fetch.server.ts'
import type { Provider } from './provider.server.ts'

const KEPT_MS = 3600 * 1000
const LEEWAY_SECONDS = 30
/** None that a public key could be taken for the secret of. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const documents = z.looseObject({ issuer: z.string(), authorization_endpoint: z.url(), token_endpoint: z.url(), jwks_uri: z.url() })
type Documents = z.infer<typeof documents>

const known = new Map<string, { at: number; found: Promise<Documents> }>()
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** A good token, but not of this provider. */
export class ForeignIssuer extends Error {}

/** What a provider of OpenID Connect says about itself, kept for an hour. */
export function findDocuments(issuer: string): Promise<Documents> {
  const kept = known.get(issuer)
  if (kept && Date.now() - kept.at < KEPT_MS) return kept.found
  const found = readDocuments(issuer)
  known.set(issuer, { at: Date.now(), found })
  found.catch(() => known.delete(issuer))
  return found
}

/**
 * Checks a token in which a provider names someone: signed with a key of its own, issued by it, for us, in time. Whether it belongs to this very
 * sign-in (its nonce) is for the caller to look at.
 */
export async function checkIdToken(provider: Provider, token: string): Promise<JWTPayload> {
  const { issuers, jwks } = await sourcesOf(provider)
  const { payload } = await jwtVerify(token, keysAt(jwks), {
    audience: provider.settings.CLIENT_ID,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['iss', 'sub', 'exp', 'iat'],
  })
  const names = issuers.map((issuer) => issuer.replace('{tenantid}', String(payload['tid'])))
  if (!payload.iss || !names.includes(payload.iss)) throw new ForeignIssuer('The token was issued by someone else.')
  return payload
}

async function sourcesOf({ issuer, aliases = [], jwks }: Provider): Promise<{ issuers: string[]; jwks: string }> {
  if (jwks) return { issuers: aliases, jwks }
  if (!issuer) throw new ForeignIssuer('This provider gives no such tokens.')
  const found = await findDocuments(issuer)
  return { issuers: [found.issuer, ...aliases], jwks: found.jwks_uri }
}

async function readDocuments(issuer: string): Promise<Documents> {
  const found = documents.parse(await fetchJson(`${issuer}/.well-known/openid-configuration`))
  // A directory of many tenants has one document for all of them, with a place for the tenant's name.
  const isDirectory =
    issuer.startsWith('https://login.microsoftonline.com/') && found.issuer === 'https://login.microsoftonline.com/{tenantid}/v2.0'
  if (found.issuer !== issuer && !isDirectory) throw new Error('The documents of the provider are those of someone else.')
  return found
}

function keysAt(address: string): ReturnType<typeof createRemoteJWKSet> {
  const kept = keySets.get(address) ?? createRemoteJWKSet(new URL(address), { [customFetch]: fetchWithin })
  keySets.set(address, kept)
  return kept
}
