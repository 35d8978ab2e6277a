// 300 hostile values put into every field of an enquiry, by the API and by the page: how many break it, or reveal internals.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Server, startServer } from '#test/e2e/server.ts'
import { hostileValues } from '#test/hostile.ts'

const VALUES = Number(process.env['VALUES'] ?? 300)
const AT_ONCE = 8
const INSIDE = /at .{0,80}\.(ts|js):\d|node_modules|PostgresError|syntax error|violates|invalid byte|relation "/

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  country: 'United Kingdom',
  problem: 'Lead Generation',
  message: 'We compare prices by hand and would like a table instead.',
}
const forms = ['contact', 'home', 'landing', 'hire']
const fields = [...Object.keys(ada), 'budget', 'timeframe', 'company', 'form', 'idempotencyKey', 'homepage', 'token', 'proof']
const pages = ['/contact', '/?index', '/get-started', '/hire-web-scraping-developer']

type Attack = { where: string; value: unknown; accepted: number[]; request: () => Request }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-hostile-'))
const server = await startServer({ DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' })
try {
  const values = hostileValues(VALUES)
  const attacks = values.flatMap((value, index) => [...againstApi(server, value, index), ...againstPages(server, value)])
  const broken = await run(attacks)
  for (const line of broken.slice(0, 20)) process.stdout.write(`${line}\n`)
  process.stdout.write(`${values.length} hostile values in ${fields.length} fields and ${pages.length} pages, ${attacks.length} requests: `)
  process.stdout.write(`${broken.length} broke or showed something (bar 0)\n`)
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function againstApi({ url }: Server, value: unknown, index: number): Attack[] {
  const headers = { 'content-type': 'application/json' }
  return fields.map((field) => {
    const body = JSON.stringify({ form: forms[index % forms.length], ...ada, [field]: value })
    return {
      where: `API ${field}`,
      value,
      accepted: [201, 422],
      request: () => new Request(`${url}/api/contact`, { method: 'POST', headers, body }),
    }
  })
}

function againstPages({ url }: Server, value: unknown): Attack[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url }
  return pages.flatMap((page) =>
    Object.keys(ada).map((field) => {
      const body = new URLSearchParams({ ...ada, [field]: text })
      const request = () => new Request(`${url}${page}`, { method: 'POST', headers, body, redirect: 'manual' })
      return { where: `${page} ${field}`, value, accepted: [303, 422], request }
    }),
  )
}

async function run(attacks: Attack[]): Promise<string[]> {
  const broken: string[] = []
  const left = attacks.values()
  const worker = async () => {
    for (const { where, value, accepted, request } of left) {
      const reply = await fetch(request())
      const body = await reply.text()
      if (!accepted.includes(reply.status) || INSIDE.test(body))
        broken.push(`${where}: ${reply.status} for ${JSON.stringify(value).slice(0, 80)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return broken
}
