import { env } from '#app/platform/env.server.ts'
import { perVisitor } from '#app/platform/http.server.ts'

// The numbers of the protocol, for each address. Pages that do the same as an endpoint count with it.
export const signUpLimit = perVisitor('auth-signup', env.RATE_LIMIT_OTP, '5 minutes')
export const anonymousLimit = perVisitor('auth-anonymous', env.RATE_LIMIT_ANONYMOUS_USERS, '1 hours')
export const signInLimit = perVisitor('auth-token', env.RATE_LIMIT_TOKEN_REFRESH ?? 150, '5 minutes')
export const otpLimit = perVisitor('auth-otp', env.RATE_LIMIT_OTP, '5 minutes')
export const magicLinkLimit = perVisitor('auth-magiclink', env.RATE_LIMIT_OTP, '5 minutes')
export const recoverLimit = perVisitor('auth-recover', env.RATE_LIMIT_OTP, '5 minutes')
export const resendLimit = perVisitor('auth-resend', env.RATE_LIMIT_OTP, '5 minutes')
export const verifyLimit = perVisitor('auth-verify', env.RATE_LIMIT_VERIFY, '5 minutes')
export const userLimit = perVisitor('auth-user', env.RATE_LIMIT_OTP, '5 minutes')
/** Every open tab of every person behind one address renews its session each quarter of an hour. */
export const refreshLimit = perVisitor('auth-refresh', env.RATE_LIMIT_TOKEN_REFRESH ?? 1800, '5 minutes')
export const enrolLimit = perVisitor('auth-factor-enrol', 30, '5 minutes')
export const challengeLimit = perVisitor('auth-factor-challenge', 15, '1 minutes')
export const factorVerifyLimit = perVisitor('auth-factor-verify', 15, '1 minutes')
export const walletLimit = perVisitor('auth-wallet', env.RATE_LIMIT_WEB3, '5 minutes')
export const passkeyLimit = perVisitor('auth-passkey', env.RATE_LIMIT_PASSKEY, '5 minutes')
export const ssoLimit = perVisitor('auth-sso', env.RATE_LIMIT_SSO, '5 minutes')
