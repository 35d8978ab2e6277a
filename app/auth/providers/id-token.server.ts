import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload } from 'jose'
import { refuse, refuseGrant } from '#app/auth/protocol/refusal.ts'
import { log } from '#app/platform/process/log.server.ts'
import type { External } from './account.server.ts'
import { checkIdToken, ForeignIssuer } from './open-id.server.ts'
import { readClaims } from './profile.server.ts'
import { providers } from './provider-settings.server.ts'
import { findProvider, type Provider } from './provider.server.ts'

/** A provider's token from a client, which names the provider, or like older clients the issuer and client id. */
export type IdTokenGrant = {
  provider: string | undefined
  clientId: string | undefined
  issuer: string | undefined
  idToken: string | undefined
  accessToken: string | undefined
  nonce: string | undefined
}

/** Returns the user in a provider's ID token, after checking its signature, audience and nonce. */
export async function readIdTokenGrant(grant: IdTokenGrant): Promise<External> {
  const { idToken, accessToken, nonce } = grant
  if (!idToken) refuseGrant('invalid request', 'id_token required')
  const provider = providerOf(grant)
  const payload = await check(provider, idToken)
  matchAccessToken(idToken, payload, accessToken)
  if (!provider.settings.SKIP_NONCE_CHECK) matchNonce(payload, nonce)
  const profile = readClaims(payload) ?? refuseGrant('invalid request', 'Bad ID token')
  return { ...profile, provider: provider.name, needsEmail: !provider.settings.EMAIL_OPTIONAL }
}

function providerOf({ provider, clientId, issuer }: IdTokenGrant): Provider {
  if (provider) return findProvider(provider, 'provider_disabled')
  if (!clientId || !issuer) refuse('validation_failed', { sentence: 'provider or client_id and issuer required' })
  for (const [name, { CLIENT_ID }] of providers) {
    const known = findProvider(name)
    if (CLIENT_ID.includes(clientId) && [known.issuer, ...(known.aliases ?? [])].includes(issuer)) return known
  }
  return refuse('validation_failed', { sentence: 'No enabled provider has this issuer' })
}

async function check(provider: Provider, token: string): Promise<JWTPayload> {
  try {
    return await checkIdToken(provider, token)
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
      refuseGrant('invalid request', 'Unacceptable audience in id_token')
    }
    if (isTheirFault(error)) refuseGrant('invalid request', 'Bad ID token')
    log.warn(
      { provider: provider.name, failure: error instanceof Error ? error.name : 'unknown' },
      'a provider could not be asked for its keys',
    )
    return refuse('unexpected_failure')
  }
}

/** Any other error means that the provider cannot be reached. */
function isTheirFault(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false
  return error instanceof ForeignIssuer || (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC')
}

/** `at_hash` binds the ID token to its access token: half of the token's hash. */
function matchAccessToken(idToken: string, { at_hash: expected }: JWTPayload, accessToken: string | undefined) {
  if (!accessToken || expected === undefined) return
  const bits = /(256|384|512)$/.exec(decodeProtectedHeader(idToken).alg ?? '')?.[1] ?? '512'
  const hash = createHash(`sha${bits}`).update(accessToken).digest()
  if (hash.subarray(0, hash.length / 2).toString('base64url') !== expected)
    refuseGrant('invalid request', 'Bad ID token: it belongs to another access token')
}

/** The client showed the provider only the hash of its nonce, so a stolen token is useless. */
function matchNonce({ nonce: inToken }: JWTPayload, nonce: string | undefined) {
  if (Boolean(inToken) !== Boolean(nonce)) {
    refuseGrant('invalid request', 'Passed nonce and nonce in id_token should either both exist or not.')
  }
  if (nonce && createHash('sha256').update(nonce).digest('hex') !== inToken) refuseGrant('invalid nonce', 'Nonces mismatch')
}
