import { CompactSign, compactVerify, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { changeSecret, currentSecret } from '#app/platform/database/secrets.server.ts'

/** The key that signs proposals. It is kept for good, apart from those of sessions, which change: a file is checked years later. */
const SECRET = 'document-signing-key'
const ALGORITHM = 'EdDSA'

const storedKey = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() })

async function signingKey(): Promise<z.infer<typeof storedKey>> {
  const known = await currentSecret(SECRET)
  if (known !== undefined) return storedKey.parse(JSON.parse(known))
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const first = JSON.stringify(await exportJWK(privateKey))
  return storedKey.parse(JSON.parse(await changeSecret(SECRET, (present) => present ?? first)))
}

/** Our public key, with which other programs check a signature. */
export async function publicSigningKey(): Promise<JWK> {
  const { kty, crv, x } = await signingKey()
  return { kty, crv, x, alg: ALGORITHM, use: 'sig' }
}

/** A detached signature (RFC 7515, appendix F) of a fingerprint: SHA-256 in hex. */
export async function signFingerprint(hash: string): Promise<string> {
  const key = await importJWK(await signingKey(), ALGORITHM)
  const whole = await new CompactSign(Buffer.from(hash)).setProtectedHeader({ alg: ALGORITHM, typ: 'fingerprint' }).sign(key)
  const [head, , signature] = whole.split('.')
  return `${head}..${signature}`
}

/** Whether a detached signature is ours, and of this fingerprint. */
export async function isOurSignature(hash: string, jws: string): Promise<boolean> {
  const [head, middle, signature, ...more] = jws.trim().split('.')
  if (!head || middle !== '' || !signature || more.length > 0) return false
  const key = await importJWK(await publicSigningKey(), ALGORITHM)
  try {
    await compactVerify(`${head}.${Buffer.from(hash).toString('base64url')}.${signature}`, key, { algorithms: [ALGORITHM] })
    return true
  } catch {
    return false
  }
}
