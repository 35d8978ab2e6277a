import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { fetchJson, fetchWithin } from './provider-fetch.server.ts'
import type { Provider } from './provider.server.ts'

const KEPT_MS = 3600 * 1000
const LEEWAY_SECONDS = 30
/** No HMAC: it could use a public key as its secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const documents = z.looseObject({ issuer: z.string(), authorization_endpoint: z.url(), token_endpoint: z.url(), jwks_uri: z.url() })
type Documents = z.infer<typeof documents>

const known = new Map<string, { at: number; found: Promise<Documents> }>()
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** A valid token of another issuer. */
export class ForeignIssuer extends Error {}

/** Loads a provider's OpenID Connect discovery document, cached for an hour. */
export function findDocuments(issuer: string): Promise<Documents> {
  const kept = known.get(issuer)
  if (kept && Date.now() - kept.at < KEPT_MS) return kept.found
  const found = readDocuments(issuer)
  known.set(issuer, { at: Date.now(), found })
  found.catch(() => known.delete(issuer))
  return found
}

/** Checks an ID token's signature, issuer, audience and expiry. The caller must check the nonce. */
export async function checkIdToken(provider: Provider, token: string): Promise<JWTPayload> {
  const { issuers, jwks } = await sourcesOf(provider)
  const { payload } = await jwtVerify(token, keysAt(jwks), {
    audience: provider.settings.CLIENT_ID,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['iss', 'sub', 'exp', 'iat'],
  })
  const names = issuers.map((issuer) => issuer.replace('{tenantid}', String(payload['tid'])))
  if (!payload.iss || !names.includes(payload.iss)) throw new ForeignIssuer('The token has another issuer.')
  return payload
}

async function sourcesOf({ issuer, aliases = [], jwks }: Provider): Promise<{ issuers: string[]; jwks: string }> {
  if (jwks) return { issuers: aliases, jwks }
  if (!issuer) throw new ForeignIssuer('This provider issues no ID tokens.')
  const found = await findDocuments(issuer)
  return { issuers: [found.issuer, ...aliases], jwks: found.jwks_uri }
}

async function readDocuments(issuer: string): Promise<Documents> {
  const found = documents.parse(await fetchJson(`${issuer}/.well-known/openid-configuration`))
  // Microsoft has one document for all tenants, with a placeholder for the tenant's id.
  const isDirectory =
    issuer.startsWith('https://login.microsoftonline.com/') && found.issuer === 'https://login.microsoftonline.com/{tenantid}/v2.0'
  if (found.issuer !== issuer && !isDirectory) throw new Error('The discovery document is for another issuer.')
  return found
}

function keysAt(address: string): ReturnType<typeof createRemoteJWKSet> {
  const kept = keySets.get(address) ?? createRemoteJWKSet(new URL(address), { [customFetch]: fetchWithin })
  keySets.set(address, kept)
  return kept
}
