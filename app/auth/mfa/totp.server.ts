import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'

const PURPOSE = 'totp-secret'
const SECRET_BYTES = 20
/** Cameras need this white margin around a QR code. */
const QUIET_MODULES = 4
const PERIOD_SECONDS = 30
/** Allowed clock drift, in steps. */
const WINDOW = 1

export type NewSecret = { sealed: Buffer; secret: string; uri: string; qrCode: string }

/** A new secret, encrypted for its row, and in the forms for an authenticator, which are shown only during enrolment. */
export function makeSecret(factorId: string, issuer: string, account: string): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const uri = uriOf(secret, issuer, account)
  return { sealed: seal(PURPOSE, factorId, secret), secret, uri, qrCode: renderSVG(uri, { border: QUIET_MODULES }) }
}

/** Returns the time step of a code, or nothing for a wrong code. The caller checks that the step was not used before. */
export function stepOfCode(factorId: string, sealed: Uint8Array, code: string): number | undefined {
  const now = Date.now()
  const secret = Secret.fromBase32(unseal(PURPOSE, factorId, sealed).toString())
  const delta = TOTP.validate({ token: code, secret, period: PERIOD_SECONDS, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta
}

function uriOf(secret: string, issuer: string, account: string): string {
  const [by, of] = [encodeURIComponent(issuer), encodeURIComponent(account)]
  return `otpauth://totp/${by}:${of}?algorithm=SHA1&digits=6&issuer=${by}&period=${PERIOD_SECONDS}&secret=${secret}`
}
