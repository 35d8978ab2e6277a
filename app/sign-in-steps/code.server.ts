import { clientOf } from '#app/auth/bearer.server.ts'
import { otpLimit, verifyLimit } from '#app/auth/limits.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders } from '#app/platform/session-cookie.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { accounts } from '#app/login/accounts.server.ts'
import { type FieldErrors, forgotPasswordForm, readFields } from '#app/login/credentials.ts'
import { codeForm } from './step-forms.ts'

type Fields = Record<string, string>

/** What the page shows next: the field for the code once a letter has been asked for. */
export type CodeStep = { email: string; sent: boolean; errors: FieldErrors }

/** Asks for the letter, as a browser sends the form without script. The same answer whether or not the address has an account. */
export async function takeCodeWish(fields: Fields, visit: Visit): Promise<CodeStep> {
  const { email = '' } = fields
  const read = readFields(forgotPasswordForm, fields)
  if (!read.value) return { email, sent: false, errors: read.errors }
  const wanted = read.value.email
  return orTell({ email, sent: false }, 'email', async () => {
    await consume(otpLimit, visitorKey(visit.address))
    await accounts.sendLetter('sign-in', wanted, clientOf(visit))
    return { email: wanted, sent: true, errors: {} }
  })
}

type SignedIn = { headers: [name: string, value: string][] }

/** Signs in by the code of the letter. */
export async function takeCode(fields: Fields, visit: Visit): Promise<CodeStep | SignedIn> {
  const { email = '' } = fields
  const read = readFields(codeForm, fields)
  if (!read.value) return { email, sent: true, errors: read.errors }
  const given = read.value
  return orTell<CodeStep | SignedIn>({ email, sent: true }, 'code', async () => {
    await consume(verifyLimit, visitorKey(visit.address))
    const tokens = await accounts.signInByCode(given.email, given.code, clientOf(visit))
    return tokens ? { headers: sessionHeaders(tokens) } : { email, sent: true, errors: { code: 'This code does not sign in.' } }
  })
}

async function orTell<T>(step: Omit<CodeStep, 'errors'>, field: string, work: () => Promise<T>): Promise<T | CodeStep> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop) return { ...step, errors: { [field]: error.data } }
    throw error
  }
}
