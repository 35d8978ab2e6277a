import { setTimeout as pause } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

/** The code of an authenticator, so many steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** The code of the previous step, which is accepted until the current one ends. Waits in the last seconds, because the code could arrive too late. */
export async function lastCodeOf(secret: string): Promise<string> {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5000) await pause(leftMs)
  return codeOf(secret, -1)
}
