import { type CryptoKey, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { fetchBounded } from '#app/platform/http/fetch-bounded.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { PROJECT_URL } from './project-url.server.ts'

type ProjectKey = { alg: string; verify: CryptoKey | Uint8Array }

const MOST_KEYS = 20
const BOUNDS = { ms: 5000, bytes: 64 * 1024 }
/** Older keys are fetched again; known keys are used meanwhile. */
const FRESH_MS = 600_000
/** Limits fetches for unknown key ids: anyone can invent one. */
const COOL_DOWN_MS = 30_000

const jwk = z.looseObject({
  kty: z.enum(['EC', 'RSA', 'OKP']),
  kid: z.string().min(1),
  alg: z.string().optional(),
  crv: z.string().optional(),
})
const keySet = z.object({ keys: z.array(z.unknown()).max(MOST_KEYS) })

let known: ReadonlyMap<string, ProjectKey> = new Map()
let askedAt = Number.NEGATIVE_INFINITY
let asking: Promise<void> | undefined

/** Finds a public key of the hosted service by id, with the one algorithm that it is for. */
export async function findProjectKey(kid: string): Promise<ProjectKey | undefined> {
  const found = known.get(kid)
  const age = performance.now() - askedAt
  if (found) {
    if (age > FRESH_MS) void askForKeys()
    return found
  }
  if (age > COOL_DOWN_MS || asking) await askForKeys()
  return known.get(kid)
}

/** One fetch for all callers. While the service is down, the last known keys stay in use. */
function askForKeys(): Promise<void> {
  asking ??= fetchKeys().finally(() => (asking = undefined))
  return asking
}

async function fetchKeys(): Promise<void> {
  askedAt = performance.now()
  try {
    const headers = { apikey: env.SUPABASE_PUBLISHABLE_KEY ?? '' }
    const { status, text } = await fetchBounded(`${PROJECT_URL}/.well-known/jwks.json`, { headers }, BOUNDS)
    if (status !== 200) throw new Error(`It answered ${status}.`)
    const { keys } = keySet.parse(JSON.parse(text))
    const read = await Promise.all(keys.map(readKey))
    known = new Map(read.flatMap((entry) => (entry ? [entry] : [])))
    if (known.size === 0) log.warn('the hosted auth service publishes no key: it has to sign its tokens with an asymmetric one')
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'the keys of the hosted auth service could not be read')
  }
}

/** Ignores shared secrets and keys for other purposes. */
async function readKey(given: unknown): Promise<[string, ProjectKey] | undefined> {
  const read = jwk.safeParse(given)
  if (!read.success) return undefined
  const { kid, kty, crv } = read.data
  const alg = read.data.alg ?? usualAlgorithm(kty, crv)
  if (!alg || !/^(ES256|ES384|RS256|RS384|RS512|PS256|EdDSA|Ed25519)$/.test(alg)) return undefined
  try {
    const { d: _private, ...half }: JWK = read.data
    return [kid, { alg, verify: await importJWK({ ...half, key_ops: ['verify'] }, alg) }]
  } catch {
    return undefined
  }
}

function usualAlgorithm(kty: string, crv: string | undefined): string | undefined {
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA'
  return kty === 'RSA' ? 'RS256' : undefined
}
