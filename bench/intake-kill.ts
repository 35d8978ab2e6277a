// 200 kill -9 while enquiries come in from 8 senders: how many acknowledged ones are lost or duplicated, and whether each email is sent.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '#test/e2e/server.ts'
import { openMailServer } from '#test/mail-server.ts'
import { onEmbedded, type Run } from './engine.ts'
import { printFigures } from './figures.ts'

const KILLS = Number(process.env['KILLS'] ?? 200)
const SENDERS = 8

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-kill-'))
const mail = await openMailServer()
const settings = { DATA_DIR: dataDir, SMTP_URL: mail.url, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', OWNER_EMAIL: 'owner@example.com' }

let server: Server = await startServer(settings)
const intake = { open: true, cutOff: 0 }
const acknowledged = new Map<string, string>()

try {
  const senders = Array.from({ length: SENDERS }, sendUntilStopped)
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(50 + Math.random() * 800)
    await server.stop('SIGKILL')
    server = await startServer(settings)
    if (kill % 20 === 0) process.stderr.write(`  ${kill} kills, ${acknowledged.size} acknowledged, ${mail.received.length} emails\n`)
  }
  intake.open = false
  await Promise.all(senders)
  await untilQuiet()
  await server.stop()
  process.exitCode = (await report()) ? 0 : 1
} finally {
  await server.stop('SIGKILL')
  await mail.close()
  rmSync(dataDir, { recursive: true, force: true })
}

/** One sender, one enquiry after the other. Like the form, it resends an unacknowledged one under the same key. */
async function sendUntilStopped() {
  while (intake.open) {
    const key = randomUUID()
    while (!(await send(key))) await sleep(20)
  }
}

async function send(key: string): Promise<boolean> {
  const body = {
    name: 'Ada Lovelace',
    email: `ada-${key}@example.com`,
    country: 'United Kingdom',
    problem: 'Prices',
    message: `About lot ${key}.`,
  }
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const reply = await fetch(`${server.url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(noteCutOff)
  if (reply?.status === 503 || !reply) return false
  if (reply.status !== 201) throw new Error(`An enquiry was answered by ${reply.status}: ${await reply.text()}`)
  const receipt: { reference: string } | undefined = await reply.json().catch(noteCutOff)
  if (!receipt) return false
  acknowledged.set(key, receipt.reference)
  return true
}

/** A refused connection never started; any other failure is an interrupted attempt. */
function noteCutOff(error: unknown): undefined {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED')) intake.cutOff += 1
}

/** Longer than the lease of an email whose process was killed between sending and recording it. Such an email is sent again under its id. */
async function untilQuiet() {
  for (let before = -1; before !== mail.received.length; await sleep(70_000)) before = mail.received.length
}

async function report(): Promise<boolean> {
  const ids = new Set(mail.received.map(({ messageId }) => messageId))
  let passed = false
  await onEmbedded(dataDir).ask(async (run) => {
    const kept = await keptEnquiries(run)
    const lost = [...acknowledged].filter(([key, reference]) => kept.get(key) !== reference)
    const [count] = await run('SELECT count(*)::int AS rows, count(DISTINCT idempotency_key)::int AS keys FROM contacts')
    const [emails] = await run(`SELECT count(*)::int AS posted, count(done_at)::int AS done FROM jobs WHERE kind = 'letter'`)
    const doubled = Number(count?.['rows']) - Number(count?.['keys'])
    const unsent = Number(emails?.['posted']) - ids.size
    passed = printFigures([
      { what: 'kill -9 during intake', found: String(KILLS) },
      { what: 'enquiries acknowledged', found: String(acknowledged.size) },
      { what: 'attempts cut off on their way, and sent again', found: String(intake.cutOff) },
      { what: 'acknowledged enquiries lost', found: String(lost.length), bar: '0', ok: lost.length === 0 },
      { what: 'enquiries kept twice', found: String(doubled), bar: '0', ok: doubled === 0 },
      { what: 'emails posted', found: String(emails?.['posted']) },
      { what: 'emails never sent', found: String(unsent), bar: '0', ok: unsent === 0 },
      { what: 'emails marked as sent', found: String(emails?.['done']), bar: 'all', ok: emails?.['done'] === emails?.['posted'] },
      { what: 'sent again under the same Message-ID after a kill', found: String(mail.received.length - ids.size) },
    ])
  })
  return passed
}

async function keptEnquiries(run: Run): Promise<Map<unknown, unknown>> {
  const rows = await run('SELECT idempotency_key, reference FROM contacts')
  return new Map(rows.map((row) => [row['idempotency_key'], row['reference']]))
}
