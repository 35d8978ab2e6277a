import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { clientCalls, heyApiProgram, openapiFetchProgram } from './api-client-calls.ts'
import { startEndpoints } from './app.ts'
import { makeDataset, makeProduct, signIn } from './factories.ts'

const run = promisify(execFile)
/** Within the product, so that the programs find their packages. */
const folder = path.resolve('test-results', `api-clients-${process.pid}`)
const strict = [
  '--ignoreConfig',
  '--strict',
  '--noEmit',
  '--skipLibCheck',
  '--target',
  'esnext',
  '--module',
  'nodenext',
  '--allowImportingTsExtensions',
  '--types',
  'node',
]

const app = await startEndpoints()
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const site = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

const product = await makeProduct({ slug: 'client-prices' })
for (const rows of ['North,1.5\n', 'North,1.5\nSouth,2\n']) await makeDataset(product, `shop,price\n${rows}`)
startJobs()
const owner = await signIn('owner')
const { key } = await makeKey(ownKeys(owner.user.id), { name: 'Client', productIds: null, expiresInDays: null }, {})

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'openapi.json'), (await app.inject({ url: '/api/openapi.json' })).body)
  await run(process.execPath, ['test/make-clients.mjs', folder])
})
afterAll(async () => {
  await stopJobs()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['openapi-typescript', openapiFetchProgram],
  ['@hey-api/openapi-ts', heyApiProgram],
])('a client that %s makes of the description type-checks, and every call of it gets its answer', async (name, write) => {
  const file = path.join(folder, `${name.replaceAll(/\W/g, '-')}.ts`)
  await writeFile(file, write())
  const checked = await run('tsc', [...strict, file]).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  expect(checked.stdout).toBe('')
  const env = {
    ...process.env,
    SITE: site,
    SLUG: product.slug,
    PRODUCT: product.id,
    POST: `post-${name.length}`,
    KEY: `Bearer ${key}`,
    COOKIE: owner.headers.cookie,
  }
  const { stdout } = await run(process.execPath, [file], { env })
  expect(Number(stdout)).toBe(clientCalls.length)
  expect(clientCalls.length).toBeGreaterThanOrEqual(40)
})
