// A backup of 100,000 leads while the site is in use: the latency of other requests, and the duration of the restore.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEmbedded } from './engine.ts'
import { printFigures } from './figures.ts'
import { fillLeads } from './lead-rows.ts'
import { end, serve, untilFirstDatasets } from './serve.ts'

const LEADS = 100_000
const QUIET_MS = 10_000
const bars = { waitMs: 300, restoreSeconds: 25 }
const BASE = 'http://127.0.0.1:4971'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-backup-'))
const [dataDir, restored] = [path.join(folder, 'data'), path.join(folder, 'restored')]
const file = path.join(folder, 'backup.tar.gz')
let site: ChildProcess | undefined
try {
  const first = await serve(BASE, { DATA_DIR: dataDir })
  await untilFirstDatasets(BASE)
  await end(first)
  await onEmbedded(dataDir).ask((run) => fillLeads(run, LEADS))

  site = await serve(BASE, { DATA_DIR: dataDir })
  const quiet = await measureWaits(() => sleep(QUIET_MS))
  const busy = await measureWaits(() => command(dataDir, 'backup', file))
  await end(site)
  const restore = await command(restored, 'restore', file)

  const ok = printFigures([
    { what: 'longest wait for the database, no backup', found: `${quiet.longestMs.toFixed(0)} ms of ${quiet.count} requests` },
    {
      what: 'longest wait for the database, during a backup',
      found: `${busy.longestMs.toFixed(0)} ms of ${busy.count} requests`,
      bar: `≤ ${bars.waitMs} ms`,
      ok: busy.longestMs <= bars.waitMs,
    },
    { what: '99th percentile, no backup and during one', found: `${quiet.highMs.toFixed(0)} ms, ${busy.highMs.toFixed(0)} ms` },
    { what: 'backup', found: `${busy.result.seconds.toFixed(1)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB` },
    {
      what: `restore of ${LEADS.toLocaleString('en')} leads`,
      found: `${restore.seconds.toFixed(1)} s, ${restore.lines} progress lines`,
      bar: `≤ ${bars.restoreSeconds} s`,
      ok: restore.seconds <= bars.restoreSeconds && restore.lines > 0,
    },
  ])
  process.exitCode = ok ? 0 : 1
} finally {
  site?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Two visitors: one requests `/readyz`, one sends enquiries. */
async function measureWaits<T>(work: () => Promise<T>) {
  const waits: number[] = []
  const end = new AbortController()
  const requestContext = async (send: (at: number) => Promise<Response>) => {
    for (let at = 0; !end.signal.aborted; at += 1) {
      const begun = performance.now()
      const { ok, status } = await send(at)
      if (!ok) throw new Error(`The site answered ${status}.`)
      waits.push(performance.now() - begun)
      await sleep(20)
    }
  }
  const visits = Promise.all([requestContext(() => fetch(`${BASE}/readyz`)), requestContext(sendEnquiry)])
  const result = await work()
  end.abort()
  await visits
  const sorted = waits.toSorted((one, other) => one - other)
  return { result, count: waits.length, longestMs: sorted.at(-1) ?? 0, highMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

function sendEnquiry(at: number): Promise<Response> {
  const problem = 'Prices of twelve shops'
  const body = {
    form: 'contact',
    name: 'Ada',
    email: `ada${at}@example.com`,
    country: 'Germany',
    problem,
    message: `${problem}, every night.`,
  }
  return fetch(`${BASE}/api/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function command(folderOfData: string, ...args: string[]) {
  const begun = performance.now()
  const env = { PATH: process.env['PATH'], DATA_DIR: folderOfData, NODE_ENV: 'production' }
  const child = spawn(process.execPath, ['build/server/index.js', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args[0]} failed: ${told}`)
  return { seconds: (performance.now() - begun) / 1000, lines: told.split('\n').filter((line) => line.endsWith('…')).length }
}
