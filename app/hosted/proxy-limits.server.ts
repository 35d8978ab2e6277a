import { countRenewal } from '#app/auth/renewal-limit.server.ts'
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
} from '#app/auth/limits.server.ts'
import { perVisitor } from '#app/platform/http.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/limits.server.ts'

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
  passkeys: passkeyLimit,
  token: signInLimit,
  reauthenticate: userLimit,
}

/** What only reads is not counted, but for what tries a link and what sends a letter. */
const spending = new Set(['verify', 'reauthenticate'])

/** Counts what a visitor asks the hosted service for by us: to it, all our visitors may come from one address. */
export async function countAsked(
  { method, path, grant }: { method: string; path: string; grant: string | null },
  address: string,
): Promise<void> {
  const [, name = ''] = path.split('/')
  if (method === 'GET' && !spending.has(name)) return
  // On another address these words mean nothing, and must not buy its many tries there.
  if (path === '/token' && grant === 'refresh_token') return countRenewal(address)
  await consume(limits[name] ?? anyWrite, visitorKey(address))
}
