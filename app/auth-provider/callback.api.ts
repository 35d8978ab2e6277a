import { z } from 'zod'
import { clientOf } from '#app/auth/bearer.server.ts'
import { rememberSession } from '#app/platform/session-cookie.server.ts'
import { type Remember, goOnWith, isOwnTarget } from '#app/auth/own-target.server.ts'
import { withCode, withError } from '#app/auth/redirect-answer.server.ts'
import { refusalOf, refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { enterAs, type Entered, type External } from '#app/provider/account.server.ts'
import { orConfirm } from '#app/provider/confirm-entered.server.ts'
import { linkIdentity } from '#app/provider/link.server.ts'
import { findProvider } from '#app/provider/provider.server.ts'
import { finishSignIn } from '#app/provider/sign-in.server.ts'
import type { Client } from '#app/session/client.ts'
import { type ProviderTokens, requestSecretsOf, sealFlowSecrets } from '#app/session/flow-secrets.server.ts'
import { type FlowState, issueCode, useFlow } from '#app/session/flow-state.server.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { startSession } from '#app/session/session.server.ts'
import { comesByBrowser, isSameBrowser } from './flow-cookie.server.ts'
import { callbackLimit } from './limits.server.ts'
import { redirected } from '#app/platform/answer-schema.ts'

const MOST_FORM_BYTES = 64 * 1024

/** Where providers send people back to: whatever happens, they go on to where the client wanted them, and it hears there what it was. */
export const callbackApi: Api = async (app) => {
  // Apple answers by a form, sent from its own page.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MOST_FORM_BYTES }, (_request, body, done) =>
    done(null, body.toString()),
  )
  app.route({
    method: ['GET', 'POST'],
    url: '/callback',
    schema: { summary: 'Come back from signing in elsewhere', tags: ['auth'], response: { 302: redirected } },
    config: { limit: callbackLimit, allowForeignOrigin: true, takes: ['application/x-www-form-urlencoded'] },
    async handler({ method, url, body, visit }, reply) {
      const answer = new URLSearchParams(method === 'POST' ? (typeof body === 'string' ? body : '') : url.split('?')[1])
      return reply.redirect(await takeBack(answer, visit, (tokens) => rememberSession(reply, tokens)), 302)
    },
  })
}

async function takeBack(answer: URLSearchParams, visit: Visit, remember: Remember): Promise<string> {
  const flow = await findFlow(answer)
  if (flow instanceof Stop) return withError(env.SITE_URL, flow, false)
  const target = flow.redirectTo ?? env.SITE_URL
  try {
    const { browserHash, isBrowser } = requestSecretsOf(flow)
    const isSame = isSameBrowser(visit, browserHash)
    // A key protects as well: whoever is sent here by someone else has none that fits. A program cannot be sent anywhere.
    if (!isSame && comesByBrowser(visit) && (isBrowser || !flow.codeChallenge)) refuse('bad_oauth_state')
    const client = { ...clientOf(visit), ...(!flow.codeChallenge && isOwnTarget(target) && { ownPages: true }) }
    return await finish(flow, { target, isSame, remember }, answer, client)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return withError(target, toCallbackError(error), flow.codeChallenge !== null)
  }
}

/** The flow that someone comes back to, once. */
async function findFlow(answer: URLSearchParams): Promise<FlowState | Stop> {
  const state = z.uuid().safeParse(answer.get('state'))
  if (!state.success) return refusalOf('bad_oauth_state')
  return (await useFlow(state.data)) ?? refusalOf('flow_state_already_used')
}

async function finish(
  flow: FlowState,
  { target, isSame, remember }: { target: string; isSame: boolean; remember: Remember },
  answer: URLSearchParams,
  client: Client,
): Promise<string> {
  const refused = answer.get('error')
  if (refused) refuse('bad_oauth_callback', { kind: 'forbidden', sentence: plain(answer.get('error_description') ?? refused) })
  if (!answer.get('code')) refuse('bad_oauth_callback')
  const provider = findProvider(flow.provider ?? undefined)
  const { profile, tokens } = await finishSignIn(provider, flow, answer)
  const external = { ...profile, provider: provider.name, needsEmail: !provider.settings.EMAIL_OPTIONAL }
  const { invitedEmail } = requestSecretsOf(flow)
  if (invitedEmail && (!external.emailVerified || external.email !== invitedEmail.toLowerCase())) {
    refuse('validation_failed', { sentence: 'Invited email does not match emails from external provider' })
  }
  if (flow.linkingUserId && !isSame && flow.codeChallenge)
    return withCode(target, await awaitKey(flow, flow.linkingUserId, external, tokens))
  if (flow.linkingUserId) {
    const asker = { userId: flow.linkingUserId, sessionId: requestSecretsOf(flow).linkingSessionId }
    return linkIdentity(asker, external, (trx, user) => goOn(trx, { flow, target, user, external, tokens, client })).then((going) =>
      answerOf(remember, going),
    )
  }
  const outcome = await enterAs(external, (trx, entered) => orGoOn(trx, entered, { flow, target, external, tokens, client }))
  return answerOf(remember, await orConfirm(outcome, external, client, target === env.SITE_URL ? undefined : target))
}

/** Nobody has said yet that it is the one who asked who comes back here: who shows the key is, and only then is anything added. */
async function awaitKey(flow: FlowState, userId: string, external: External, tokens: ProviderTokens): Promise<string> {
  const awaited = { external, sessionId: requestSecretsOf(flow).linkingSessionId }
  return transaction((trx) => issueCodeWith(trx, flow, userId, { ...tokens, awaited }))
}

type Coming = { flow: FlowState; target: string; external: External; tokens: ProviderTokens; client: Client }

async function orGoOn(trx: Trx, entered: Entered, coming: Coming) {
  return typeof entered === 'string' ? entered : goOn(trx, { ...coming, user: entered })
}

/** A client with a key gets a code, which its key alone makes a session of; another one the session itself. */
async function goOn(trx: Trx, { flow, target, user, external, tokens, client }: Coming & { user: User }) {
  if (!flow.codeChallenge) return { target, tokens, session: await startSession(trx, user, 'oauth', client, external.provider) }
  return { target, code: await issueCodeWith(trx, flow, user.id, tokens) }
}

async function issueCodeWith(trx: Trx, { id }: FlowState, userId: string, secrets: Parameters<typeof sealFlowSecrets>[1]): Promise<string> {
  const secretsSealed = sealFlowSecrets(id, secrets)
  await trx.updateTable('flowStates').set({ secretsSealed }).where('id', '=', id).execute()
  return issueCode(trx, id, userId)
}

async function answerOf(remember: Remember, going: Awaited<ReturnType<typeof goOn>>): Promise<string> {
  if (going.code !== undefined) return withCode(going.target, going.code)
  return goOnWith(remember, going.target, { ...(await toSessionAnswer(going.session)), ...going.tokens })
}

/** In a callback these mean that someone may not come in, whatever their status elsewhere. */
const denied = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification'])

function toCallbackError(stopped: Stop): Stop {
  if (denied.has(stopped.extra.code ?? '')) return new Stop('forbidden', stopped.data, stopped.extra)
  return [400, 401, 403, 503].includes(stopped.status) ? stopped : new Stop('bug', stopped.data, stopped.extra)
}

/** What a provider writes is shown to people: as text of a decent length. */
function plain(words: string): string {
  return words.replaceAll(/[^\w .,:;'!?()/-]/g, ' ').slice(0, 200)
}
