// The dashboard's lists and exports over 100,000 leads (LEADS), on both engines: how long a page takes, and the CSV against psql's own.
import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#test/postgres.ts'
import { type Engine, onEmbedded, onPostgres } from './engine.ts'
import { COMMON_WORD, fillLeads, RARE_WORD } from './lead-rows.ts'
import { signUpOwner } from './owner.ts'
import { end, serve } from './serve.ts'

const LEADS = Number(process.env['LEADS'] ?? 100_000)
const LIST_BAR_MS = 60
const CSV_BAR = 3
const GROWTH_BAR_MB = 30
const ROUNDS = Number(process.env['ROUNDS'] ?? 40)
const EXPORTS = Number(process.env.EXPORTS ?? 7)
const base = 'http://127.0.0.1:4650'
const settings = { JWT_EXP: '86400' }

const lists: Record<string, string> = {
  'first page': '/api/contacts?limit=50',
  'by name': '/api/contacts?limit=50&sort=name',
  'by company, last first': '/api/contacts?limit=50&sort=-company',
  'by service type': '/api/contacts?limit=50&sort=serviceType',
  'waiting, oldest first': '/api/contacts?limit=50&filter=waiting&sort=createdAt',
  'one service type': '/api/contacts?limit=50&service=Data%20Extraction',
  'with a consultation': '/api/contacts?limit=50&filter=consultation',
  'search: common word': `/api/contacts?limit=50&q=${COMMON_WORD}`,
  'search: rare word': `/api/contacts?limit=50&q=${RARE_WORD}`,
  'search: two words, by name': `/api/contacts?limit=50&q=${COMMON_WORD}+${RARE_WORD}&sort=name`,
  'search: two letters': '/api/contacts?limit=50&q=gr',
  'search: one address': '/api/contacts?limit=50&q=person4711@shop',
  'search: no match': '/api/contacts?limit=50&q=nobodywrotethis',
  consultations: '/api/consultations?limit=50&sort=name',
}

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-leads-'))
const postgres = await startPostgres({ durable: true })
try {
  const passed = [
    await measure(onPostgres(postgres.url, path.join(folder, 'postgres'))),
    await measure(onEmbedded(path.join(folder, 'embedded'))),
  ]
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(engine: Engine): Promise<boolean> {
  await end(await serve(base, { ...settings, ...engine.env }))
  await engine.ask((run) => fillLeads(run, LEADS))
  const server = await serve(base, { ...settings, ...engine.env })
  try {
    const headers = await signUpOwner(base)
    const all = await measureLists(engine.name, headers)
    const exported = await measureExport(engine, server, headers)
    return all && exported
  } finally {
    await end(server)
  }
}

async function measureLists(name: string, headers: Headers): Promise<boolean> {
  const cases: Record<string, string> = { ...lists, 'deep page': await deepPage(headers) }
  const times: Record<string, number[]> = {}
  // The cases alternate, so that changes of the machine's speed affect all of them.
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [label, url] of Object.entries(cases)) {
      const ms = await timed(() => read(url, headers))
      if (round >= 0) (times[label] ??= []).push(ms)
    }
  }
  for (const [label, taken] of Object.entries(times))
    say(`${name} · ${label}: best ${at(taken, 0)} ms, median ${at(taken, 0.5)} ms, p95 ${at(taken, 0.95)} ms`)
  const every = Object.values(times).flat()
  const worst = Math.max(...Object.values(times).map((taken) => Number(at(taken, 0.95))))
  say(`${name} · all lists: p95 ${at(every, 0.95)} ms, slowest case p95 ${worst} ms (bar ${LIST_BAR_MS} ms)`)

  for (const url of ['/api/contacts', '/api/leads/summary']) {
    const taken = []
    for (let round = 0; round < 10; round += 1) taken.push(await timed(() => read(url, headers)))
    say(`${name} · ${url}: median ${at(taken, 0.5)} ms, longest ${at(taken, 1)} ms`)
  }
  return worst <= LIST_BAR_MS
}

async function deepPage(headers: Headers): Promise<string> {
  let url = '/api/contacts?limit=200'
  // The middle of 20,000 leads or less, and no deeper in more.
  const depth = Math.min(50, Math.floor(LEADS / 400))
  for (let page = 0; page < depth; page += 1) url = `/api/contacts?limit=200&cursor=${JSON.parse(await read(url, headers)).nextCursor}`
  return url.replace('limit=200', 'limit=50')
}

async function measureExport({ name, url }: Engine, server: ChildProcess, headers: Headers): Promise<boolean> {
  const csv = async () => download('/api/contacts.csv', headers)
  const { bytes, lines } = await drain('/api/contacts.csv', headers)
  await csv()
  const before = memory(server, 'VmRSS', { resetPeak: true })
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < EXPORTS; round += 1) {
    ours.push(await timed(csv))
    if (url) theirs.push(await timed(async () => copy(url)))
  }
  const growth = memory(server, 'VmHWM') - before
  say(
    `${name} · CSV of ${lines - 1} leads, ${(bytes / 1e6).toFixed(0)} MB: median ${at(ours, 0.5)} ms, best ${at(ours, 0)} ms; memory +${growth.toFixed(0)} MB (bar ${GROWTH_BAR_MB} MB)`,
  )
  if (theirs.length === 0) return growth <= GROWTH_BAR_MB
  const ratio = Number(at(ours, 0.5)) / Number(at(theirs, 0.5))
  say(
    `${name} · psql \\copy of the same: median ${at(theirs, 0.5)} ms, best ${at(theirs, 0)} ms; ratio of medians ${ratio.toFixed(2)} (bar ${CSV_BAR})`,
  )
  return growth <= GROWTH_BAR_MB && ratio <= CSV_BAR
}

/** A separate program writes the export into a file, as psql does. */
function download(url: string, { authorization }: Headers) {
  execFileSync('curl', ['-sf', '-H', `authorization: ${authorization}`, '-o', path.join(folder, 'download.csv'), base + url])
}

function copy(url: string) {
  const rows =
    'SELECT name, email, company, service_type, message, created_at FROM contacts WHERE quarantined_at IS NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC'
  const command = `\\copy (${rows}) TO '${path.join(folder, 'copy.csv')}' WITH (FORMAT csv, HEADER, FORCE_QUOTE *)`
  execFileSync('psql', ['-X', '-q', url, '-c', command], { stdio: 'inherit' })
}

type Headers = { authorization: string }

async function read(url: string, headers: Headers): Promise<string> {
  const reply = await fetch(base + url, { headers })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  return reply.text()
}

async function drain(url: string, headers: Headers): Promise<{ bytes: number; lines: number }> {
  const reply = await fetch(base + url, { headers })
  let [bytes, lines] = [0, 0]
  for await (const piece of reply.body ?? []) {
    bytes += piece.length
    for (let end = piece.indexOf(13); end >= 0; end = piece.indexOf(13, end + 1)) lines += 1
  }
  return { bytes, lines }
}

/** In MB, by the kernel. After a reset of the peak, a later reading gives the growth since then. */
function memory({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM', { resetPeak = false } = {}): number {
  if (resetPeak) writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const [, kilobytes = '0'] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function at(times: number[], share: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
