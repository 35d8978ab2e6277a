import { randomUUID, createSecretKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { existsSync, readFileSync } from 'node:fs'
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
import { changeSecret, currentSecret } from '#app/platform/database/secrets.server.ts'
import { env } from '#app/platform/env.server.ts'
import { keysFolder } from '#app/platform/guard/keys.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
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
  const checked = await checkToken(token, verifyingKeyOf, { issuer: ISSUER, audience: AUDIENCE, mayOmitIssuer: true })
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
  const checked = await checkToken(token, verifyingKeyOf)
  if (checked.state !== 'valid') return checked.state
  const known = adminClaims.safeParse(checked.payload)
  if (!known.success) return 'invalid'
  const { role = '', sub: userId, session_id: sessionId } = known.data
  return { isAdmin: ADMIN_ROLES.has(role), userId, sessionId }
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

/** The requirements of a token that belongs to a user. It has to expire. */
type UserTokenTerms = {
  issuer: string
  audience: string
  /** Programs that sign with our key may omit the issuer. A wrong issuer is still refused. */
  mayOmitIssuer?: boolean
}

/**
 * Checks signature and time, and the issuer and audience of a user's token. The algorithm comes from the key, never from the token. `keyOf`
 * returns nothing for a foreign token.
 */
export async function checkToken(
  token: string,
  keyOf: (token: string) => Promise<VerifyingKey | undefined>,
  terms?: UserTokenTerms,
): Promise<CheckedPayload> {
  try {
    const key = await keyOf(token)
    if (!key) return { state: 'invalid' }
    const known = verifiedBy(key.verify, terms)
    const payload = known.get(token)
    if (payload) return { state: payload.exp !== undefined && payload.exp <= unixNow() ? 'expired' : 'valid', payload }
    const verified = await verify(token, key, terms)
    known.set(token, verified)
    return { state: 'valid', payload: verified }
  } catch (error) {
    // The signature is checked before the time, so an expired token is a genuine one.
    if (error instanceof errors.JWTExpired) return { state: 'expired', payload: error.payload }
    if (error instanceof errors.JOSEError || error instanceof TypeError) return { state: 'invalid' }
    throw error
  }
}

async function verify(token: string, key: VerifyingKey, terms: UserTokenTerms | undefined): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key.verify, { algorithms: [key.alg], ...(terms && claimsFor(token, terms)) })
  return payload
}

const MOST_VERIFIED = 1000

/** Payloads of valid tokens, by the key that verified them and the terms that they met: a client sends the same token many times. */
const verifiedTokens = new WeakMap<object, Map<string, LRUCache<string, JWTPayload>>>()

function verifiedBy(key: VerifyingKey['verify'], terms: UserTokenTerms | undefined): LRUCache<string, JWTPayload> {
  const byTerms = verifiedTokens.get(key) ?? new Map<string, LRUCache<string, JWTPayload>>()
  const name = JSON.stringify(terms)
  const known = byTerms.get(name) ?? new LRUCache<string, JWTPayload>({ max: MOST_VERIFIED })
  verifiedTokens.set(key, byTerms.set(name, known))
  return known
}

