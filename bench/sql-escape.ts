// Attempts to escape from the process of SQL queries: files, other datasets, settings, memory, time; and their effect on other requests.
import { DuckDBInstance } from '@duckdb/node-api'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { fileEscapes, heavyQuestions, innerEscapes } from '#test/sql-escapes.ts'
import { onEmbedded } from './engine.ts'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'
import { end, serve, untilFirstDatasets } from './serve.ts'

const P95_BAR = 1.1
/** Total milliseconds with and without queries, and the number of rounds. */
const PHASE_MS = Number(process.env['PHASE_MS'] ?? 60_000)
const TURNS = 12
const base = 'http://127.0.0.1:4690'
const settings = { JWT_EXP: '86400' }
/** Text that no response may contain. */
const PLANTED = 'planted-4711'
const [product, version, stranger] = [
  '0198c000-0000-7000-8000-000000000001',
  '0198c000-0000-7000-8000-000000000002',
  '0198c000-0000-7000-8000-000000000003',
]

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-sql-'))
const engine = onEmbedded(dataDir)
const folder = path.join(dataDir, 'files/datasets', version)
const targets = {
  own: path.join(folder, 'data.parquet'),
  other: path.join(dataDir, 'files/datasets', stranger, 'data.parquet'),
  text: path.join(dataDir, 'secret.csv'),
  folder,
}

type Told = { sql: string; status: number; code: string; ms: number; body: string }

try {
  const first = await serve(base, { ...settings, ...engine.env })
  await untilFirstDatasets(base)
  await end(first)
  await fill()
  const server = await serve(base, { ...settings, ...engine.env })
  try {
    process.exitCode = (await measure(await signUpOwner(base))) ? 0 : 1
  } finally {
    await end(server)
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function fill() {
  for (const file of [targets.own, targets.other]) mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(targets.text, `secret\n${PLANTED}\n`)
  const writer = await (await DuckDBInstance.create()).connect()
  await writer.run(
    `COPY (SELECT range AS id, 'shop ' || (range % 40) AS shop, range * 0.5 AS price FROM range(1000000)) TO '${targets.own}' (FORMAT parquet)`,
  )
  await writer.run(`COPY (SELECT '${PLANTED}' AS secret, 1 AS id) TO '${targets.other}' (FORMAT parquet)`)
  writer.closeSync()
  await engine.ask(async (run) => {
    await run(
      `INSERT INTO data_products (id, slug, position, name, description, category, price_cents, is_free, hidden) VALUES ('${product}', 'asked', 1, 'Asked', 'Asked', 'Test', 0, true, false)`,
    )
    await run(`INSERT INTO dataset_versions (id, product_id, number, state, original_name, original_format, original_bytes, original_sha256, rows, created_by, published_at)
      VALUES ('${version}', '${product}', 1, 'published', 'x.csv', 'csv', 1, 'x', 1000000, '${product}', now())`)
    await run(`UPDATE data_products SET current_version_id = '${version}' WHERE id = '${product}'`)
  })
}

async function measure(headers: { authorization: string }): Promise<boolean> {
  const kept = () => readdirSync(path.join(dataDir, 'files/datasets'), { recursive: true, encoding: 'utf8' })
  const before = { names: kept(), own: readFileSync(targets.own) }
  const cheap = [...fileEscapes(targets), ...innerEscapes(targets)]
  const told: Told[] = []
  for (const sql of cheap) told.push(await attempt(sql, headers))

  // The cases alternate, so that changes of the machine's speed affect both.
  const alone: number[] = []
  const beside: number[] = []
  let at = 0
  for (let round = 0; round < TURNS; round += 1) {
    alone.push(...(await visits(PHASE_MS / TURNS)))
    const busy = new AbortController()
    const askers = [0, 1].map(async () => {
      while (!busy.signal.aborted) {
        const sql = heavyQuestions[at % heavyQuestions.length] ?? ''
        at += 1
        told.push(await attempt(sql, headers))
      }
    })
    beside.push(...(await visits(PHASE_MS / TURNS)))
    busy.abort()
    await Promise.all(askers)
  }
  while (at < heavyQuestions.length) told.push(await attempt(heavyQuestions[at++] ?? '', headers))

  const heavy = told.slice(cheap.length)
  const got = told.filter(({ body, sql }) => body.includes(PLANTED) && !sql.includes(PLANTED))
  const done = told.slice(0, cheap.length).filter(({ status }) => status !== 422)
  const broken = heavy.filter(({ status }) => ![200, 422].includes(status))
  const slowest = Math.max(...heavy.map(({ ms }) => ms))
  const ratio = at95(beside) / at95(alone)
  const isUntouched = isDeepStrictEqual(kept(), before.names) && readFileSync(targets.own).equals(before.own)
  for (const { sql, status, code } of [...done, ...got, ...broken]) process.stdout.write(`! ${status} ${code} ${sql.slice(0, 120)}\n`)
  const next = await attempt('SELECT count(*) FROM data', headers)
  return printFigures([
    { what: 'attempts to get out', found: String(cheap.length), bar: 'at least 150', ok: cheap.length >= 150 },
    { what: 'of them answered', found: String(done.length), bar: '0', ok: done.length === 0 },
    { what: 'answers with what was planted elsewhere', found: String(got.length), bar: '0', ok: got.length === 0 },
    { what: 'the files of all datasets', found: isUntouched ? 'untouched' : 'written or changed', bar: 'untouched', ok: isUntouched },
    { what: 'questions that cost much', found: `${heavy.length} asked, ${new Set(heavy.map(({ sql }) => sql)).size} different` },
    {
      what: 'of them ended by memory, by time, refused, answered',
      found: ['sql_memory', 'sql_timeout', 'sql_error', 'answered']
        .map((code) => heavy.filter((one) => one.code === code).length)
        .join(', '),
    },
    { what: 'of them neither answered nor refused in order', found: String(broken.length), bar: '0', ok: broken.length === 0 },
    { what: 'slowest end', found: `${Math.round(slowest)} ms` },
    {
      what: 'a plain question after all of them',
      found: `${next.status} in ${Math.round(next.ms)} ms`,
      bar: 'answered',
      ok: next.status === 200,
    },
    {
      what: 'other requests: p95 alone, beside questions that cost much',
      found: `${at95(alone).toFixed(1)} ms, ${at95(beside).toFixed(1)} ms (${alone.length}, ${beside.length})`,
    },
    { what: 'change of their p95', found: `${ratio.toFixed(2)}×`, bar: `at most ${P95_BAR}×`, ok: ratio <= P95_BAR },
  ])
}

async function attempt(sql: string, headers: { authorization: string }): Promise<Told> {
  const began = performance.now()
  const answer = await fetch(`${base}/api/data-products/${product}/query`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  const body = await answer.text()
  const code = answer.status === 200 ? 'answered' : (/"code":"(\w+)"/.exec(body)?.[1] ?? '')
  return { sql, status: answer.status, code, ms: performance.now() - began, body: body.slice(0, 100_000) }
}

/** The visitors' load: an API request with a database query, every few milliseconds. */
async function visits(ms: number): Promise<number[]> {
  const taken: number[] = []
  for (const until = performance.now() + ms; performance.now() < until; await pause(10)) {
    const began = performance.now()
    await (await fetch(`${base}/api/data-products/asked`)).text()
    taken.push(performance.now() - began)
  }
  return taken
}

function at95(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0
}
