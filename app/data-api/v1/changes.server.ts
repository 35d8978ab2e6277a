import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Source, sourceOf } from '#app/datasets/rows/parquet-file.server.ts'
import { rowAsJson } from '#app/datasets/rows/written-value.server.ts'
import { queryDuckdb, literal } from '#app/datasets/rows/engine.server.ts'
import { renameDurably } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ChangePage } from './dataset.ts'
import type { Version } from './dataset.server.ts'

/** Files of changes are created once and cached. A missing one is created again. */
const MOST_KEPT = 40
const PATIENCE_MS = 40_000

const found = z.array(z.object({ added: z.boolean(), json: z.string() }))
const row = z.record(z.string(), z.unknown())

const underWay = new Map<string, Promise<void>>()

/**
 * Changes from one version to another: removed rows first, then added ones, each in file order. `after` is the position of the last
 * change read.
 */
export async function readChanges(from: Version, to: Version, { limit, after }: { limit: number; after: number }) {
  const file = await fileOf(from, to)
  const page = `SELECT added, json FROM read_parquet(${literal(file)}) WHERE place > ${after} AND place <= ${after + limit + 1} ORDER BY place`
  const rows = found.parse(await queryDuckdb(page))
  const data: ChangePage['data'] = rows
    .slice(0, limit)
    .map(({ added, json }) => ({ op: added ? 'added' : 'removed', row: row.parse(JSON.parse(json)) }))
  return { data, next: rows.length > limit ? after + limit : undefined }
}

/** Concurrent requests wait for a file that is being created, up to a limit. */
async function fileOf(from: Version, to: Version): Promise<string> {
  const folder = path.resolve(env.DATA_DIR, 'cache', 'changes')
  const file = path.join(folder, `${from.id}-${to.id}.parquet`)
  if (await stat(file).catch(() => undefined)) return file
  const making = underWay.get(file) ?? make(file, from, to).finally(() => underWay.delete(file))
  underWay.set(file, making)
  const isMade = await Promise.race([making.then(() => true), sleep(PATIENCE_MS, false, { ref: false })])
  if (isMade) return file
  return stop('unavailable', 'We are computing the changes between these versions. Please try again in a moment.', { retryAfter: 15 })
}

async function make(file: string, from: Version, to: Version): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const [before, after] = await Promise.all([sourceOf(from), sourceOf(to)])
  const aside = `${file}.${crypto.randomUUID()}`
  try {
    await queryDuckdb(`COPY (${difference(before, after)}) TO ${literal(aside)} (FORMAT parquet, ROW_GROUP_SIZE 20480)`, [], {
      queue: 'work',
    })
    await renameDurably(aside, file)
  } finally {
    await rm(aside, { force: true })
  }
  await forgetOldest(path.dirname(file)).catch((error: unknown) => log.warn({ err: error }, 'old files of changes could not be removed'))
}

/**
 * Rows are compared as they are sent, by the columns that both versions have. Each copy of a row cancels one copy in the other version
 * (EXCEPT ALL). Memory holds only a digest of each row meanwhile.
 */
function difference(before: Source, after: Source): string {
  const names = new Set(after.columns.map(({ name }) => name))
  const shared = before.columns.filter(({ name }) => names.has(name)).map(({ name }) => name)
  return `
    WITH old_keys AS (${keys(before, shared, 'old')}), new_keys AS (${keys(after, shared, 'new')}),
    changed AS (
      SELECT false AS added, place FROM old_keys ANTI JOIN new_keys USING (digest, copy)
      UNION ALL SELECT true, place FROM new_keys ANTI JOIN old_keys USING (digest, copy)
    ), written AS (
      SELECT added, changed.place, json FROM changed JOIN (${texts(before)}) AS source ON changed.place = source.place WHERE NOT added
      UNION ALL SELECT added, changed.place, json FROM changed JOIN (${texts(after)}) AS source ON changed.place = source.place WHERE added
    )
    SELECT row_number() OVER (ORDER BY added, place) - 1 AS place, added, json FROM written ORDER BY 1`
}

function keys({ from, columns }: Source, shared: readonly string[], side: string): string {
  const compared = shared.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  // Without a common column, no two rows are equal.
  const text = compared.length > 0 ? rowAsJson(compared) : literal(side)
  const digests = `SELECT md5_number(${text}) AS digest, file_row_number AS place FROM ${from}`
  return `SELECT digest, place, row_number() OVER (PARTITION BY digest ORDER BY place) AS copy FROM (${digests})`
}

function texts({ from, columns }: Source): string {
  return `SELECT file_row_number AS place, ${rowAsJson(columns)} AS json FROM ${from}`
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.parquet'))
  if (names.length <= MOST_KEPT) return
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(path.join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const oldest = files.toSorted((one, other) => one.at - other.at).slice(0, names.length - MOST_KEPT)
  for (const { name } of oldest) await rm(path.join(folder, name), { force: true })
}