function claimsFor(token: string, { issuer, audience, mayOmitIssuer = false }: UserTokenTerms) {
  const named = mayOmitIssuer && decodeJwt(token).iss === undefined ? {} : { issuer }
  return { ...named, audience, requiredClaims: ['exp'] }
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

const JWT_KEYS_MUST =
  'JWT_KEYS must be a JSON list of JSON Web Keys, each with kid and alg and one of them private, such as [{"kty":"EC",…}].'

const jwk = z.looseObject({ kty: z.string(), kid: z.string().min(1), alg: z.string().min(1), key_ops: z.array(z.string()).optional() })
const jwks = z
  .array(jwk)
  .min(1)
  .refine((set) => new Set(set.map(({ kid }) => kid)).size === set.length)

type KeySet = Map<string, SigningKey>

let known: { keys: Promise<KeySet>; text: string; hour: number } | undefined

/** All keys that verify our tokens, by `kid`. Another process may change them while this one runs. */
async function verifyingKeys(): Promise<KeySet> {
  const text = env.JWT_KEYS ?? (await storedText())
  // A key may have expired within the hour.
  const hour = Math.floor(Date.now() / 3_600_000)
  if (known?.text !== text || known.hour !== hour) known = { keys: known ? loadAgain(text, known.keys) : loadKeys(text), text, hour }
  return known.keys
}

/** If the keys cannot be used, the previous ones stay valid. */
function loadAgain(text: string, before: Promise<KeySet>): Promise<KeySet> {
  return loadKeys(text).catch((error: unknown) => {
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

async function loadKeys(text: string): Promise<KeySet> {
  const set = env.JWT_KEYS ? parseKeys(text) : parseStored(text)
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

/** The name of the signing keys among the secrets of the installation. */
const SECRET = 'signing-keys'

/** The signing keys of the installation, as they are stored. The first process of all creates one, or brings the one of an earlier version. */
async function storedText(): Promise<string> {
  const text = await currentSecret(SECRET)
  if (text !== undefined) return text
  const first = readKeyFile() ?? JSON.stringify([await makeKey()])
  return changeSecret(SECRET, (present) => present ?? first)
}

/** Earlier versions stored the keys in this file. */
function readKeyFile(): string | undefined {
  const file = path.join(keysFolder(), 'signing-key.json')
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  try {
    parseStored(text)
  } catch (error) {
    throw new OperatorError(`${file} is damaged. Restore it from a backup, or delete it to create a new key.`, { cause: error })
  }
  return text
}

/** The stored keys without expired ones. */
function parseStored(text: string): StoredKey[] {
  return storedKeys.parse(JSON.parse(text)).filter(({ exp }) => exp === undefined || exp > unixNow())
}

/**
 * Replaces the signing key in two calls. The first announces the next key, so that other services know it in time. The second signs with
 * it, and the old key is valid until its last token ends. `isLeaked` replaces it immediately and voids the old one. Returns a report.
 */
export async function rotateSigningKey({ isLeaked }: { isLeaked: boolean }): Promise<string> {
  if (env.JWT_KEYS) throw new OperatorError('JWT_KEYS holds the signing keys, so replace them in that setting. See docs/operations.md.')
  await storedText()
  const made = await makeKey()
  let report = ''
  await changeSecret(SECRET, (present = '[]') => {
    const rotated = rotate(parseStored(present), made, isLeaked)
    report = rotated.report
    return JSON.stringify(rotated.keys)
  })
  return report
}

function rotate(keys: StoredKey[], made: JWK, isLeaked: boolean): { keys: JWK[]; report: string } {
  if (isLeaked) {
    const report =
      'The new key now signs, and the old key is void. Users stay signed in and get new access tokens. Create all service keys again.'
    return { keys: [{ ...made, key_ops: ['sign'] }], report }
  }
  const [signer, next] = ordered(keys)
  if (!next) {
    const report = `The next key is announced. Run this again in ${ANNOUNCED_SECONDS / 60} minutes or later to sign with it.`
    const announced = { ...made, iat: unixNow() }
    return { keys: [{ ...signer, key_ops: ['sign'] }, announced], report }
  }
  const left = (next.iat ?? 0) + ANNOUNCED_SECONDS - unixNow()
  if (left > 0) throw new OperatorError(`The next key was announced a moment ago. Run this again in ${Math.ceil(left / 60)} minutes.`)
  const { iat: _announced, ...signing } = next
  const old = { ...publicHalf(signer), exp: unixNow() + env.JWT_EXP + MARGIN_SECONDS }
  return {
    keys: [{ ...signing, key_ops: ['sign'] }, old],
    report: 'The next key now signs. The old key stays valid until its last token expires.',
  }
}

/** The keys with a private half: first the signing one, then the announced one. */
function ordered(keys: StoredKey[]): [StoredKey, StoredKey | undefined] {
  const whole = keys.filter((key) => 'd' in key)
  const signer = whole.find(({ key_ops }) => key_ops?.includes('sign')) ?? whole[0]
  if (!signer)
    throw new OperatorError(
      'The stored signing keys have no private half. Run node scripts/run.mjs command rotate-key --force to create a new key.',
    )
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

function unixNow(): number {
  return Math.floor(Date.now() / 1000)
}
