import { isIP } from 'node:net'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { identity } from '#app/site/content/identity.ts'

const site = new URL(env.SITE_URL)

/** For whom authenticators make keys, and from which pages: this site alone. */
export const relyingParty = { id: site.hostname, name: identity.name, origin: env.SITE_URL }

/** Browsers make no keys for IP addresses, nor for pages that are not secure. */
const isPossible = isIP(site.hostname.replace(/^\[|\]$/g, '')) === 0 && (site.protocol === 'https:' || isLoopback(site.hostname))

export function servesPasskeys(): boolean {
  return env.PASSKEY_ENABLED && isPossible
}

/** Keys as a second factor. */
export function servesKeyFactors(): { enrol: boolean; verify: boolean } {
  return { enrol: env.MFA_WEB_AUTHN_ENROLL_ENABLED && isPossible, verify: env.MFA_WEB_AUTHN_VERIFY_ENABLED && isPossible }
}
