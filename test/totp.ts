import { setTimeout as pause } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

/** The code that an authenticator shows, so many steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** The code of the step before this one, which is taken until this one ends: not in its last seconds, for then it would be too late on arrival. */
export async function lastCodeOf(secret: string): Promise<string> {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5000) await pause(leftMs)
  return codeOf(secret, -1)
}
