import { isHosted } from '#app/platform/env.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { sessionHeaders } from '#app/platform/session-cookie.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { clientOf } from '#app/auth/bearer.server.ts'
import { signInLimit, signUpLimit } from '#app/auth/limits.server.ts'
import { beginSignUp } from '#app/auth/sign-up-browser.server.ts'
import { accounts } from './accounts.server.ts'
import { type FieldErrors, profileOf, readFields, signInForm, signUpForm } from './credentials.ts'

type Fields = Record<string, string>

/** What the sign-in page shows again when its form was refused. Passwords are never sent back. */
export type Refused = { form: 'sign-in' | 'sign-up'; errors?: FieldErrors; failure?: { title: string; sentence: string }; values: Fields }
/** Cookies to set. Without a session the address has to be confirmed first. */
export type Accepted = { headers: [name: string, value: string][]; isSignedIn: boolean }

/** The sign-in page's form as a browser sends it without script. */
export async function takeSignIn(fields: Fields, visit: Visit): Promise<Refused | Accepted> {
  const read = readFields(signInForm, fields)
  const refused = { form: 'sign-in', values: keepable(fields) } as const
  if (!read.value) return { ...refused, errors: read.errors }
  const { email, password } = read.value
  return orRefuse({ ...refused, title: 'Sign In Failed' }, async () => {
    await consume(signInLimit, visitorKey(visit.address))
    return { headers: sessionHeaders(await accounts.signIn(email, password, clientOf(visit))), isSignedIn: true }
  })
}

/** The same for a new account. */
export async function takeSignUp(fields: Fields, visit: Visit): Promise<Refused | Accepted> {
  const read = readFields(signUpForm, fields)
  const refused = { form: 'sign-up', values: keepable(fields) } as const
  if (!read.value) return { ...refused, errors: read.errors }
  const { email, password } = read.value
  const data = profileOf(read.value)
  return orRefuse({ ...refused, title: 'Sign Up Failed' }, async () => {
    await consume(signUpLimit, visitorKey(visit.address))
    const { cookie, signUpBrowser } = beginSignUp()
    const tokens = await accounts.signUp({ email, password, data }, { ...clientOf(visit), signUpBrowser })
    // A hosted service sends its emails again itself.
    const waiting: Accepted['headers'] = isHosted ? [] : [['set-cookie', cookie]]
    return { headers: tokens ? sessionHeaders(tokens) : waiting, isSignedIn: tokens !== undefined }
  })
}

async function orRefuse({ title, ...refused }: Refused & { title: string }, work: () => Promise<Accepted>): Promise<Refused | Accepted> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop) return { ...refused, failure: { title, sentence: error.data } }
    throw error
  }
}

function keepable({ email = '', firstName = '', lastName = '' }: Fields): Fields {
  return { email, firstName, lastName }
}
