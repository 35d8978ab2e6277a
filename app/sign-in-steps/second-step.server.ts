import { accessTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { factorVerifyLimit } from '#app/auth/limits.server.ts'
import { answerChallenge, beginChallenge } from '#app/factor/challenge.server.ts'
import { useRecoveryCode } from '#app/factor/recovery-code.server.ts'
import { answerHostedFactor, findHostedUser } from '#app/hosted/hosted-user.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { db } from '#app/platform/db.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders, type SessionTokens } from '#app/platform/session-cookie.server.ts'
import { Stop, stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { findSession } from '#app/session/session.server.ts'
import { type Holder, listFactors } from '#app/session/user-factors.server.ts'
import { readFields, secondStepForm } from '#app/login/credentials.ts'

/** What someone can take the second step with, beside a recovery code. */
export type SecondStepFactor = { id: string; name: string }

/** The authenticators that count. */
export async function listAuthenticators(userId: string, visit: Visit): Promise<SecondStepFactor[]> {
  if (isHosted) return listHostedAuthenticators(visit)
  const factors = await listFactors(db, userId)
  return factors
    .filter(({ status, factorType }) => status === 'verified' && factorType === 'totp')
    .map(({ id, friendlyName }) => ({ id, name: friendlyName || 'Authenticator' }))
}

async function listHostedAuthenticators(visit: Visit): Promise<SecondStepFactor[]> {
  const { factors } = await findHostedUser(accessTokenOf(visit), clientOf(visit))
  const counts = (factors ?? []).filter((factor) => factor.status === 'verified' && factor.factor_type === 'totp')
  return counts.map(({ id, friendly_name: name }) => ({ id, name: name || 'Authenticator' }))
}

type Taken = { error: string; headers?: never } | { headers: [name: string, value: string][]; error?: never }

/** The form of the second step as a browser sends it without script. */
export async function takeSecondStep(viewer: Viewer, fields: Record<string, string>, visit: Visit): Promise<Taken> {
  const read = readFields(secondStepForm, fields)
  if (!read.value) return { error: read.errors['code'] ?? 'Type the code' }
  const { code, factor, recovery } = read.value
  try {
    await consume(factorVerifyLimit, visitorKey(visit.address))
    if (isHosted) return { headers: sessionHeaders(await answerHosted(visit, factor ?? '', code, recovery)) }
    const holder = await findHolder(viewer)
    if (!holder) return { error: 'You are signed out. Please sign in again.' }
    const opened = recovery ? await useRecoveryCode(holder, code) : await answer(holder, factor ?? '', code, clientOf(visit).address)
    const { access_token: access, refresh_token: refresh } = await toSessionAnswer(opened)
    return { headers: sessionHeaders({ access, refresh }) }
  } catch (error) {
    if (error instanceof Stop) return { error: error.data }
    throw error
  }
}

/** Recovery codes are ours: another service has none. */
async function answerHosted(visit: Visit, factorId: string, code: string, recovery: unknown): Promise<SessionTokens> {
  if (recovery) stop('unprocessable', 'There are no recovery codes for this account.')
  return answerHostedFactor(accessTokenOf(visit), { factorId, code }, clientOf(visit))
}

async function answer(holder: Holder, factorId: string, code: string, address: string) {
  const { id: challengeId } = await beginChallenge(holder, { factorId, address })
  return answerChallenge(holder, { factorId, challengeId, code, address })
}

async function findHolder({ id, sessionId }: Viewer): Promise<Holder | undefined> {
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : undefined
}
