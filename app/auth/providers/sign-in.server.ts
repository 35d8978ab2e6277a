import * as oauth from 'oauth4webapi'
import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { db } from '#app/platform/database/db.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import { type ProviderTokens, type RequestSecrets, requestSecretsOf, sealFlowSecrets } from '#app/auth/sessions/flow-secrets.server.ts'
import { type FlowState, newFlowId, type FlowProof, startFlow } from '#app/auth/sessions/flow-state.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { checkIdToken, findDocuments } from './open-id.server.ts'
import { type ProviderProfile, readClaims } from './profile.server.ts'
import { type Answered, fetchWithin } from './provider-fetch.server.ts'
import { callbackUrl, type Provider } from './provider.server.ts'

/** The hash of the browser that starts a flow, and whether it will show the cookie again. */
export type Origin = Pick<RequestSecrets, 'browserHash' | 'isBrowser'>

/** `target` is the final redirect; `more` are extra parameters from the client. */
export type ProviderSignInRequest = {
  proof: FlowProof | undefined
  target: string
  scopes: string | undefined
  more: Record<string, string>
  origin: Origin
  linking?: SessionUser
  invitedEmail?: string | undefined
  /** The source of the account, if this sign-in creates one. */
  cameFrom?: Source
}

/** Starts a sign-in at a provider. Returns the URL to redirect to; its `state` is the flow's id. */
export async function beginSignIn(
  provider: Provider,
  { proof, target, scopes, more, origin, linking, invitedEmail, cameFrom }: ProviderSignInRequest,
): Promise<string> {
  if (!provider.settings.SECRET) refuse('validation_failed', { sentence: 'Unsupported provider: missing OAuth secret' })
  const { authorize } = await orAway(provider, placesOf(provider), 'Unable to reach the external provider')
  const id = newFlowId()
  const linked = linking && { linkingSessionId: linking.session.id }
  const secrets = {
    verifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
    ...origin,
    ...linked,
    invitedEmail,
    cameFrom,
  }
  await startFlow(db, {
    id,
    method: 'oauth',
    proof,
    provider: provider.name,
    redirectTo: target,
    linkingUserId: linking?.user.id ?? null,
    secretsSealed: sealFlowSecrets(id, secrets),
  })
  const url = new URL(authorize)
  const asked = {
    ...more,
    ...provider.extra,
    response_type: 'code',
    client_id: provider.settings.CLIENT_ID[0] ?? '',
    redirect_uri: callbackUrl(provider),
    scope: [...new Set([...provider.scopes.split(' '), ...(scopes?.split(/[\s,]+/) ?? [])])].filter(Boolean).join(' '),
    state: id,
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(provider.issuer && { nonce: secrets.nonce }),
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** Exchanges the provider's code for the user's profile and tokens. All failures there become one refusal. */
export async function finishSignIn(
  provider: Provider,
  flow: FlowState,
  answer: URLSearchParams,
): Promise<{ profile: ProviderProfile; tokens: ProviderTokens }> {
  return orAway(provider, exchange(provider, flow, answer), 'Unable to exchange external code')
}

/** Reports a provider failure as an outage. Its responses hold tokens, so only the error's name is logged. */
async function orAway<T>({ name }: Provider, asked: Promise<T>, sentence: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    log.warn({ provider: name, failure: error instanceof Error ? error.name : 'unknown' }, 'a provider could not be asked')
    return refuse('unexpected_failure', { kind: 'unavailable', sentence })
  }
}

const exchanged = z.looseObject({ id_token: z.string().optional() })

async function exchange(provider: Provider, flow: FlowState, answer: URLSearchParams) {
  const { verifier, nonce } = requestSecretsOf(flow)
  const { authorize, token } = await placesOf(provider)
  const server = { issuer: provider.issuer ?? new URL(authorize).origin, authorization_endpoint: authorize, token_endpoint: token }
  const client = { client_id: provider.settings.CLIENT_ID[0] ?? '' }
  const checked = oauth.validateAuthResponse(server, client, answer, flow.id)
  const secret = oauth.ClientSecretPost(provider.settings.SECRET ?? '')
  const isLocal = { [oauth.allowInsecureRequests]: token.startsWith('http:'), [oauth.customFetch]: fetchWithin }
  const response = await oauth.authorizationCodeGrantRequest(server, client, secret, checked, callbackUrl(provider), verifier, isLocal)
  const { idToken, rest } = await withoutIdToken(response)
  const { access_token: accessToken, refresh_token: refreshToken } = await oauth.processAuthorizationCodeResponse(server, client, rest)
  const profile = provider.plain ? await provider.plain.read(accessToken) : await readIdToken(provider, idToken, nonce)
  return { profile, tokens: { provider_token: accessToken, ...(refreshToken && { provider_refresh_token: refreshToken }) } }
}

/** Removes the ID token, which we check ourselves. Also removes `scope`, which some providers send as a list. */
async function withoutIdToken(response: Answered): Promise<{ idToken: string | undefined; rest: Answered }> {
  if (!response.ok) return { idToken: undefined, rest: response }
  const { id_token: idToken, scope: _scope, ...rest } = exchanged.parse(await response.json())
  return { idToken, rest: Response.json(rest) }
}

async function readIdToken(provider: Provider, token: string | undefined, nonce: string): Promise<ProviderProfile> {
  if (!token) throw new Error('The provider sent no ID token.')
  const payload = await checkIdToken(provider, token)
  const [shown, expected] = [Buffer.from(String(payload['nonce'])), Buffer.from(nonce)]
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) throw new Error('The token belongs to another sign-in.')
  const profile = readClaims(payload)
  if (!profile) throw new Error('The token has no usable subject.')
  return profile
}

async function placesOf({ plain, issuer }: Provider): Promise<{ authorize: string; token: string }> {
  if (plain) return plain
  const found = await findDocuments(issuer ?? '')
  return { authorize: found.authorization_endpoint, token: found.token_endpoint }
}
