import type { KeyObject } from 'node:crypto'
import { type CryptoKey, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'

/** `expired` tokens are genuine and identify their user. */
export type CheckedPayload = { state: 'valid' | 'expired'; payload: JWTPayload } | { state: 'invalid' }

type Key = { alg: string; verify: CryptoKey | KeyObject | Uint8Array }

/** `keyOf` returns nothing for a foreign token. */
type Terms = {
  keyOf: (token: string) => Promise<Key | undefined>
  issuer: string
  audience: string
  /** Programs that sign with our key may omit the issuer. A wrong issuer is still refused. */
  mayOmitIssuer?: boolean
}

/** Checks signature, issuer, audience and time. The algorithm comes from the key, never from the token. */
export async function checkToken(token: string, { keyOf, issuer, audience, mayOmitIssuer = false }: Terms): Promise<CheckedPayload> {
  try {
    const key = await keyOf(token)
    if (!key) return { state: 'invalid' }
    const named = mayOmitIssuer && decodeJwt(token).iss === undefined ? {} : { issuer }
    const { payload } = await jwtVerify(token, key.verify, { algorithms: [key.alg], ...named, audience, requiredClaims: ['exp'] })
    return { state: 'valid', payload }
  } catch (error) {
    // The signature is checked before the time, so an expired token is a genuine one.
    if (error instanceof errors.JWTExpired) return { state: 'expired', payload: error.payload }
    if (error instanceof errors.JOSEError || error instanceof TypeError) return { state: 'invalid' }
    throw error
  }
}
