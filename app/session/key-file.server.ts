import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { env } from '#app/platform/env.server.ts'
import { keepFirst, keepInstead, keysFolder } from '#app/platform/keys.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'

const ALGORITHM = 'ES256'
/** Who checks tokens by the published keys keeps them for ten minutes; asked again just before, for twenty. */
const ANNOUNCED_SECONDS = 1200
/** Clocks that are not quite right, and processes that have not yet looked. */
const MARGIN_SECONDS = 120

/** `iat` is when a key was announced, `exp` until when tokens of it may still come, both in unix seconds. */
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

/** The keys of this installation, made when there are none. What has ended is left out. */
export async function readKeyFile(): Promise<StoredKey[]> {
  const file = keyFile()
  const text = existsSync(file) ? readFileSync(file) : keepFirst(file, JSON.stringify(await makeKey()))
  return stored.parse(JSON.parse(text.toString())).filter(({ exp }) => exp === undefined || exp > now())
}

/** Changes when the file does, and each hour, because a key may have ended. */
export function keyFileStamp(): string {
  const { mtimeMs, ino } = statSync(keyFile(), { throwIfNoEntry: false }) ?? { mtimeMs: 0, ino: 0 }
  return `${mtimeMs}:${ino}:${Math.floor(Date.now() / 3_600_000)}`
}

/**
 * Takes one of two steps towards another signing key: announces it, so that everyone who checks tokens knows it in time; then signs with it, while
 * the old one is good for as long as its tokens are. `isLeaked`: both at once, and the old one is void. Answers what was done.
 */
export async function rotateKey({ isLeaked }: { isLeaked: boolean }): Promise<string> {
  if (env.JWT_KEYS) throw new OperatorError('The keys are in JWT_KEYS, so they are replaced there: docs/operations.md says how.')
  const [signer, next] = ordered(await readKeyFile())
  if (isLeaked) {
    keepInstead(keyFile(), JSON.stringify([{ ...(await makeKey()), key_ops: ['sign'] }]))
    return 'A new key signs from now on. The old one is void: access tokens are made anew, nobody is signed out; keys of programs have to be made again.'
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
    return `The next key is announced. Ask for this again in ${ANNOUNCED_SECONDS / 60} minutes or later: then it signs.`
  }
  const left = (next.iat ?? 0) + ANNOUNCED_SECONDS - now()
  if (left > 0) throw new OperatorError(`The next key was announced a moment ago. Ask for this again in ${Math.ceil(left / 60)} minutes.`)
  const { iat: _announced, ...signing } = next
  const old = { ...publicHalf(signer), exp: now() + env.JWT_EXP + MARGIN_SECONDS }
  keepInstead(keyFile(), JSON.stringify([{ ...signing, key_ops: ['sign'] }, old]))
  return 'The next key signs from now on. The old one is taken until the last of its tokens has ended.'
}

/** Those with a private half: first the one that signs, then the one that is announced. */
function ordered(keys: StoredKey[]): [StoredKey, StoredKey | undefined] {
  const whole = keys.filter((key) => 'd' in key)
  const signer = whole.find(({ key_ops }) => key_ops?.includes('sign')) ?? whole[0]
  if (!signer) throw new OperatorError(`${keyFile()} holds no key that signs.`)
  return [signer, whole.find((key) => key !== signer)]
}

/** Without what signs, and without what only we need to know. */
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
