// Sign-ins and renewals per second, whether an account can be told by how long a refusal takes, and whether ten tabs that renew at once stay signed in.
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
const RENEWALS = Number(process.env['RENEWALS'] ?? 1000)
/** Of the median: far below what the way to a server adds by chance. */
const MOST_DIFFERENCE = 0.1
const PASSWORD = 'correct horse'

type Session = { access_token: string; refresh_token: string }

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-auth-'))
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off', MAILER_AUTOCONFIRM: 'true', SMTP_MAX_FREQUENCY: '0' })
try {
  const [tabs, differences, rates] = [await renewInTabs(), await compareRefusals(), await measureRates()]
  process.exitCode = printFigures([...tabs, ...differences, ...rates]) ? 0 : 1
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** All tabs of a browser hold one token; each sends what it holds when it begins, and hears of the next one late. */
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

/** The same wrong password for accounts of every kind, one after the other. */
async function compareRefusals() {
  await signUp('known@example.com')
  const key = serviceKey()
  for (const [email, more] of [
    ['banned@example.com', { password: PASSWORD, email_confirm: true, ban_duration: '24h' }],
    ['unconfirmed@example.com', { password: PASSWORD }],
  ] as const) {
    const { status } = await ask('/admin/users', { email, ...more }, key)
    if (status !== 200) throw new Error(`${email} was not made: ${status}`)
  }
  const kinds = ['known', 'unknown', 'banned', 'unconfirmed']
  const times = new Map<string, number[]>(kinds.flatMap((kind) => [`password, ${kind}`, `recover, ${kind}`].map((way) => [way, []])))
  for (let turn = 0; turn < TRIES; turn += 1) {
    for (const kind of kinds) {
      const email = `${kind}@example.com`
      times.get(`password, ${kind}`)?.push(await timed('/token?grant_type=password', { email, password: `wrong ${turn}` }))
      times.get(`recover, ${kind}`)?.push(await timed('/recover', { email }))
    }
  }
  return [...times].map(([way, found]) => {
    const usual = median(times.get(way.replace(/, .*/, ', known')) ?? [])
    const difference = median(found) / usual - 1
    const isHeld = way.startsWith('password')
    return {
      what: `${way}: median of ${TRIES}, and against a known account`,
      found: `${median(found).toFixed(2)} ms, ${(difference * 100).toFixed(1)} %`,
      ...(isHeld && { bar: `at most ${MOST_DIFFERENCE * 100} %`, ok: Math.abs(difference) <= MOST_DIFFERENCE }),
    }
  })
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

/** With which a program of the operator administers accounts. */
function serviceKey(): string {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return execFileSync(process.execPath, ['build/server/index.js', 'service-key'], { env, encoding: 'utf8' }).trim()
}

async function signUp(email: string): Promise<Session> {
  const { status, body } = await ask('/signup', { email, password: PASSWORD })
  if (status !== 200) throw new Error(`${email} was not signed up: ${status}`)
  return body
}

async function timed(address: string, content: object): Promise<number> {
  const begun = performance.now()
  await ask(address, content)
  return performance.now() - begun
}

async function ask(address: string, content: object, key?: string): Promise<{ status: number; body: Session }> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const reply = await fetch(`${server.url}/auth/v1${address}`, { method: 'POST', headers, body: JSON.stringify(content) })
  return { status: reply.status, body: await reply.json() }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
