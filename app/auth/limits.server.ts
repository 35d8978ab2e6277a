import { perVisitor } from '#app/platform/http.server.ts'

// The numbers of the protocol, for each address. Pages that do the same as an endpoint count with it.
export const signUpLimit = perVisitor('auth-signup', 30, '5 minutes')
export const signInLimit = perVisitor('auth-token', 150, '5 minutes')
export const recoverLimit = perVisitor('auth-recover', 30, '5 minutes')
export const resendLimit = perVisitor('auth-resend', 30, '5 minutes')
export const verifyLimit = perVisitor('auth-verify', 30, '5 minutes')
export const userLimit = perVisitor('auth-user', 30, '5 minutes')
/** Every open tab of every person behind one address renews its session each quarter of an hour. */
export const refreshLimit = perVisitor('auth-refresh', 1800, '5 minutes')
export const enrolLimit = perVisitor('auth-factor-enrol', 30, '5 minutes')
export const challengeLimit = perVisitor('auth-factor-challenge', 15, '1 minutes')
export const factorVerifyLimit = perVisitor('auth-factor-verify', 15, '1 minutes')
