// Sign-ins and renewals per second, timing differences between kinds of accounts, and ten tabs that renew their session concurrently.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#test/e2e/server.ts'
import { printFigures } from './figures.ts'

const CONNECTIONS = 16
const SECONDS = Number(process.env['SECONDS'] ?? 8)
const TRIES = Number(process.env['TRIES'] ?? 500)
const TABS = 10
const TOLD = Number(process.env['TOLD'] ?? 2000)
const MOST_AREA = 0.55
const RENEWALS = Number(process.env['RENEWALS'] ?? 1000)
/**
 * The allowed difference between the medians of a kind of account and of a known one: far below network jitter. An email request takes a few
 * milliseconds, so one pause of the machine is a large part of it.
 */
const MOST_DIFFERENCE = { password: 0.1, recover: 0.2, otp: 0.2 }
type Way = keyof typeof MOST_DIFFERENCE

const PASSWORD = 'correct horse'
const ways = ['password', 'recover', 'otp'] as const
const kinds = ['known', 'unknown', 'passwordless', 'banned', 'unconfirmed'] as const
type Kind = (typeof kinds)[number]

/** The same requests for every kind of account. A code request creates an account, so each stranger appears once. */
const requests: Record<Way, (kind: Kind, turn: number) => Promise<number>> = {
  password: (kind, turn) => timed('/token?grant_type=password', { email: addressOf(kind), password: `wrong ${turn}` }, 400),
  recover: (kind) => timed('/recover', { email: addressOf(kind) }, 200),
  otp: (kind, turn) => timed('/otp', { email: addressOf(kind === 'unknown' ? `unknown-${turn}` : kind) }, 200),
}

type Session = { access_token: string; refresh_token: string }

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-auth-'))
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off', MAILER_AUTOCONFIRM: 'true', SMTP_MAX_FREQUENCY: '0' })
try {
  const [tabs, differences, told] = [await renewInTabs(), await compareRefusals(), await tellApart()]
  const rates = await measureRates()
  process.exitCode = printFigures([...tabs, ...differences, ...told, ...rates]) ? 0 : 1
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** All tabs of a browser share one token. Each sends its token at the start, and learns of the next one late. */
async function renewInTabs() {
  const jar = await signUp('tabs@example.com')
  const refused: string[] = []
  let left = RENEWALS
  const tab = async () => {
    while (left > 0) {
      left -= 1
      const held = jar.refresh_token
      await sleep(Math.random() * 1000)
      const { status, body } = await ask('/token?grant_type=refresh_token', { refresh_token: held })
      await sleep(Math.random() * 1000)
      if (status === 200) jar.refresh_token = body.refresh_token
      else refused.push(`${status} ${JSON.stringify(body)}`)
    }
  }
  await Promise.all(Array.from({ length: TABS }, tab))
  for (const answer of new Set(refused)) process.stdout.write(`refused: ${answer}\n`)
  const what = `${RENEWALS} renewals by ${TABS} tabs, 0 to 2 s late: refused`
  return [{ what, found: String(refused.length), bar: '0', ok: refused.length === 0 }]
}

/** Wrong passwords, and email requests. Each round has its own order, because the background work of one request delays the next. */
async function compareRefusals() {
  await makeAccounts()
  const times = new Map<string, number[]>(ways.flatMap((way) => kinds.map((kind) => [`${way}, ${kind}`, []])))
  for (const way of ways) {
    for (let turn = 0; turn < TRIES; turn += 1) {
      for (const kind of shuffled(kinds)) times.get(`${way}, ${kind}`)?.push(await requests[way](kind, turn))
    }
  }
  return ways.flatMap((way) => kinds.map((kind) => compared(way, kind, times)))
}

/**
 * The success rate of a guess by response time: the area under the curve, 0.5 by chance. Both cases use the same account for a change of
 * address.
 */
async function tellApart() {
  const asker = await signUp('asker@example.com')
  await signUp('holder@example.com')
  const rivals: Record<string, (isTaken: boolean, turn: number) => Promise<number>> = {
    'otp without creation': (isTaken, turn) =>
      timed('/otp', { email: isTaken ? 'holder@example.com' : `free-${turn}@example.com`, create_user: false }, 200),
    'a new address': (isTaken, turn) =>
      timed('/user', { email: isTaken ? 'holder@example.com' : `free-${turn}@example.com` }, 200, {
        method: 'PUT',
        key: asker.access_token,
      }),
  }
  const rows = []
  for (const [what, request] of Object.entries(rivals)) {
    const times = { taken: [] as number[], free: [] as number[] }
    for (let turn = 0; turn < TOLD; turn += 1) {
      for (const isTaken of shuffled([true, false])) times[isTaken ? 'taken' : 'free'].push(await request(isTaken, turn))
    }
    const found = areaUnderCurve(times.taken, times.free)
    rows.push({
      what: `${what}: an address with an account told from one without, ${TOLD} samples of each`,
      found: `AUC ${found.toFixed(3)}`,
      bar: `at most ${MOST_AREA}`,
      ok: Math.max(found, 1 - found) <= MOST_AREA,
    })
  }
  return rows
}

/** The share of pairs in which the first of the two took longer. */
function areaUnderCurve(one: number[], other: number[]): number {
  const ranked = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))].toSorted((a, b) => a.ms - b.ms)
  const ranks = ranked.reduce((sum, { isOne }, index) => sum + (isOne ? index + 1 : 0), 0)
  return (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length)
}

