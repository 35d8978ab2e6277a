import { accounts } from '#app/account/accounts.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { challengeLimit, factorVerifyLimit } from '#app/auth/http/limits.server.ts'
import { readFields } from './credentials.ts'
import { phoneRefusal, endOfNumber } from './phone-mfa.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { sessionHeaders } from '#app/platform/http/session-cookie.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { mfaForm } from './mfa-forms.ts'
import type { UsableFactor } from '#app/account/account-kind.server.ts'
import type { MfaFactor } from './mfa-methods.ts'

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
    return { challenge: await accounts.beginChallenge(currentUser, factor, requestContext) }
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
    if (recovery) return { headers: sessionHeaders(await accounts.answerByRecoveryCode(currentUser, code)) }
    const challengeId = read.value.challenge ?? (await askAuthenticator(currentUser, factor, requestContext))
    return { headers: sessionHeaders(await accounts.answerChallenge(currentUser, { factorId: factor, challengeId, code }, requestContext)) }
  })
}

/** An authenticator needs no separate challenge request; a phone gets its challenge with the message. */
async function askAuthenticator(currentUser: CurrentUser, factorId: string, requestContext: RequestContext): Promise<string> {
  if (factorId === '') stop('unprocessable', 'Choose an authenticator.')
  if (await isPhone(currentUser, factorId, requestContext)) stop('unprocessable', 'Send a code first.')
  return accounts.beginChallenge(currentUser, factorId, requestContext)
}

async function isPhone(currentUser: CurrentUser, factorId: string, requestContext: RequestContext): Promise<boolean> {
  const factors = await listMfaFactors(currentUser, requestContext)
  return factors.some(({ id, phoneEnd }) => id === factorId && phoneEnd !== undefined)
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

/** The verified factors that are enabled here. */
export async function listMfaFactors(currentUser: CurrentUser, requestContext: RequestContext): Promise<MfaFactor[]> {
  return (await accounts.listFactors(currentUser, requestContext)).map(stepFactor)
}

function stepFactor({ id, name, type, phone }: UsableFactor): MfaFactor {
  if (type === 'phone') return { id, name: name || 'Phone', phoneEnd: endOfNumber(phone ?? '') }
  if (type === 'webauthn') return { id, name: name || 'Security key', isKey: true }
  return { id, name: name || 'Authenticator' }
}
