import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { refreshSession, startSession } from '#app/auth/sessions/session.server.ts'
import { signIn } from '#app/auth/sessions/sign-in.server.ts'
import { allowBearer, clientOf } from '#app/auth/http/bearer.server.ts'
import { metaSecurity, onlyAddress, textField } from '#app/auth/http/body.server.ts'
import { checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { countRenewal, signInLimit, walletLimit } from '#app/auth/http/limits.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { enterAs } from '#app/auth/providers/account.server.ts'
import { orConfirm } from '#app/auth/providers/confirm-entered.server.ts'
import { startFor } from '#app/auth/providers/entered.server.ts'
import { readIdTokenGrant } from '#app/auth/providers/id-token.server.ts'
import { exchangeAndLink, linkIdentity } from '#app/auth/providers/link.server.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { signInByWallet } from '#app/auth/providers/wallet-sign-in.server.ts'

/** The fields of all grants. */
export const tokenBody = z.object({
  email: textField,
  phone: textField,
  password: textField,
  refresh_token: textField,
  provider: textField,
  client_id: textField,
  issuer: textField,
  id_token: textField,
  access_token: textField,
  nonce: textField,
  link_identity: z.boolean().nullish(),
  chain: textField,
  message: textField,
  signature: textField,
  auth_code: textField,
  code_verifier: textField,
  gotrue_meta_security: metaSecurity,
})
type Body = z.infer<typeof tokenBody>

export const areWalletsOn = env.EXTERNAL_WEB3_ETHEREUM_ENABLED || env.EXTERNAL_WEB3_SOLANA_ENABLED

type Grant = (body: Body, requestContext: RequestContext) => Promise<SessionAnswer>

/** Every grant, by its name in the query. To add one, add its fields to `tokenBody`, its function and a line here. */
export const grants = new Map<string, Grant>([
  ['password', byPassword],
  ['refresh_token', byRefreshToken],
  ['pkce', byCode],
  ['id_token', byIdToken],
  ['web3', byWallet],
])

async function byPassword(
  { password = '', gotrue_meta_security: security, ...address }: Body,
  requestContext: RequestContext,
): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(requestContext.address))
  await checkCaptcha(security, requestContext)
  const { weak, ...session } = await signIn(onlyAddress(address), password, clientOf(requestContext))
  const answer = await toSessionAnswer(session)
  if (weak.length === 0) return answer
  return {
    ...answer,
    weak_password: { message: 'This password does not meet the rules for new passwords. Please choose a stronger one.', reasons: weak },
  }
}

async function byRefreshToken({ refresh_token: token }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
  await countRenewal(requestContext.address)
  if (!token) refuse('validation_failed', { sentence: 'Refresh token is not valid' })
  return toSessionAnswer(await refreshSession(token, clientOf(requestContext)))
}

/** Signs in with a provider's ID token, or links the identity to the signed-in account. */
async function byIdToken({ link_identity: isLink, ...body }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(requestContext.address))
  const holder = isLink ? await allowBearer(requestContext) : undefined
  if (holder && !env.SECURITY_MANUAL_LINKING_ENABLED) refuse('manual_linking_disabled')
  if (holder) await requireFreshSignIn(db, holder.session)
  const { client_id: clientId, id_token: idToken, access_token: accessToken } = body
  const external = await readIdTokenGrant({ ...body, clientId, idToken, accessToken })
  const client = clientOf(requestContext)
  if (holder) {
    const asker = { userId: holder.user.id, sessionId: holder.session.id }
    const opened = await linkIdentity(asker, external, (trx, user) => startSession(trx, user, 'oauth', client, external.provider))
    return toSessionAnswer(opened)
  }
  const outcome = await enterAs(external, (trx, entered) => startFor(trx, entered, external, 'oauth', client))
  return toSessionAnswer(await orConfirm(outcome, external, client))
}

/** Exchanges a PKCE code from an email or a provider for a session. */
async function byCode({ auth_code: code, code_verifier: verifier }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(requestContext.address))
  if (!code || !verifier) {
    refuse('validation_failed', { sentence: 'invalid request: both auth code and code verifier should be non-empty' })
  }
  const { tokens, ...session } = await exchangeAndLink(code, verifier, clientOf(requestContext))
  return { ...(await toSessionAnswer(session)), ...tokens }
}

/** Signs in with a wallet's signature. */
async function byWallet(
  { chain, message = '', signature = '', gotrue_meta_security: security }: Body,
  requestContext: RequestContext,
): Promise<SessionAnswer> {
  await consume(walletLimit, visitorKey(requestContext.address))
  await checkCaptcha(security, requestContext)
  return toSessionAnswer(await signInByWallet(chain, message, signature, clientOf(requestContext)))
}
