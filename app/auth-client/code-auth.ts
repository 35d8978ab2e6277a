import { asVisitor, type Failure, lacksSecondStep } from './auth.ts'

/** Where nobody may make an account, whether an address has one is not told by our own pages. */
const TELLS_WHO_IS_HERE = new Set(['signup_disabled', 'otp_disabled'])

/** Sends the letter with the code, and the link, that sign in. */
export async function askForSignInCode(email: string): Promise<{ failure?: Failure }> {
  return asVisitor('The code could not be sent', async (auth) => {
    const { error } = await auth.signInWithOtp({ email })
    return { error: error?.code && TELLS_WHO_IS_HERE.has(error.code) ? null : error }
  })
}

/** Signs in by the code of that letter. Halfway in is who has to take a second step yet. */
export async function signInWithCode(email: string, code: string): Promise<{ failure?: Failure; isHalfway?: boolean }> {
  let isHalfway = false
  const { failure } = await asVisitor('Sign in failed', async (auth) => {
    const { data, error } = await auth.verifyOtp({ email, token: code, type: 'email' })
    isHalfway = lacksSecondStep(data.user)
    return { error }
  })
  return failure ? { failure } : { isHalfway }
}
