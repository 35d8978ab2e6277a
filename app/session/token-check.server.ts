import type { KeyObject } from 'node:crypto'
import { type CryptoKey, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'

/** `expired` tokens are genuine: they tell who was here. */
export type CheckedPayload = { state: 'valid' | 'expired'; payload: JWTPayload } | { state: 'invalid' }

type Key = { alg: string; verify: CryptoKey | KeyObject | Uint8Array }

/** `keyOf` knows no key for a token of somebody else. */
type Terms = {
  keyOf: (token: string) => Promise<Key | undefined>
  issuer: string
  audience: string
  /** Programs that sign with our key may leave the issuer out; a wrong one is refused all the same. */
  mayOmitIssuer?: boolean
}

/** Checks signature, issuer, audience and time, with the one algorithm that the key is for, whatever the token says. */
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
