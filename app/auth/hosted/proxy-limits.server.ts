import { countRenewal } from '#app/auth/http/renewal-limit.server.ts'
import {
  magicLinkLimit,
  otpLimit,
  passkeyLimit,
  recoverLimit,
  resendLimit,
  signInLimit,
  signUpLimit,
  userLimit,
  verifyLimit,
} from '#app/auth/http/limits.server.ts'
import { perVisitor } from '#app/platform/http/http.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/limits.server.ts'

/** For endpoints without a limit of their own. */
const anyWrite = perVisitor('hosted-write', 60, '5 minutes')

const limits: Record<string, Limit> = {
  signup: signUpLimit,
  otp: otpLimit,
  magiclink: magicLinkLimit,
  recover: recoverLimit,
  resend: resendLimit,
  verify: verifyLimit,
  user: userLimit,
  passkeys: passkeyLimit,
  token: signInLimit,
  reauthenticate: userLimit,
}

/** Reads are not counted, except those that try a link or send an email. */
const spending = new Set(['verify', 'reauthenticate'])

/** Counts a visitor's requests to the hosted service. It may see all our visitors under one address. */
export async function countAsked(
  { method, path, grant }: { method: string; path: string; grant: string | null },
  address: string,
): Promise<void> {
  const [, name = ''] = path.split('/')
  if (method === 'GET' && !spending.has(name)) return
  // On other paths this parameter means nothing and must not unlock the larger limit.
  if (path === '/token' && grant === 'refresh_token') return countRenewal(address)
  await consume(limits[name] ?? anyWrite, visitorKey(address))
}
