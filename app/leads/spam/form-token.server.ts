import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mac } from '#app/platform/guard/keys.server.ts'

const PURPOSE = 'form-token'
const VALID_MS = 24 * 60 * 60 * 1000

/** A signed timestamp of when a form was opened. It does not identify the visitor. */
export function issueFormToken(now = Date.now()): string {
  const note = `${now.toString(36)}.${randomBytes(9).toString('base64url')}`
  return `${note}.${sign(note)}`
}

/** The age of the form in milliseconds; `undefined` when the token is invalid or too old. */
export function ageOfFormToken(token: string, now = Date.now()): number | undefined {
  const [time = '', salt = '', signature = '', ...more] = token.split('.')
  const given = Buffer.from(signature)
  const expected = Buffer.from(sign(`${time}.${salt}`))
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const age = now - Number.parseInt(time, 36)
  return age >= 0 && age <= VALID_MS ? age : undefined
}

function sign(note: string): string {
  return mac(PURPOSE, note).subarray(0, 18).toString('base64url')
}
