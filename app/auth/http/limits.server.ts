import { env } from '#app/platform/env.server.ts'
import { noteLimited } from '#app/auth/users/refused.server.ts'
import { perVisitor } from '#app/platform/http/http.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'

// The protocol's limits, per address. Pages share the limit of the endpoint that does the same.
export const signUpLimit = noted('sign_up', perVisitor('auth-signup', env.RATE_LIMIT_OTP, '5 minutes'))
export const anonymousLimit = noted('sign_up', perVisitor('auth-anonymous', env.RATE_LIMIT_ANONYMOUS_USERS, '1 hours'))
export const signInLimit = noted('sign_in', perVisitor('auth-token', env.RATE_LIMIT_TOKEN_REFRESH ?? 150, '5 minutes'))
export const otpLimit = noted('sign_in', perVisitor('auth-otp', env.RATE_LIMIT_OTP, '5 minutes'))
export const magicLinkLimit = noted('sign_in', perVisitor('auth-magiclink', env.RATE_LIMIT_OTP, '5 minutes'))
export const recoverLimit = noted('recovery', perVisitor('auth-recover', env.RATE_LIMIT_OTP, '5 minutes'))
export const resendLimit = noted('message', perVisitor('auth-resend', env.RATE_LIMIT_OTP, '5 minutes'))
export const verifyLimit = noted('code', perVisitor('auth-verify', env.RATE_LIMIT_VERIFY, '5 minutes'))
export const userLimit = perVisitor('auth-user', env.RATE_LIMIT_OTP, '5 minutes')
/** Every open tab renews its session each quarter of an hour, and many people can share an address. */
export const refreshLimit = perVisitor('auth-refresh', env.RATE_LIMIT_TOKEN_REFRESH ?? 1800, '5 minutes')
/** Wide, because a whole office can share an address. Each sign-in stores a row until it expires. */
export const authorizeLimit = perVisitor('auth-authorize', 150, '5 minutes')
export const callbackLimit = perVisitor('auth-callback', 150, '5 minutes')
export const identityLimit = perVisitor('auth-identity', 30, '5 minutes')
export const enrolLimit = perVisitor('auth-factor-enrol', 30, '5 minutes')
export const challengeLimit = noted('second_step', perVisitor('auth-factor-challenge', 15, '1 minutes'))
export const factorVerifyLimit = noted('second_step', perVisitor('auth-factor-verify', 15, '1 minutes'))
export const walletLimit = noted('sign_in', perVisitor('auth-wallet', env.RATE_LIMIT_WEB3, '5 minutes'))
export const passkeyLimit = noted('sign_in', perVisitor('auth-passkey', env.RATE_LIMIT_PASSKEY, '5 minutes'))
export const ssoLimit = noted('sign_in', perVisitor('auth-sso', env.RATE_LIMIT_SSO, '5 minutes'))

/** Records a visitor over the limit in the audit log, once per window of the limit. */
function noted(kind: Parameters<typeof noteLimited>[0]['kind'], limit: Limit): Limit {
  return { ...limit, refused: (visitor) => noteLimited({ kind, account: visitor, address: visitor }) }
}

/** Counts a renewal. Clients take any 4xx for the end of their session, and try again after a 503. */
export async function countRenewal(address: string): Promise<void> {
  try {
    await consume(refreshLimit, visitorKey(address))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    refuse('unexpected_failure', { retryAfter: error.extra.retryAfter ?? 1 })
  }
}
