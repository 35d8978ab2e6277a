import { asVisitor, type Failure, needsMfa } from './auth.ts'

/** Where sign-up is closed, our own pages do not reveal whether an address has an account. */
const TELLS_WHO_IS_HERE = new Set(['signup_disabled', 'otp_disabled'])

/** Sends the email with the sign-in code and link. */
export async function askForSignInCode(email: string): Promise<{ failure?: Failure }> {
  return asVisitor('The code could not be sent', async (auth) => {
    const { error } = await auth.signInWithOtp({ email })
    return { error: error?.code && TELLS_WHO_IS_HERE.has(error.code) ? null : error }
  })
}

/** Signs in by the emailed code. A second factor may still be pending. */
export async function signInWithCode(email: string, code: string): Promise<{ failure?: Failure; mfaPending?: boolean }> {
  let mfaPending = false
  const { failure } = await asVisitor('Sign in failed', async (auth) => {
    const { data, error } = await auth.verifyOtp({ email, token: code, type: 'email' })
    mfaPending = needsMfa(data.user)
    return { error }
  })
  return failure ? { failure } : { mfaPending }
}
