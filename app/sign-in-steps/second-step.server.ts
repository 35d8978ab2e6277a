import type { Viewer } from '#app/account/viewer.ts'
import { accessTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { challengeLimit, factorVerifyLimit } from '#app/auth/limits.server.ts'
import { answerChallenge, beginChallenge } from '#app/factor/challenge.server.ts'
import { useRecoveryCode } from '#app/factor/recovery-code.server.ts'
import { answerHostedFactor, askHostedFactor } from '#app/hosted/hosted-user.server.ts'
import { readFields } from '#app/login/credentials.ts'
import { phoneRefusal } from '#app/phone-step/phone-step.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders, type SessionTokens } from '#app/platform/session-cookie.server.ts'
import { Stop, stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { findSession, type OpenSession } from '#app/session/session.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import { listStepFactors } from './second-step-factors.server.ts'
import { secondStepForm } from './step-forms.ts'

type Fields = Record<string, string>

/** What the page shows next. `challenge` is what the code of a message answers. */
type Step = { error?: string | undefined; challenge?: string | undefined; headers?: never }
type Taken = { headers: [name: string, value: string][]; error?: never; challenge?: never }

/** Sends a phone its code, as a browser asks for it without script. */
export async function sendStepCode(viewer: Viewer, { factor = '', challenge }: Fields, visit: Visit): Promise<Step> {
  return orTell({ challenge }, async () => {
    await consume(challengeLimit, visitorKey(visit.address))
    if (!(await isPhone(viewer, factor, visit))) stop('notFound', 'This phone is no second step of yours.')
    return { challenge: await ask(viewer, factor, visit) }
  })
}

/** The form of the second step as a browser sends it without script. */
export async function takeSecondStep(viewer: Viewer, fields: Fields, visit: Visit): Promise<Step | Taken> {
  const { challenge } = fields
  const read = readFields(secondStepForm, fields)
  if (!read.value) return { error: read.errors['code'] ?? Object.values(read.errors)[0], challenge }
  const { code, factor = '', recovery } = read.value
  return orTell<Step | Taken>({ challenge }, async () => {
    await consume(factorVerifyLimit, visitorKey(visit.address))
    if (recovery) return { headers: sessionHeaders(await answerByRecoveryCode(viewer, code)) }
    const challengeId = read.value.challenge ?? (await askAuthenticator(viewer, factor, visit))
    return { headers: sessionHeaders(await answer(viewer, { factorId: factor, challengeId, code }, visit)) }
  })
}

/** An authenticator is asked and answered in one; a phone has to be asked by a message. */
async function askAuthenticator(viewer: Viewer, factorId: string, visit: Visit): Promise<string> {
  if (factorId === '') stop('unprocessable', 'Choose an authenticator.')
  if (await isPhone(viewer, factorId, visit)) stop('unprocessable', 'Send a code first.')
  return ask(viewer, factorId, visit)
}

async function isPhone(viewer: Viewer, factorId: string, visit: Visit): Promise<boolean> {
  const factors = await listStepFactors(viewer, visit)
  return factors.some(({ id, phoneEnd }) => id === factorId && phoneEnd !== undefined)
}

async function ask(viewer: Viewer, factorId: string, visit: Visit): Promise<string> {
  if (isHosted) return askHostedFactor(accessTokenOf(visit), factorId, clientOf(visit))
  return (await beginChallenge(await findHolder(viewer), { factorId, address: clientOf(visit).address })).id
}

type Answer = { factorId: string; challengeId: string; code: string }

async function answer(viewer: Viewer, given: Answer, visit: Visit): Promise<SessionTokens> {
  const client = clientOf(visit)
  if (isHosted) return answerHostedFactor(accessTokenOf(visit), given, client)
  return tokensOf(await answerChallenge(await findHolder(viewer), { ...given, address: client.address }))
}

/** Recovery codes are ours: another service has none. */
async function answerByRecoveryCode(viewer: Viewer, code: string): Promise<SessionTokens> {
  if (isHosted) stop('unprocessable', 'There are no recovery codes for this account.')
  return tokensOf(await useRecoveryCode(await findHolder(viewer), code))
}

async function findHolder({ id, sessionId }: Viewer): Promise<Holder> {
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
