import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { sessionHeaders } from '#app/platform/http/session-cookie.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { signInLimit, signUpLimit } from '#app/auth/http/limits.server.ts'
import { beginSignUp } from '#app/auth/http/sign-up-browser.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { signInFailure } from './sign-in-texts.ts'
import { type FieldErrors, profileFromFields, readFields, signInForm, signUpForm } from './credentials.ts'

type Fields = Record<string, string>

/** The values that the sign-in page shows again after a refusal. Passwords are never sent back. */
export type NativeSignInRefusal = {
  form: 'sign-in' | 'sign-up'
  errors?: FieldErrors
  failure?: { title: string; sentence: string; code: string }
  values: Fields
}
/** Cookies to set. Without a session the address has to be confirmed first. */
export type NativeSignIn = { headers: [name: string, value: string][]; isSignedIn: boolean }

/** Handles the sign-in page's form without JavaScript. */
export async function takeSignIn(fields: Fields, requestContext: RequestContext): Promise<NativeSignInRefusal | NativeSignIn> {
  const read = readFields(signInForm, fields)
  const refused = { form: 'sign-in', values: keepable(fields) } as const
  if (!read.value) return { ...refused, errors: read.errors }
  const { email, password } = read.value
  return orRefuse({ ...refused, title: 'Sign In Failed' }, async () => {
    await consume(signInLimit, visitorKey(requestContext.address))
    return { headers: sessionHeaders(await accounts.signIn(email, password, clientOf(requestContext))), isSignedIn: true }
  })
}

/** The same for a new account. */
export async function takeSignUp(fields: Fields, requestContext: RequestContext): Promise<NativeSignInRefusal | NativeSignIn> {
  const read = readFields(signUpForm, fields)
  const refused = { form: 'sign-up', values: keepable(fields) } as const
  if (!read.value) return { ...refused, errors: read.errors }
  const { email, password } = read.value
  const data = profileFromFields(read.value)
  return orRefuse({ ...refused, title: 'Sign Up Failed' }, async () => {
    await consume(signUpLimit, visitorKey(requestContext.address))
    const { cookie, signUpBrowser } = beginSignUp(email)
    const source = sourceOf('sign-up', { page: fields['page'], referrer: fields['referrer'] }, requestContext.headers)
    const tokens = await accounts.signUp({ email, password, data }, source, { ...clientOf(requestContext), signUpBrowser })
    return { headers: tokens ? sessionHeaders(tokens) : [['set-cookie', cookie]], isSignedIn: tokens !== undefined }
  })
}

async function orRefuse(
  { title, ...refused }: NativeSignInRefusal & { title: string },
  work: () => Promise<NativeSignIn>,
): Promise<NativeSignInRefusal | NativeSignIn> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { code = '' } = error.extra
    const errors = code === 'weak_password' ? { password: error.data } : undefined
    return { ...refused, ...(errors && { errors }), failure: { title, sentence: signInFailure(code, error.data), code } }
  }
}

function keepable({ email = '', firstName = '', lastName = '' }: Fields): Fields {
  return { email, firstName, lastName }
}
