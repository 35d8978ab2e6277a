import { cpSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { putFile, removeFile } from '#app/platform/storage/storage.server.ts'
import { bucketPlace, withBucket } from './bucket-place.server.ts'

const FOLDER = 'invoice-numbers'

export type InvoiceNumber = { series: string; year: number; serial: number }

/** A small file for each number, outside of the database, so that a restored backup does not issue it again. */
function keyOf({ series, year, serial }: InvoiceNumber): string {
  return `${FOLDER}/${series.toLowerCase() || 'plain'}/${year}/${serial}.json`
}

function numberIn(key: string): InvoiceNumber[] {
  const [, series = '', year, serial] = /(?:^|\/)invoice-numbers\/([a-z\d-]+)\/(\d{4})\/(\d+)\.json$/.exec(key) ?? []
  return year && serial ? [{ series: series === 'plain' ? '' : series.toUpperCase(), year: Number(year), serial: Number(serial) }] : []
}

/** Writes a number into the file storage, and beside the backups where `BACKUP_TO` names their place. A document leaves only afterwards. */
export async function storeNumber(number: InvoiceNumber, facts: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(facts)}\n`)
  await putFile(keyOf(number), bytes)
  const place = env.BACKUP_TO && bucketPlace(env.BACKUP_TO)
  if (place) await withBucket(place, (bucket) => bucket.put(prefixOf(place.key) + keyOf(number), bytes))
}

/** Forgets a number of a test, whose series begins again. */
export async function removeNumber(number: InvoiceNumber): Promise<void> {
  await removeFile(keyOf(number))
  const place = env.BACKUP_TO && bucketPlace(env.BACKUP_TO)
  if (place) await withBucket(place, (bucket) => bucket.remove(prefixOf(place.key) + keyOf(number)))
}

/** The highest number of each series and year that has been issued: here, in the bucket of the files, and beside the backups. */
export async function listHighestNumbers(dataDir: string): Promise<InvoiceNumber[]> {
  const highest = new Map<string, InvoiceNumber>()
  for (const number of (await listKeys(dataDir)).flatMap(numberIn)) {
    const of = `${number.series} ${number.year}`
    if (number.serial > (highest.get(of)?.serial ?? 0)) highest.set(of, number)
  }
  return [...highest.values()]
}

async function listKeys(dataDir: string): Promise<string[]> {
  const folder = path.join(dataDir, 'files', FOLDER)
  const here = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${FOLDER}/${name.split(path.sep).join('/')}`)
    : []
  const files = env.S3_BUCKET ? await withBucket({ bucket: env.S3_BUCKET }, (bucket) => bucket.list(`${FOLDER}/`), 'files') : []
  const place = env.BACKUP_TO && bucketPlace(env.BACKUP_TO)
  const beside = place ? await withBucket(place, (bucket) => bucket.list(prefixOf(place.key) + FOLDER)) : []
  return [...here, ...files, ...beside]
}

function prefixOf(key: string): string {
  return key && `${key.replace(/\/+$/, '')}/`
}

/** The files of numbers that a backup is older than go along with what is restored. */
export function keepNumberFiles(dataDir: string, restored: string): void {
  const folder = path.join(dataDir, 'files', FOLDER)
  if (existsSync(folder)) cpSync(folder, path.join(restored, 'files', FOLDER), { recursive: true })
}

/** Counts on after the highest number that has been issued. Returns the series that the backup was behind. */
export async function continueAfter(trx: Trx, highest: readonly InvoiceNumber[]): Promise<InvoiceNumber[]> {
  const behind: InvoiceNumber[] = []
  for (const number of highest) {
    const { series, year, serial } = number
    const raised = await sql`
      INSERT INTO invoice_counters AS counter (series, year, last, last_on) VALUES (${series}, ${year}, ${serial}, ${`${year}-01-01`}::date)
      ON CONFLICT (series, year) DO UPDATE SET last = excluded.last WHERE counter.last < excluded.last RETURNING series`.execute(trx)
    if (raised.rows.length > 0) behind.push(number)
  }
  return behind
}

/** For whoever restores: which numbers exist that the backup does not know. */
export function behindSentence(behind: readonly InvoiceNumber[]): string {
  const next = behind.map(({ series, year, serial }) => `${series}${year}-${String(serial + 1).padStart(4, '0')}`)
  return next.length === 0 ? '' : ` Invoices were issued after this backup, so the next number is ${next.join(' and ')}.`
}
