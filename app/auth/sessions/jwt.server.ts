import { randomUUID, createSecretKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import { MOST_TOKEN_PROFILE_BYTES, profileBytes } from '#app/auth/protocol/profile.ts'
import { env } from '#app/platform/env.server.ts'
import { keepFirst, keepInstead, keysFolder } from '#app/platform/keys.server.ts'
import { log } from '#app/platform/log.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import type { Row } from '#db/tables.ts'

const ISSUER = env.API_EXTERNAL_URL
const AUDIENCE = env.JWT_AUD
/** Room for our own fields about each user: id, address, two flags, role. */
const RESERVED_BYTES = 500

/** The claims that we read back from our own tokens. All others serve other programs: we look up roles and names. */
const accessClaims = z.object({ sub: z.uuid(), session_id: z.uuid().optional(), exp: z.int(), is_anonymous: z.boolean().optional() })

/** `sessionId` is missing from a token that an operator's program has signed with our key for one of our users. */
export type AccessClaims = { userId: string; sessionId: string | undefined }

/**
 * `expired` tokens are genuine and identify their user. `isSubjectForeign` marks a token with our signature whose subject is not a user id.
 * `expiresAt` is in unix seconds.
 */
export type CheckedToken =
  | { state: 'valid' | 'expired'; claims: AccessClaims; isAnonymous: boolean; expiresAt: number }
  | { state: 'invalid'; isSubjectForeign?: boolean }

/** Signs an access token for a session; `expiresAt` is in unix seconds. */
export async function signAccessToken(user: Row<'users'>, session: Row<'sessions'>): Promise<{ token: string; expiresAt: number }> {
  const { kid, alg, key } = await signingKey()
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = now + env.JWT_EXP
  const token = await new SignJWT({
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.appMetadata,
    user_metadata: tokenProfile(user),
    role: user.tokenRole,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.isAnonymous,
  })
    .setProtectedHeader({ alg, typ: 'JWT', kid })
    .setIssuer(ISSUER)
    .setSubject(user.id)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { token, expiresAt }
}

/** A large profile would make the token too large for a cookie; clients then read it from the user. */
function tokenProfile({ userMetadata, appMetadata }: Row<'users'>): Record<string, unknown> {
  const room = MOST_TOKEN_PROFILE_BYTES + RESERVED_BYTES - profileBytes(appMetadata)
  return profileBytes(userMetadata) <= room ? userMetadata : {}
}

/** Whether we signed this token for a user who is not anonymous. It may have expired up to `expiredFor` seconds ago. */
export async function isOwnToken(token: string, expiredFor: number): Promise<boolean> {
  const checked = await checkAccessToken(token)
  return checked.state !== 'invalid' && !checked.isAnonymous && checked.expiresAt + expiredFor >= Date.now() / 1000
}

export async function checkAccessToken(token: string): Promise<CheckedToken> {
  const checked = await checkToken(token, { keyOf: verifyingKeyOf, issuer: ISSUER, audience: AUDIENCE, mayOmitIssuer: true })
  if (checked.state === 'invalid') return checked
  const { state, payload } = checked
  const known = accessClaims.safeParse(payload)
  if (!known.success)
    return { state: 'invalid', isSubjectForeign: payload.sub !== undefined && 'sub' in z.flattenError(known.error).fieldErrors }
  const { sub: userId, session_id: sessionId, exp: expiresAt, is_anonymous: isAnonymous = false } = known.data
  return { state, claims: { userId, sessionId }, isAnonymous, expiresAt }
}

/** Roles in a token that may administer all accounts. */
const ADMIN_ROLES = new Set(['service_role', 'supabase_admin'])

const adminClaims = z.object({ role: z.string().optional(), sub: z.uuid().optional().catch(undefined), session_id: z.unknown().optional() })

/** A genuine token; `isAdmin` follows its role. A token with a session is only as good as that session. */
export type AdminToken = { isAdmin: boolean; userId: string | undefined; sessionId: unknown }

/** Reads a token that one of our own keys has signed, for any subject. */
export async function readAdminToken(token: string): Promise<AdminToken | 'invalid' | 'expired'> {
  try {
    const key = await verifyingKeyOf(token)
    if (!key) return 'invalid'
    const { payload } = await jwtVerify(token, key.verify, { algorithms: [key.alg] })
    const { role = '', sub, session_id } = adminClaims.parse(payload)
    return { isAdmin: ADMIN_ROLES.has(role), userId: sub, sessionId: session_id }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof z.ZodError) return 'invalid'
    throw error
  }
}

