import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { keepFirst, keepInstead, keysFolder } from '#app/platform/keys.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'

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
const stored = z.union([z.array(storedKey).min(1), storedKey.transform((key) => [key])])

export type StoredKey = z.infer<typeof storedKey>

/** The keys of this installation without expired ones. The first call creates one. */
export async function readKeyFile(): Promise<StoredKey[]> {
  const file = keyFile()
  const text = existsSync(file) ? readFileSync(file) : keepFirst(file, JSON.stringify(await makeKey()))
  return stored.parse(JSON.parse(text.toString())).filter(({ exp }) => exp === undefined || exp > now())
}

/** Changes when the file does, and every hour, because a key may have expired. */
export function keyFileStamp(): string {
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
        { ...made, iat: now() },
      ]),
    )
    return `The next key is announced. Run this again in ${ANNOUNCED_SECONDS / 60} minutes or later to sign with it.`
  }
  const left = (next.iat ?? 0) + ANNOUNCED_SECONDS - now()
  if (left > 0) throw new OperatorError(`The next key was announced a moment ago. Run this again in ${Math.ceil(left / 60)} minutes.`)
  const { iat: _announced, ...signing } = next
  const old = { ...publicHalf(signer), exp: now() + env.JWT_EXP + MARGIN_SECONDS }
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
export function publicHalf(key: StoredKey): StoredKey {
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

function now(): number {
  return Math.floor(Date.now() / 1000)
}