function shuffled<T>(values: readonly T[]): T[] {
  const drawn = values.map((value) => ({ value, place: Math.random() }))
  return drawn.toSorted((one, other) => one.place - other.place).map(({ value }) => value)
}

function compared(way: Way, kind: Kind, times: ReadonlyMap<string, number[]>) {
  const [found, usual] = [median(times.get(`${way}, ${kind}`) ?? []), median(times.get(`${way}, known`) ?? [])]
  const difference = found / usual - 1
  return {
    what: `${way}, ${kind}: median of ${TRIES}, and against a known account`,
    found: `${found.toFixed(2)} ms, ${(difference * 100).toFixed(1)} %`,
    bar: `at most ${MOST_DIFFERENCE[way] * 100} %`,
    ok: Math.abs(difference) <= MOST_DIFFERENCE[way],
  }
}

/** One of each kind but the unknown. An account created by a code has no password. */
async function makeAccounts() {
  await signUp(addressOf('known'))
  const key = serviceKey()
  const given: [Kind, object][] = [
    ['banned', { password: PASSWORD, email_confirm: true, ban_duration: '24h' }],
    ['unconfirmed', { password: PASSWORD }],
  ]
  for (const [kind, more] of given) {
    const { status } = await ask('/admin/users', { email: addressOf(kind), ...more }, key)
    if (status !== 200) throw new Error(`${kind} was not made: ${status}`)
  }
  await ask('/otp', { email: addressOf('passwordless') })
  const headers = { authorization: `Bearer ${key}` }
  for (const end = Date.now() + 10_000; ; await sleep(100)) {
    const reply = await fetch(`${server.url}/auth/v1/admin/users?filter=passwordless`, { headers })
    if (reply.headers.get('x-total-count') === '1') return
    if (Date.now() > end) throw new Error('A code request created no account.')
  }
}

function addressOf(name: string): string {
  return `${name}@example.com`
}

async function measureRates() {
  const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => signUp(`rate-${index}@example.com`)))
  const signIns = await perSecond((index) => ask('/token?grant_type=password', { email: `rate-${index}@example.com`, password: PASSWORD }))
  const renewals = await perSecond(async (index) => {
    const session = sessions[index]
    const answer = await ask('/token?grant_type=refresh_token', { refresh_token: session?.refresh_token })
    if (session) session.refresh_token = answer.body.refresh_token
    return answer
  })
  return [
    { what: `sign-ins by password per second, ${CONNECTIONS} connections, argon2id 19 MiB x 2`, found: signIns.toFixed(0) },
    { what: `renewals per second, ${CONNECTIONS} connections`, found: renewals.toFixed(0) },
  ]
}

async function perSecond(work: (index: number) => Promise<{ status: number }>): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const connection = async (index: number) => {
    while (performance.now() < end) {
      const { status } = await work(index)
      if (status !== 200) throw new Error(`answered by ${status}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => connection(index)))
  return done / SECONDS
}

/** The key of an operator's program that administers accounts. */
function serviceKey(): string {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return execFileSync(process.execPath, ['build/server/index.js', 'service-key'], { env, encoding: 'utf8' }).trim()
}

async function signUp(email: string): Promise<Session> {
  const { status, body } = await ask('/signup', { email, password: PASSWORD })
  if (status !== 200) throw new Error(`${email} was not signed up: ${status}`)
  return body
}

async function timed(address: string, content: object, expected: number, { method = 'POST', key }: Manner = {}): Promise<number> {
  const begun = performance.now()
  const { status } = await ask(address, content, key, method)
  const taken = performance.now() - begun
  if (status !== expected) throw new Error(`${address} answered by ${status}`)
  return taken
}

type Manner = { method?: string; key?: string }

async function ask(address: string, content: object, key?: string, method = 'POST'): Promise<{ status: number; body: Session }> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const reply = await fetch(`${server.url}/auth/v1${address}`, { method, headers, body: JSON.stringify(content) })
  return { status: reply.status, body: await reply.json() }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