/** A key for an operator's program that administers accounts. It has no user. It ends after these days, or with our signing key. */
export async function makeServiceKey(days: number): Promise<string> {
  const { kid, alg, key } = await signingKey()
  const signer = new SignJWT({ role: 'service_role' }).setProtectedHeader({ alg, typ: 'JWT', kid })
  return signer.setIssuedAt().setExpirationTime(`${days} days`).sign(key)
}

/** `expired` tokens are genuine and identify their user. */
export type CheckedPayload = { state: 'valid' | 'expired'; payload: JWTPayload } | { state: 'invalid' }

type VerifyingKey = { alg: string; verify: CryptoKey | KeyObject | Uint8Array }

/** `keyOf` returns nothing for a foreign token. */
type TokenTerms = {
  keyOf: (token: string) => Promise<VerifyingKey | undefined>
  issuer: string
  audience: string
  /** Programs that sign with our key may omit the issuer. A wrong issuer is still refused. */
  mayOmitIssuer?: boolean
}

/** Checks signature, issuer, audience and time. The algorithm comes from the key, never from the token. */
export async function checkToken(token: string, { keyOf, issuer, audience, mayOmitIssuer = false }: TokenTerms): Promise<CheckedPayload> {
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

/** One key of the set. `signs` is true of exactly one. */
type SigningKey = {
  kid: string
  alg: string
  signs: boolean
  verify: CryptoKey | Uint8Array
  sign?: CryptoKey | Uint8Array
  publicJwk?: JWK
}

/** A process learns of keys from another process or the operator within this time. */
const LOOK_AGAIN_MS = 10_000
const JWT_KEYS_MUST =
  'JWT_KEYS must be a JSON list of JSON Web Keys, each with kid and alg and one of them private, such as [{"kty":"EC",…}].'

const jwk = z.looseObject({ kty: z.string(), kid: z.string().min(1), alg: z.string().min(1), key_ops: z.array(z.string()).optional() })
const jwks = z
  .array(jwk)
  .min(1)
  .refine((set) => new Set(set.map(({ kid }) => kid)).size === set.length)

let known: { keys: Promise<Map<string, SigningKey>>; stamp: string; lookedAt: number } | undefined

/** All keys that verify our tokens, by `kid`. The key file may change while the process runs. */
function verifyingKeys(): Promise<Map<string, SigningKey>> {
  const now = Date.now()
  if (known && (env.JWT_KEYS || Math.abs(now - known.lookedAt) < LOOK_AGAIN_MS)) return known.keys
  const stamp = env.JWT_KEYS ? '' : keyFileStamp()
  if (known?.stamp === stamp) known.lookedAt = now
  else known = { keys: known ? loadAgain(known.keys) : loadKeys(), stamp, lookedAt: now }
  return known.keys
}

/** If the file cannot be read, the previous keys stay valid. */
function loadAgain(before: Promise<Map<string, SigningKey>>): Promise<Map<string, SigningKey>> {
  return loadKeys().catch((error: unknown) => {
    log.error({ err: error }, 'the signing keys could not be read again')
    return before
  })
}

/**
 * The key that a token names, with the key's own algorithm: the one in the token does not count. A token without a known key can only be
 * signed with `JWT_SECRET`, if it is set.
 */
export async function verifyingKeyOf(token: string): Promise<VerifyingKey | undefined> {
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

async function loadKeys(): Promise<Map<string, SigningKey>> {
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

async function load(key: z.infer<typeof jwk>, signs: boolean): Promise<SigningKey> {
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

const ALGORITHM = 'ES256'
/** Other services cache the published keys for 10 minutes. With a refetch just before that, a copy can be up to 20 minutes old. */
const ANNOUNCED_SECONDS = 1200
/** Allows for clock skew, and for processes that have not reloaded the keys yet. */
const MARGIN_SECONDS = 120

/** `iat` is when a key was announced, `exp` when its last token ends, both in unix seconds. */
const storedKey = z.looseObject({
  kty: z.string(),
  kid: z.string().min(1),
  alg: z.string().min(1),
  key_ops: z.array(z.string()).optional(),
  iat: z.int().optional(),
  exp: z.int().optional(),
})
const storedKeys = z.union([z.array(storedKey).min(1), storedKey.transform((key) => [key])])

type StoredKey = z.infer<typeof storedKey>

/** The keys of this installation without expired ones. The first call creates one. */
async function readKeyFile(): Promise<StoredKey[]> {
  const file = keyFile()
  const text = existsSync(file) ? readFileSync(file) : keepFirst(file, JSON.stringify(await makeKey()))
  return storedKeys.parse(JSON.parse(text.toString())).filter(({ exp }) => exp === undefined || exp > unixNow())
}

/** Changes when the file does, and every hour, because a key may have expired. */
function keyFileStamp(): string {
  const { mtimeMs, ino } = statSync(keyFile(), { throwIfNoEntry: false }) ?? { mtimeMs: 0, ino: 0 }
  return `${mtimeMs}:${ino}:${Math.floor(Date.now() / 3_600_000)}`
}

/**
 * Replaces the signing key in two calls. The first announces the next key, so that other services know it in time. The second signs with
 * it, and the old key is valid until its last token ends. `isLeaked` replaces it immediately and voids the old one. Returns a report.
 */
export async function rotateSigningKey({ isLeaked }: { isLeaked: boolean }): Promise<string> {
  if (env.JWT_KEYS) throw new OperatorError('JWT_KEYS holds the signing keys, so replace them in that setting. See docs/operations.md.')
  const [signer, next] = ordered(await readKeyFile())
  if (isLeaked) {
    keepInstead(keyFile(), JSON.stringify([{ ...(await makeKey()), key_ops: ['sign'] }]))
    return 'The new key now signs, and the old key is void. Users stay signed in and get new access tokens. Create all service keys again.'
  }
  if (!next) {
    const made = await makeKey()
    keepInstead(
      keyFile(),
      JSON.stringify([
        { ...signer, key_ops: ['sign'] },
        { ...made, iat: unixNow() },
      ]),
    )
    return `The next key is announced. Run this again in ${ANNOUNCED_SECONDS / 60} minutes or later to sign with it.`
  }
  const left = (next.iat ?? 0) + ANNOUNCED_SECONDS - unixNow()
  if (left > 0) throw new OperatorError(`The next key was announced a moment ago. Run this again in ${Math.ceil(left / 60)} minutes.`)
  const { iat: _announced, ...signing } = next
  const old = { ...publicHalf(signer), exp: unixNow() + env.JWT_EXP + MARGIN_SECONDS }
  keepInstead(keyFile(), JSON.stringify([{ ...signing, key_ops: ['sign'] }, old]))
  return 'The next key now signs. The old key stays valid until its last token expires.'
}

/** The keys with a private half: first the signing one, then the announced one. */
function ordered(keys: StoredKey[]): [StoredKey, StoredKey | undefined] {
  const whole = keys.filter((key) => 'd' in key)
  const signer = whole.find(({ key_ops }) => key_ops?.includes('sign')) ?? whole[0]
  if (!signer) throw new OperatorError(`${keyFile()} has no private key. Restore the file from a backup.`)
  return [signer, whole.find((key) => key !== signer)]
}

/** The key without its private half and our own fields. */
function publicHalf(key: StoredKey): StoredKey {
  const { d: _private, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, key_ops: _operations, iat: _announced, exp: _end, ...half } = key
  return half
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: ALGORITHM }
}

function keyFile(): string {
  return path.join(keysFolder(), 'signing-key.json')
}

function unixNow(): number {
  return Math.floor(Date.now() / 1000)
}
