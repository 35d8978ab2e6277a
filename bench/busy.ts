// 10,000 mixed requests on 200 connections: the latency of each kind, served and refused, beside a bare server in the same run; memory before, and a minute after.
import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/postgres.ts'
import { end, serve, untilFirstDatasets } from './serve.ts'

const REQUESTS = Number(process.env['REQUESTS'] ?? 10_000)
const CONNECTIONS = 200
/** One and a half times the longest deadline of a visitor (decision 29). */
const BAR_MS = 7500
const BAR_MEMORY = 1.3
const ROUNDS = Number(process.env['ROUNDS'] ?? 3)

type Kind = {
  name: string
  /** A server other than the product. */
  base?: string
  share: number
  method?: 'POST'
  path: (turn: number) => string
  body?: (turn: number) => object
  good: number[]
}

/** An idle handler, so that its latency is that of the machine. */
const BARE = `require('node:http').createServer({ keepAliveTimeout: 0 }, (_, reply) => reply.end('ok')).listen(Number(process.argv[1]), '127.0.0.1')`
const barePort = await freePort()
const bare = spawn(process.execPath, ['-e', BARE, String(barePort)], { stdio: 'ignore' })

const control: Kind = { name: 'bare server', share: 5, base: `http://127.0.0.1:${barePort}`, path: () => '/', good: [200] }

const kinds: Kind[] = [
  { name: 'kept page', share: 40, path: (turn) => ['/', '/about', '/services', '/blog'][turn % 4] ?? '/', good: [200] },
  { name: 'rendered page', share: 25, path: (turn) => `/?turn=${turn}`, good: [200, 503] },
  {
    name: 'query',
    share: 25,
    path: (turn) => ['/api/blog?q=price', '/api/data-products', '/api/contact/token'][turn % 3] ?? '/',
    good: [200, 503],
  },
  {
    name: 'enquiry',
    share: 7,
    method: 'POST',
    path: () => '/api/contact',
    body: (turn) => ({
      form: 'contact',
      name: 'Ada',
      email: `ada-${turn}@analytical.example`,
      country: 'France',
      problem: 'Lead Generation',
      message: `Prices of shop ${turn}.`,
    }),
    good: [201, 503],
  },
  {
    name: 'sign-in',
    share: 3,
    method: 'POST',
    path: () => '/auth/v1/token?grant_type=password',
    body: (turn) => ({ email: `nobody-${turn}@example.com`, password: 'correct horse battery' }),
    good: [400, 503],
  },
]
/** Each kind, repeated by its share of a hundred. */
const hundred = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-busy-'))
const base = `http://127.0.0.1:${await freePort()}`
const child = await serve(base, { DATA_DIR: folder, LOG_LEVEL: 'error' })
try {
  await untilFirstDatasets(base)
  // The first round is a warm-up.
  await load(REQUESTS / 10, 20)
  await sleep(Number(process.env['SETTLE_MS'] ?? 30_000))
  const before = memory()
  const results = []
  for (let round = 0; round < ROUNDS; round += 1) results.push(await load(REQUESTS, CONNECTIONS))
  const peak = memory()
  await sleep(60_000)
  const after = memory()
  const isInTime = results.map(report).every(Boolean)
  const ratio = after / before
  process.stdout.write(
    `memory: ${inMb(before)} before, ${inMb(peak)} at the end, ${inMb(after)} a minute later: ${ratio.toFixed(2)} (bar ${BAR_MEMORY})\n`,
  )
  process.exitCode = isInTime && ratio <= BAR_MEMORY ? 0 : 1
} finally {
  bare.kill()
  await end(child)
  rmSync(folder, { recursive: true, force: true })
}

type Answer = { kind: Kind; status: number; ms: number }

async function load(count: number, connections: number): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const workers = Array.from({ length: connections }, async () => {
    const [agent, other] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    while (next < count) {
      const turn = (next += 1)
      const kind = hundred[(turn * 37) % 100]
      if (kind) answers.push(await ask(kind, turn, agent))
      if (turn % 20 === 0) answers.push(await ask(control, turn, other))
    }
    agent?.destroy()
    other?.destroy()
  })
  await Promise.all(workers)
  return answers
}

function ask(kind: Kind, turn: number, agent: Agent | undefined): Promise<Answer> {
  const began = performance.now()
  const body = kind.body && JSON.stringify(kind.body(turn))
  const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : { 'accept-encoding': 'br' }
  return new Promise((resolve, reject) => {
    const asked = request(
      (kind.base ?? base) + kind.path(turn),
      { method: kind.method ?? 'GET', ...(agent && { agent }), headers },
      (reply) => {
        reply.resume().once('end', () => resolve({ kind, status: reply.statusCode ?? 0, ms: performance.now() - began }))
      },
    )
    asked.once('error', reject)
    asked.end(body)
  })
}

/** Prints the latency of each kind. Returns whether the total met its bar and no response was wrong. */
function report(answers: Answer[]): boolean {
  const of = (name: string) => answers.filter(({ kind }) => kind.name === name)
  const asked = answers.filter(({ kind }) => kind !== control)
  const [all, alone] = [at(asked, 0.99), at(of(control.name), 0.99)]
  const lines = [...kinds, control].map(({ name }) => line(name, of(name)))
  const load = loadavg().map((minutes) => minutes.toFixed(1))
  process.stdout.write(`${lines.join('\n')}\n${line('all', asked)} (bar ${BAR_MS} ms)\n`)
  process.stdout.write(
    `p99 of all: ${(all / Math.max(1, alone)).toFixed(1)} times that of the bare server; load average ${load.join(' ')}\n\n`,
  )
  const wrong = answers.filter(({ kind, status }) => !kind.good.includes(status))
  for (const { kind, status } of wrong.slice(0, 5)) process.stdout.write(`${kind.name}: ${status}\n`)
  return wrong.length === 0 && all <= BAR_MS
}

function line(name: string, answers: Answer[]): string {
  const [served, refused] = [200, 503].map((status) => answers.filter((answer) => (answer.status === 503) === (status === 503)))
  const longest = at(answers, 1)
  return `${name.padEnd(14)} served ${late(served)}; refused ${late(refused)}; p99 ${at(answers, 0.99)} ms, longest ${longest} ms`
}

function late(answers: Answer[] = []): string {
  return `${String(answers.length).padStart(5)} (p50 ${at(answers, 0.5)} ms, p99 ${at(answers, 0.99)} ms)`
}

function at(answers: Answer[], share: number): number {
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
}

function memory(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
