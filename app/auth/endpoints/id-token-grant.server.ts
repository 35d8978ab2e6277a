import type { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { enterAs } from '#app/auth/providers/account.server.ts'
import { orConfirm } from '#app/auth/providers/confirm-entered.server.ts'
import { startFor } from '#app/auth/providers/entered.server.ts'
import { readIdTokenGrant } from '#app/auth/providers/id-token.server.ts'
import { exchangeAndLink, linkIdentity } from '#app/auth/providers/link.server.ts'
import type { SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { startSession } from '#app/auth/sessions/session.server.ts'
import { signInByWallet } from '#app/auth/providers/wallet-sign-in.server.ts'
import { allowBearer, clientOf } from '#app/auth/http/bearer.server.ts'
import type { metaSecurity } from '#app/auth/http/body.server.ts'
import { checkCaptcha } from '#app/auth/http/captcha.server.ts'
import type { foreignFields } from '#app/auth/http/foreign-fields.server.ts'
import { signInLimit, walletLimit } from '#app/auth/http/limits.server.ts'

type Body = z.infer<z.ZodObject<typeof foreignFields & { gotrue_meta_security: typeof metaSecurity }>>

/** Signs in with a provider's ID token, or links the identity to the signed-in account. */
export async function byIdToken({ link_identity: isLink, ...body }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
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
export async function byCode({ auth_code: code, code_verifier: verifier }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(requestContext.address))
  if (!code || !verifier) {
    refuse('validation_failed', { sentence: 'invalid request: both auth code and code verifier should be non-empty' })
  }
  const { tokens, ...session } = await exchangeAndLink(code, verifier, clientOf(requestContext))
  return { ...(await toSessionAnswer(session)), ...tokens }
}

/** Signs in with a wallet's signature. */
export async function byWallet(
  { chain, message = '', signature = '', gotrue_meta_security: security }: Body,
  requestContext: RequestContext,
): Promise<SessionAnswer> {
  await consume(walletLimit, visitorKey(requestContext.address))
  await checkCaptcha(security, requestContext)
  return toSessionAnswer(await signInByWallet(chain, message, signature, clientOf(requestContext)))
}
