import { isIP } from 'node:net'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { later } from '#app/platform/process/later.ts'
import { identity } from '#app/content/identity.ts'

const site = new URL(env.SITE_URL)

export const relyingParty = {
  id: site.hostname,
  get name() {
    return identity.name
  },
  origin: env.SITE_URL,
}

/** Browsers create no keys for IP addresses or insecure pages. */
const isPossible = later(
  () => isIP(site.hostname.replace(/^\[|\]$/g, '')) === 0 && (site.protocol === 'https:' || isLoopback(site.hostname)),
)

export function servesPasskeys(): boolean {
  return env.PASSKEY_ENABLED && isPossible()
}

export function servesKeyFactors(): { enrol: boolean; verify: boolean } {
  return { enrol: env.MFA_WEB_AUTHN_ENROLL_ENABLED && isPossible(), verify: env.MFA_WEB_AUTHN_VERIFY_ENABLED && isPossible() }
}
