import type { z } from 'zod'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { enterAs } from '#app/provider/account.server.ts'
import { orConfirm } from '#app/provider/confirm-entered.server.ts'
import { startFor } from '#app/provider/entered.server.ts'
import { readIdTokenGrant } from '#app/provider/id-token.server.ts'
import { exchangeAndLink, linkIdentity } from '#app/provider/link.server.ts'
import type { SessionAnswer } from '#app/session/auth-user.ts'
import { requireFreshSignIn } from '#app/session/fresh-sign-in.server.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { startSession } from '#app/session/session.server.ts'
import { signInByWallet } from '#app/wallet/sign-in.server.ts'
import { allowBearer, clientOf } from './bearer.server.ts'
import type { metaSecurity } from './body.server.ts'
import { checkCaptcha } from './captcha.server.ts'
import type { foreignFields } from './foreign-fields.server.ts'
import { signInLimit, walletLimit } from './limits.server.ts'

type Body = z.infer<z.ZodObject<typeof foreignFields & { gotrue_meta_security: typeof metaSecurity }>>

/** Signs in whom another service names in a token of its own, or adds it to the account of who is signed in. */
export async function byIdToken({ link_identity: isLink, ...body }: Body, visit: Visit): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(visit.address))
  const holder = isLink ? await allowBearer(visit) : undefined
  if (holder && !env.SECURITY_MANUAL_LINKING_ENABLED) refuse('manual_linking_disabled')
  if (holder) await requireFreshSignIn(db, holder.session)
  const { client_id: clientId, id_token: idToken, access_token: accessToken } = body
  const external = await readIdTokenGrant({ ...body, clientId, idToken, accessToken })
  const client = clientOf(visit)
  if (holder) {
    const asker = { userId: holder.user.id, sessionId: holder.session.id }
    const opened = await linkIdentity(asker, external, (trx, user) => startSession(trx, user, 'oauth', client, external.provider))
    return toSessionAnswer(opened)
  }
  const outcome = await enterAs(external, (trx, entered) => startFor(trx, entered, external, 'oauth', client))
  return toSessionAnswer(await orConfirm(outcome, external, client))
}

/** Signs in whoever has the key of a flow, which came back to them from a letter or from another service. */
export async function byCode({ auth_code: code, code_verifier: verifier }: Body, visit: Visit): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(visit.address))
  if (!code || !verifier) {
    refuse('validation_failed', { sentence: 'invalid request: both auth code and code verifier should be non-empty' })
  }
  const { tokens, ...session } = await exchangeAndLink(code, verifier, clientOf(visit))
  return { ...(await toSessionAnswer(session)), ...tokens }
}

/** Signs in whoever holds the key of a wallet. */
export async function byWallet(
  { chain, message = '', signature = '', gotrue_meta_security: security }: Body,
  visit: Visit,
): Promise<SessionAnswer> {
  await consume(walletLimit, visitorKey(visit.address))
  await checkCaptcha(security, visit)
  return toSessionAnswer(await signInByWallet(chain, message, signature, clientOf(visit)))
}
