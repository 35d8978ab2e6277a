import { symbols } from 'pino'
import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { log } from '#app/platform/process/log.server.ts'

type Secret = { name: string; forms: string[] }

/** Secrets by name, each in plain form and encoded for an address, a cookie, JSON or base64. */
export function makeSafe() {
  const secrets: Secret[] = []
  return {
    count: () => secrets.length,
    plant(name: string, value: string) {
      if (value.length < 8) throw new Error(`${name} is too short to be told from anything else: "${value}"`)
      secrets.push({ name, forms: formsOf(value) })
    },
    /** The names of the secrets in a text, among the first so many. */
    findIn(text: string, among = secrets.length): string[] {
      return secrets.slice(0, among).flatMap(({ name, forms }) => (forms.some((form) => text.includes(form)) ? [name] : []))
    },
  }
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const inJson = JSON.stringify(value).slice(1, -1)
  const inAddress = encodeURIComponent(value)
  const encoded = [bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
  return [...new Set([value, inJson, inAddress, inAddress.replaceAll('%20', '+'), ...encoded])]
}

/** Captures all log output from now on. */
export function overhearLog(): string[] {
  const lines: string[] = []
  Reflect.set(log, symbols.streamSym, { write: (line: string) => lines.push(line) })
  return lines
}

/** Each table with all of its rows, as PostgreSQL writes them: bytes are in hex. */
export async function dumpDatabase(): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db)
  const tables = new Map<string, string>()
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(name)} AS t`.execute(db)
    tables.set(name, found.rows.map(({ row }) => row).join('\n'))
  }
  return tables
}
