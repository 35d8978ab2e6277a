import { clientOf } from '#app/auth/http/bearer.server.ts'
import { otpLimit, verifyLimit } from '#app/auth/http/limits.server.ts'
import { clientHere } from '#app/auth/http/sign-up-browser.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { sessionHeaders } from '#app/platform/http/session-cookie.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import type { AsksPassword } from '#app/account/account-kind.server.ts'
import { type FieldErrors, forgotPasswordForm, readFields } from './credentials.ts'
import { codeForm } from './mfa-forms.ts'

type Fields = Record<string, string>

/** The state of the page: the field for the code once an email was requested. */
export type CodeStep = { email: string; sent: boolean; errors: FieldErrors }

/** Requests the email, as a browser submits the form without JavaScript. The response does not depend on whether the address has an account. */
export async function takeCodeWish(fields: Fields, requestContext: RequestContext): Promise<CodeStep> {
  const { email = '' } = fields
  const read = readFields(forgotPasswordForm, fields)
  if (!read.value) return { email, sent: false, errors: read.errors }
  const wanted = read.value.email
  return orTell({ email, sent: false }, 'email', async () => {
    await consume(otpLimit, visitorKey(requestContext.address))
    const source = sourceOf('sign-in', { page: fields['page'], referrer: fields['referrer'] }, requestContext.headers)
    await accounts.sendLetter('sign-in', wanted, clientOf(requestContext), source)
    return { email: wanted, sent: true, errors: {} }
  })
}

type SignedIn = { headers: [name: string, value: string][] }

/** Signs in by the emailed code. That of a sign-up in another browser leads to the page that asks for a password. */
export async function takeCode(fields: Fields, requestContext: RequestContext): Promise<CodeStep | SignedIn | AsksPassword> {
  const { email = '' } = fields
  const read = readFields(codeForm, fields)
  if (!read.value) return { email, sent: true, errors: read.errors }
  const given = read.value
  return orTell<CodeStep | SignedIn | AsksPassword>({ email, sent: true }, 'code', async () => {
    await consume(verifyLimit, visitorKey(requestContext.address))
    const tokens = await accounts.signInByCode(given.email, given.code, clientHere(requestContext))
    if (tokens && 'asksPassword' in tokens) return tokens
    return tokens ? { headers: sessionHeaders(tokens) } : { email, sent: true, errors: { code: 'This code isn’t valid.' } }
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
