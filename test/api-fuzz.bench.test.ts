import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import type { OpenApi } from '#app/data-api/docs/operation.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { problem } from '#app/platform/errors/problem.ts'
import { type ApiCase, casesOf, type DescribedOperation, operationsOf } from './api-cases.ts'
import { startEndpoints } from './app.ts'
import { forgetLimits } from './auth.ts'
import { byLength } from './length.ts'
import { makeContact, makeDataset, makePost, makeProduct, signIn } from './factories.ts'

const CASES = byLength(3, 50)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261123)
/** Endless responses have one of these media types. */
const STREAMS = new Set(['/api/events'])
const PATIENCE_MS = 60_000

const app = await startEndpoints()
afterAll(() => stopJobs())

const product = await makeProduct({ slug: 'fuzz-prices' })
await makeDataset(product, 'shop,price\nNorth,1.5\nSouth,2\n')
startJobs()
const [post, contact] = [await makePost(), await makeContact()]
const known = [product.id, product.slug, post.id, post.slug, contact.id, contact.email, 'shop', '1', 'true']
const description: OpenApi = (await app.inject({ url: '/api/openapi.json' })).json()

const roles = ['customer', 'staff', 'owner'] as const
/** A stranger, someone of each role, and a program with a key. */
const WHO = roles.length + 2

/** The callers of one operation: each signs in anew when their first turn comes, because some operations end sessions and accounts. */
function callers(): (turn: number) => Promise<Record<string, string>> {
  const known: Promise<Record<string, string>>[] = []
  return (turn) => (known[turn % WHO] ??= headersOf(turn % WHO))
}

async function headersOf(who: number): Promise<Record<string, string>> {
  if (who === 0) return {}
  const role = roles[who - 1]
  if (role) return (await signIn(role)).headers
  const { user } = await signIn()
  const { key } = await makeKey(ownKeys(user.id), { name: 'Fuzz', productIds: null, expiresInDays: null }, {})
  return { authorization: `Bearer ${key}` }
}

async function send({ method, url, headers, payload }: ApiCase, caller: Record<string, string>) {
  const given = { method, url, headers: { ...headers, ...caller }, signal: AbortSignal.timeout(PATIENCE_MS) }
  // The type of `inject` names the methods.
  return app.inject(payload === undefined ? { ...given, method: asMethod(method) } : { ...given, method: asMethod(method), payload })
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const asMethod = (name: string) => methods.find((each) => each === name) ?? 'GET'

/** The fault of a response; undefined if it matches the description. */
function faultOf({ operation, path }: DescribedOperation, answer: Awaited<ReturnType<typeof send>>): string | undefined {
  const { statusCode: status, headers, body } = answer
  if (status >= 500 && !(status === 503 && headers['retry-after'])) return `${status}: ${body.slice(0, 200)}`
  const declared = operation.responses?.[String(status)] ?? operation.responses?.[`${Math.floor(status / 100)}XX`]
  if (!declared) return `${status} is not declared`
  const type = (headers['content-type'] ?? '').split(';')[0] ?? ''
  if (status >= 400) {
    if (path.startsWith('/auth/v1/')) return type === 'application/json' ? undefined : `${status} as ${type}`
    return type === 'application/problem+json' && problem.safeParse(JSON.parse(body)).success
      ? undefined
      : `${status} as ${type || 'nothing'}`
  }
  const types = Object.keys(declared.content ?? {})
  if (types.length === 0) return body === '' ? undefined : `${status} has a body that is not declared, ${type}`
  return types.some((each) => each === type || each === `${type.split('/')[0]}/*`)
    ? undefined
    : `${status} as ${type || 'nothing'}, not ${types.join(', ')}`
}

test('whatever is sent to an endpoint, by anyone, it answers as its description says, and never fails on our side', async () => {
  const faults = new Map<string, string>()
  const counts = { operations: 0, requests: 0, taken: 0 }
  for (const described of operationsOf(description).filter(({ path }) => !STREAMS.has(path))) {
    const callerAt = callers()
    await forgetLimits()
    const cases = fc.sample(casesOf(described, known), { seed: SEED, numRuns: CASES })
    for (const [at, each] of cases.entries()) {
      const caller = await callerAt(at + counts.operations)
      const answer = await send(each, caller)
      counts.requests += 1
      if (answer.statusCode < 400) counts.taken += 1
      const fault = faultOf(described, answer)
      if (fault) faults.set(`${described.method} ${described.path} ${fault}`, `${each.url} ${String(each.payload ?? '').slice(0, 300)}`)
    }
    counts.operations += 1
  }
  process.stdout.write(
    `${counts.requests} requests to ${counts.operations} operations, ${counts.taken} taken: ${faults.size} faults (bar 0)\n`,
  )
  expect(Object.fromEntries(faults)).toEqual({})
  expect(counts.operations).toBeGreaterThan(140)
  expect(counts.taken).toBeGreaterThan(counts.operations / 4)
}, 7_200_000)
