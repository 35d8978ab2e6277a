import {
  magicLinkLimit,
  otpLimit,
  recoverLimit,
  refreshLimit,
  resendLimit,
  signInLimit,
  signUpLimit,
  userLimit,
  verifyLimit,
} from '#app/auth/limits.server.ts'
import { refuse } from '#app/identity/refusal.ts'
import { perVisitor } from '#app/platform/http.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'

/** What has no limit of its own in the protocol. */
const anyWrite = perVisitor('hosted-write', 60, '5 minutes')

const limits: Record<string, Limit> = {
  signup: signUpLimit,
  otp: otpLimit,
  magiclink: magicLinkLimit,
  recover: recoverLimit,
  resend: resendLimit,
  verify: verifyLimit,
  user: userLimit,
  token: signInLimit,
}

/** Counts what a visitor asks the hosted service for by us: to it, all our visitors may come from one address. */
export async function countAsked(
  { method, path, grant }: { method: string; path: string; grant: string | null },
  address: string,
): Promise<void> {
  if (method === 'GET') return
  if (grant === 'refresh_token') return countGently(refreshLimit, address)
  await consume(limits[path.split('/')[1] ?? ''] ?? anyWrite, visitorKey(address))
}

/** Clients take any 4xx for the end of their session, and try again after a 503. */
async function countGently(limit: Limit, address: string): Promise<void> {
  try {
    await consume(limit, visitorKey(address))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    refuse('unexpected_failure', { retryAfter: error.extra.retryAfter ?? 1 })
  }
}
