import { z } from 'zod'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { beginSignUp } from '#app/auth/http/sign-up-browser.server.ts'
import { rememberSession } from '#app/platform/http/session-cookie.server.ts'
import { type Remember, goOnWith, isOwnTarget } from '#app/auth/http/own-target.server.ts'
import { withCode, withError } from '#app/auth/http/redirect-response.server.ts'
import { refusalOf, refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { enterAs, type Entered, type External } from '#app/auth/providers/account.server.ts'
import { orConfirm } from '#app/auth/providers/confirm-entered.server.ts'
import { linkIdentity } from '#app/auth/providers/link.server.ts'
import { findProvider } from '#app/auth/providers/provider.server.ts'
import { finishSignIn } from '#app/auth/providers/sign-in.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { type ProviderTokens, requestSecretsOf, sealFlowSecrets } from '#app/auth/sessions/flow-secrets.server.ts'
import { type FlowState, issueCode, useFlow } from '#app/auth/sessions/flow-state.server.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { startSession } from '#app/auth/sessions/session.server.ts'
import { comesByBrowser, isSameBrowser } from './flow-cookie.server.ts'
import { callbackLimit } from '#app/auth/http/limits.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'

const MOST_FORM_BYTES = 64 * 1024

/** Providers redirect here. Every result, errors included, is passed on to the client's redirect URL. */
export const callbackApi: Api = async (app) => {
  // Apple responds with a form POST from its own page.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MOST_FORM_BYTES }, (_request, body, done) =>
    done(null, body.toString()),
  )
  app.route({
    method: ['GET', 'POST'],
    url: '/callback',
    schema: { summary: 'Return from a sign-in provider', tags: ['auth'], response: { 302: redirected } },
    // The other service may take seconds, in which it would keep a slot.
    config: { limit: callbackLimit, allowForeignOrigin: true, isBoundElsewhere: true, takes: ['application/x-www-form-urlencoded'] },
    async handler({ method, url, body, requestContext }, reply) {
      const answer = new URLSearchParams(method === 'POST' ? (typeof body === 'string' ? body : '') : url.split('?')[1])
      const browser: BrowserOfFlow = {
        remember: (tokens) => rememberSession(reply, tokens),
        keep: (cookie) => void reply.header('set-cookie', cookie),
      }
      return reply.redirect(await takeBack(answer, requestContext, browser), 302)
    },
  })
}

/** Sets the cookies of a session, or that of a sign-up. */
type BrowserOfFlow = { remember: Remember; keep: (cookie: string) => void }

async function takeBack(answer: URLSearchParams, requestContext: RequestContext, browser: BrowserOfFlow): Promise<string> {
  const flow = await findFlow(answer)
  if (flow instanceof Stop) return withError(env.SITE_URL, flow, false)
  const target = flow.redirectTo ?? env.SITE_URL
  try {
    const { browserHash, isBrowser } = requestSecretsOf(flow)
    const isSame = isSameBrowser(requestContext, browserHash)
    // PKCE protects too: another browser has no matching verifier. Only a browser can be tricked into a redirect.
    if (!isSame && comesByBrowser(requestContext) && (isBrowser || !flow.codeChallenge)) refuse('bad_oauth_state')
    const client = { ...clientOf(requestContext), ...(!flow.codeChallenge && isOwnTarget(target) && { ownPages: true }) }
    return await finish(flow, { target, isSame, ...browser }, answer, client)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return withError(target, toCallbackError(error), flow.codeChallenge !== null)
  }
}

/** Finds the flow and uses it up. */
async function findFlow(answer: URLSearchParams): Promise<FlowState | Stop> {
  const state = z.uuid().safeParse(answer.get('state'))
  if (!state.success) return refusalOf('bad_oauth_state')
  return (await useFlow(state.data)) ?? refusalOf('flow_state_already_used')
}

async function finish(
  flow: FlowState,
  { target, isSame, remember, keep }: { target: string; isSame: boolean } & BrowserOfFlow,
  answer: URLSearchParams,
  client: Client,
): Promise<string> {
  const refused = answer.get('error')
  if (refused) refuse('bad_oauth_callback', { kind: 'forbidden', sentence: plain(answer.get('error_description') ?? refused) })
  if (!answer.get('code')) refuse('bad_oauth_callback')
  const provider = findProvider(flow.provider ?? undefined)
  const { profile, tokens } = await finishSignIn(provider, flow, answer)
  const { invitedEmail, cameFrom } = requestSecretsOf(flow)
  const external = { ...profile, provider: provider.name, needsEmail: !provider.settings.EMAIL_OPTIONAL, cameFrom }
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
  // The email of a sign-up on our pages works in this browser; elsewhere it asks for a password.
  const here =
    outcome === 'provider_email_needs_verification' && isSame && isOwnTarget(target) ? beginSignUp(external.email ?? '') : undefined
  if (here) keep(here.cookie)
  const manner = { target: isOwnTarget(target) ? undefined : target, browser: here?.signUpBrowser }
  return answerOf(remember, await orConfirm(outcome, external, client, manner))
}

/** The caller is not proven yet; link only after the PKCE verifier matches. */
async function awaitKey(flow: FlowState, userId: string, external: External, tokens: ProviderTokens): Promise<string> {
  const awaited = { external, sessionId: requestSecretsOf(flow).linkingSessionId }
  return transaction((trx) => issueCodeWith(trx, flow, userId, { ...tokens, awaited }))
}

type Coming = { flow: FlowState; target: string; external: External; tokens: ProviderTokens; client: Client }

async function orGoOn(trx: Trx, entered: Entered, coming: Coming) {
  return typeof entered === 'string' ? entered : goOn(trx, { ...coming, user: entered })
}

/** A PKCE client gets a code for its verifier; any other client gets the session. */
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

/** These are 403 in a callback, whatever their status elsewhere. */
const denied = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification'])

function toCallbackError(stopped: Stop): Stop {
  if (denied.has(stopped.extra.code ?? '')) return new Stop('forbidden', stopped.data, stopped.extra)
  return [400, 401, 403, 503].includes(stopped.status) ? stopped : new Stop('bug', stopped.data, stopped.extra)
}

/** Cleans a provider's text for display: plain characters only, limited length. */
function plain(words: string): string {
  return words.replaceAll(/[^\w .,:;'!?()/-]/g, ' ').slice(0, 200)
}
