import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { keepFirst, keysFolder } from '#app/platform/keys.server.ts'

/** One key of the set. `signs` is true of exactly one. */
type Key = { kid: string; alg: string; signs: boolean; verify: CryptoKey | Uint8Array; sign?: CryptoKey | Uint8Array; publicJwk?: JWK }

const ALGORITHM = 'ES256'
const JWT_KEYS_MUST =
  'JWT_KEYS must be a JSON list of JSON Web Keys, each with kid and alg and one of them private, such as [{"kty":"EC",…}].'

const jwk = z.looseObject({ kty: z.string(), kid: z.string().min(1), alg: z.string().min(1), key_ops: z.array(z.string()).optional() })
const jwks = z
  .array(jwk)
  .min(1)
  .refine((set) => new Set(set.map(({ kid }) => kid)).size === set.length)

let keys: Promise<Map<string, Key>> | undefined

/** All keys that tokens of ours may be checked with, by `kid`. */
export function verifyingKeys(): Promise<Map<string, Key>> {
  keys ??= loadKeys()
  return keys
}

/** The one key that new tokens are signed with. */
export async function signingKey(): Promise<{ kid: string; alg: string; key: CryptoKey | Uint8Array }> {
  for (const { signs, kid, alg, sign } of (await verifyingKeys()).values()) {
    if (signs && sign) return { kid, alg, key: sign }
  }
  throw new OperatorError(JWT_KEYS_MUST)
}

/** The public halves, as `/.well-known/jwks.json` shows them. */
export async function publicKeys(): Promise<JWK[]> {
  return [...(await verifyingKeys()).values()].flatMap(({ publicJwk }) => publicJwk ?? [])
}

async function loadKeys(): Promise<Map<string, Key>> {
  const set = env.JWT_KEYS ? parseKeys(env.JWT_KEYS) : [await readOrMakeKey(path.join(keysFolder(), 'signing-key.json'))]
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

/** A key too short for its algorithm, or a public half that belongs to another private one, shows only when it is used. */
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
  const { d: _private, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, key_ops: _operations, ...half } = key
  const publicJwk: JWK = { ...half, use: 'sig', key_ops: ['verify'] }
  const verify = await importJWK(publicJwk, alg)
  if (!signs) return { kid, alg, signs, verify, publicJwk }
  return { kid, alg, signs, verify, publicJwk, sign: await importJWK({ ...key, key_ops: ['sign'] }, alg) }
}

async function readOrMakeKey(file: string): Promise<z.infer<typeof jwk>> {
  const kept = existsSync(file) ? readFileSync(file) : keepFirst(file, JSON.stringify(await makeKey()))
  return jwk.parse(JSON.parse(kept.toString()))
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: ALGORITHM }
}
