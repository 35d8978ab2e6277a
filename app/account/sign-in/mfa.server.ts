import type { CurrentUser } from '#app/account/session/current-user.ts'
import { accessTokenOf, clientOf } from '#app/auth/http/bearer.server.ts'
import { challengeLimit, factorVerifyLimit } from '#app/auth/http/limits.server.ts'
import { answerChallenge, beginChallenge } from '#app/auth/mfa/challenge.server.ts'
import { useRecoveryCode } from '#app/auth/mfa/recovery-code.server.ts'
import { answerHostedFactor, callHostedFactor } from '#app/auth/hosted/hosted-user.server.ts'
import { readFields } from './credentials.ts'
import { phoneRefusal } from './phone-mfa.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders, type SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import { Stop, stop } from '#app/platform/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { findSession, type OpenSession } from '#app/auth/sessions/session.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { listMfaFactors } from './mfa-factors.server.ts'
import { mfaForm } from './mfa-forms.ts'

type Fields = Record<string, string>

/** The state of the page. `challenge` belongs to the code of a message. */
type Step = { error?: string | undefined; challenge?: string | undefined; headers?: never }
type Taken = { headers: [name: string, value: string][]; error?: never; challenge?: never }

/** Sends a phone its code, for pages without JavaScript. */
export async function sendMfaCode(
  currentUser: CurrentUser,
  { factor = '', challenge }: Fields,
  requestContext: RequestContext,
): Promise<Step> {
  return orTell({ challenge }, async () => {
    await consume(challengeLimit, visitorKey(requestContext.address))
    if (!(await isPhone(currentUser, factor, requestContext))) stop('notFound', 'This phone isn’t set up for two-factor authentication.')
    return { challenge: await ask(currentUser, factor, requestContext) }
  })
}

/** Handles the MFA form for pages without JavaScript. */
export async function submitMfa(currentUser: CurrentUser, fields: Fields, requestContext: RequestContext): Promise<Step | Taken> {
  const { challenge } = fields
  const read = readFields(mfaForm, fields)
  if (!read.value) return { error: read.errors['code'] ?? Object.values(read.errors)[0], challenge }
  const { code, factor = '', recovery } = read.value
  return orTell<Step | Taken>({ challenge }, async () => {
    await consume(factorVerifyLimit, visitorKey(requestContext.address))
    if (recovery) return { headers: sessionHeaders(await answerByRecoveryCode(currentUser, code)) }
    const challengeId = read.value.challenge ?? (await askAuthenticator(currentUser, factor, requestContext))
    return { headers: sessionHeaders(await answer(currentUser, { factorId: factor, challengeId, code }, requestContext)) }
  })
}

/** An authenticator needs no separate challenge request; a phone gets its challenge with the message. */
async function askAuthenticator(currentUser: CurrentUser, factorId: string, requestContext: RequestContext): Promise<string> {
  if (factorId === '') stop('unprocessable', 'Choose an authenticator.')
  if (await isPhone(currentUser, factorId, requestContext)) stop('unprocessable', 'Send a code first.')
  return ask(currentUser, factorId, requestContext)
}

async function isPhone(currentUser: CurrentUser, factorId: string, requestContext: RequestContext): Promise<boolean> {
  const factors = await listMfaFactors(currentUser, requestContext)
  return factors.some(({ id, phoneEnd }) => id === factorId && phoneEnd !== undefined)
}

async function ask(currentUser: CurrentUser, factorId: string, requestContext: RequestContext): Promise<string> {
  if (isHosted) return callHostedFactor(accessTokenOf(requestContext), factorId, clientOf(requestContext))
  return (await beginChallenge(await findHolder(currentUser), { factorId, address: clientOf(requestContext).address })).id
}

type Answer = { factorId: string; challengeId: string; code: string }

async function answer(currentUser: CurrentUser, given: Answer, requestContext: RequestContext): Promise<SessionTokens> {
  const client = clientOf(requestContext)
  if (isHosted) return answerHostedFactor(accessTokenOf(requestContext), given, client)
  return tokensOf(await answerChallenge(await findHolder(currentUser), { ...given, address: client.address }))
}

/** Only accounts in our own database have recovery codes. */
async function answerByRecoveryCode(currentUser: CurrentUser, code: string): Promise<SessionTokens> {
  if (isHosted) stop('unprocessable', 'There are no recovery codes for this account.')
  return tokensOf(await useRecoveryCode(await findHolder(currentUser), code))
}

async function findHolder({ id, sessionId }: CurrentUser): Promise<SessionUser> {
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : stop('notSignedIn', 'You are signed out. Please sign in again.')
}

async function tokensOf(opened: OpenSession): Promise<SessionTokens> {
  const { access_token: access, refresh_token: refresh } = await toSessionAnswer(opened)
  return { access, refresh }
}

async function orTell<T>(step: Step, work: () => Promise<T>): Promise<T | Step> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const message = error.data
    return { ...step, error: step.challenge ? phoneRefusal({ code: error.extra.code, message }) : message }
  }
}
