// The Data API: 50 concurrent clients on one key with a quota of 1,000, on both engines; pages, filters and sorted pages of 1 and 10 million rows (SIZES).
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '#test/postgres.ts'
import { beginTusUpload, sendTusChunk } from '#test/tus.ts'
import { type Engine, onEmbedded, onPostgres } from './engine.ts'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'
import { measurePages } from './row-pages.ts'
import { end, serve } from './serve.ts'

const CLIENTS = 50
const EACH = 30
const QUOTA = 1000
const ROWS = 20_000
const ports = [4680, 4681]

type Headers = { authorization: string }
type Site = { bases: string[]; owner: Headers }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-data-api-'))
const postgres = await startPostgres({ durable: true })
try {
  const passed = [
    await measure(onPostgres(postgres.url, path.join(folder, 'postgres')), 2),
    await measure(onEmbedded(path.join(folder, 'embedded')), 1),
  ]
  // A database of its own: the first one is sealed by the keys of another folder.
  const another = await startPostgres({ durable: true })
  try {
    passed.push(await measurePages(onPostgres(another.url, path.join(folder, 'pages')), folder))
  } finally {
    another.stop()
  }
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure({ name, env }: Engine, processes: number): Promise<boolean> {
  const bases = ports.slice(0, processes).map((port) => `http://127.0.0.1:${port}`)
  const servers: ChildProcess[] = []
  try {
    for (const base of bases) servers.push(await serve(base, { JWT_EXP: '86400', ...env }))
    const site = { bases, owner: await signUpOwner(bases[0] ?? '') }
    await publish(site)
    const where = `${name}, ${processes} ${processes === 1 ? 'process' : 'processes'}`
    const { served, refused, used } = await exhaust(site)
    const asked = CLIENTS * EACH
    return printFigures([
      { what: `${where}: answered, of ${asked}`, found: String(served), bar: `${QUOTA}`, ok: served === QUOTA },
      { what: `${where}: 429`, found: String(refused), bar: `${asked - QUOTA}`, ok: refused === asked - QUOTA },
      { what: `${where}: counted afterwards`, found: String(used), bar: `${QUOTA}`, ok: used === QUOTA },
    ])
  } finally {
    await Promise.all(servers.map(end))
  }
}

async function call(site: Site, method: string, url: string, body?: object, headers = {}) {
  const given = { ...site.owner, ...(body && { 'content-type': 'application/json' }), ...headers }
  const reply = await fetch(site.bases[0] + url, { method, headers: given, ...(body && { body: JSON.stringify(body) }) })
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${await reply.text()}`)
  return reply.status === 204 ? undefined : reply.json()
}

async function makeKey(site: Site, quota: number): Promise<{ id: string; headers: Headers }> {
  const { id, key } = await call(site, 'POST', '/api/keys', { name: 'Bench' })
  await call(site, 'PATCH', `/api/admin/keys/${id}`, { monthlyQuota: quota })
  return { id, headers: { authorization: `Bearer ${key}` } }
}

/** Each client sends one request after the other, to the processes in turn. */
async function exhaust(site: Site) {
  const { id, headers } = await makeKey(site, QUOTA)
  const client = async (at: number) => {
    const statuses: number[] = []
    for (let asked = 0; asked < EACH; asked += 1) {
      const reply = await fetch(`${site.bases[(at + asked) % site.bases.length]}/api/v1/datasets/bench/rows?limit=5`, { headers })
      await reply.arrayBuffer()
      statuses.push(reply.status)
    }
    return statuses
  }
  const statuses = (await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)))).flat()
  const { used } = await call(site, 'GET', `/api/keys/${id}/usage`)
  const count = (status: number) => statuses.filter((each) => each === status).length
  return { served: count(200), refused: count(429), used }
}

/** A published dataset, uploaded as staff do it. */
async function publish(site: Site) {
  const product = { slug: 'bench', name: 'Bench', description: 'Prices.', category: 'Bench', price: 0, isFree: true }
  const { id } = await call(site, 'POST', '/api/data-products', product)
  const lines = Array.from(
    { length: ROWS },
    (_, at) => `${at},shop ${at % 8},${(at * 7) % 5000}.5,2026-10-${String((at % 28) + 1).padStart(2, '0')}`,
  )
  const file = Buffer.from(['number,shop,price,day', ...lines, ''].join('\n'))
  const upload = await beginTusUpload(site.bases[0] ?? '', site.owner, file.length, {
    productId: id,
    filename: 'bench.csv',
    changes: 'First.',
  })
  const sent = await sendTusChunk(upload, site.owner, 0, file)
  if (!sent.ok) throw new Error(`The file was answered ${sent.status}.`)
  for (let tries = 0; tries < 600; tries += 1) {
    const [version] = await call(site, 'GET', `/api/data-products/${id}/versions`)
    if (version?.state === 'ready') break
    if (version?.state === 'refused') throw new Error(version.failure)
    await sleep(100)
  }
  await call(site, 'POST', `/api/data-products/${id}/versions/1/publish`, {})
  const { version } = (await call(site, 'GET', '/api/admin/data-products')).find((each: { id: string }) => each.id === id)
  await call(site, 'PUT', `/api/data-products/${id}`, { ...product, hidden: false }, { 'if-match': `"${version}"` })
}
