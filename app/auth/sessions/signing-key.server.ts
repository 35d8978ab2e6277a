import { type CryptoKey, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { keyFileStamp, publicHalf, readKeyFile } from './key-file.server.ts'

/** One key of the set. `signs` is true of exactly one. */
type Key = { kid: string; alg: string; signs: boolean; verify: CryptoKey | Uint8Array; sign?: CryptoKey | Uint8Array; publicJwk?: JWK }

/** A process learns of keys from another process or the operator within this time. */
const LOOK_AGAIN_MS = 10_000
const JWT_KEYS_MUST =
  'JWT_KEYS must be a JSON list of JSON Web Keys, each with kid and alg and one of them private, such as [{"kty":"EC",…}].'

const jwk = z.looseObject({ kty: z.string(), kid: z.string().min(1), alg: z.string().min(1), key_ops: z.array(z.string()).optional() })
const jwks = z
  .array(jwk)
  .min(1)
  .refine((set) => new Set(set.map(({ kid }) => kid)).size === set.length)

let known: { keys: Promise<Map<string, Key>>; stamp: string; lookedAt: number } | undefined

/** All keys that verify our tokens, by `kid`. The key file may change while the process runs. */
function verifyingKeys(): Promise<Map<string, Key>> {
  const now = Date.now()
  if (known && (env.JWT_KEYS || Math.abs(now - known.lookedAt) < LOOK_AGAIN_MS)) return known.keys
  const stamp = env.JWT_KEYS ? '' : keyFileStamp()
  if (known?.stamp === stamp) known.lookedAt = now
  else known = { keys: known ? loadAgain(known.keys) : loadKeys(), stamp, lookedAt: now }
  return known.keys
}

/** If the file cannot be read, the previous keys stay valid. */
function loadAgain(before: Promise<Map<string, Key>>): Promise<Map<string, Key>> {
  return loadKeys().catch((error: unknown) => {
    log.error({ err: error }, 'the signing keys could not be read again')
    return before
  })
}

type Verifying = { alg: string; verify: CryptoKey | KeyObject | Uint8Array }

/**
 * The key that a token names, with the key's own algorithm: the one in the token does not count. A token without a known key can only be
 * signed with `JWT_SECRET`, if it is set.
 */
export async function verifyingKeyOf(token: string): Promise<Verifying | undefined> {
  const { kid, alg } = decodeProtectedHeader(token)
  const named = kid === undefined ? undefined : (await verifyingKeys()).get(kid)
  if (named || alg !== 'HS256' || !env.JWT_SECRET) return named
  return { alg, verify: createSecretKey(Buffer.from(env.JWT_SECRET)) }
}

/** The key that signs new tokens. */
export async function signingKey(): Promise<{ kid: string; alg: string; key: CryptoKey | Uint8Array }> {
  for (const { signs, kid, alg, sign } of (await verifyingKeys()).values()) {
    if (signs && sign) return { kid, alg, key: sign }
  }
  throw new OperatorError(JWT_KEYS_MUST)
}

/** The public halves, for `/.well-known/jwks.json`. */
export async function publicKeys(): Promise<JWK[]> {
  return [...(await verifyingKeys()).values()].flatMap(({ publicJwk }) => publicJwk ?? [])
}

async function loadKeys(): Promise<Map<string, Key>> {
  const set = env.JWT_KEYS ? parseKeys(env.JWT_KEYS) : await readKeyFile()
  const signer = set.find(({ key_ops }) => key_ops?.includes('sign')) ?? set.find((key) => 'd' in key || key.kty === 'oct')
  if (!signer) throw new OperatorError(JWT_KEYS_MUST)
  try {
    const loaded = await Promise.all(set.map((key) => load(key, key === signer)))
    for (const { alg, sign, verify } of loaded) if (sign) await proveFit(alg, sign, verify)
    return new Map(loaded.map((key) => [key.kid, key]))
  } catch (error) {
    throw new OperatorError(JWT_KEYS_MUST, { cause: error })
  }
}

/** Only use shows that a key is too short for its algorithm, or that its halves do not match. */
async function proveFit(alg: string, sign: CryptoKey | Uint8Array, verify: CryptoKey | Uint8Array) {
  await jwtVerify(await new SignJWT().setProtectedHeader({ alg }).sign(sign), verify, { algorithms: [alg] })
}

function parseKeys(text: string): z.infer<typeof jwks> {
  try {
    return jwks.parse(JSON.parse(text))
  } catch {
    throw new OperatorError(JWT_KEYS_MUST)
  }
}

async function load(key: z.infer<typeof jwk>, signs: boolean): Promise<Key> {
  const { kid, alg } = key
  if (key.kty === 'oct') {
    const secret = await importJWK(key, alg)
    return { kid, alg, signs, verify: secret, sign: secret }
  }
  const publicJwk: JWK = { ...publicHalf(key), use: 'sig', key_ops: ['verify'] }
  const verify = await importJWK(publicJwk, alg)
  if (!signs) return { kid, alg, signs, verify, publicJwk }
  return { kid, alg, signs, verify, publicJwk, sign: await importJWK({ ...key, key_ops: ['sign'] }, alg) }
}
