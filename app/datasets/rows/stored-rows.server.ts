import { propertyOf } from '#app/platform/property.ts'
import { log } from '#app/platform/log.server.ts'
import { dropDerived, findDerived, makeDerived } from '#app/platform/storage/derived-file.server.ts'
import { engineSignal, literal, queryDuckdb } from './engine.server.ts'
import { PLACE } from './layout.ts'
import { sourceOf } from './parquet-file.server.ts'
import { rowsWithin, type WrittenVersion } from './pieces.server.ts'
import { openRowFile, type RowFile, SEPARATOR, writeRowFile } from './row-file.server.ts'
import { rowAsJson } from './written-value.server.ts'

/** A block has the rows of a usual page, or fewer if they are very long. */
const BLOCK_ROWS = 100
const BLOCK_BYTES = 256 * 1024
/** The rows that one query writes: the texts of a piece are in memory. */
const PIECE_BYTES = 4 * 2 ** 20

const MOST_KNOWN = 32
const CHECKED_MS = 60_000

type Kept = { file: Promise<RowFile | undefined>; checkedMs: number; isGrowing: boolean }

/** The least recently opened first. */
const kept = new Map<string, Kept>()

/**
 * The file of a version's rows, from which a page is read without a query. Undefined while there is none: the first request begins to
 * make it in the background. Until it is finished, it has only the first `rows`.
 */
export async function storedRows(version: WrittenVersion): Promise<RowFile | undefined> {
  const known = kept.get(version.id)
  if (!known) return keep(version.id, openOrMake(version))
  if (known.isGrowing || Date.now() - known.checkedMs < CHECKED_MS) return known.file
  known.checkedMs = Date.now()
  // Found again, it is marked as used. It is gone if other files have needed the room.
  const file = await known.file
  if (file && (await findDerived(nameOf(version.id)))) return file
  return keep(version.id, openOrMake(version))
}

/** After a failure: rows are read from the Parquet file again. A file that has made room for others is only made again. */
export async function dropStoredRows(versionId: string, error: unknown): Promise<void> {
  kept.delete(versionId)
  if (propertyOf(error, 'code') === 'ENOENT') return
  log.warn({ err: error, versionId }, 'the file of rows of a dataset is unusable')
  await dropDerived(nameOf(versionId))
}

function keep(id: string, file: Promise<RowFile | undefined>, isGrowing = false): Promise<RowFile | undefined> {
  kept.delete(id)
  const [oldest] = [...kept].flatMap(([each, known]) => (known.isGrowing ? [] : [each]))
  if (oldest !== undefined && kept.size >= MOST_KNOWN) kept.delete(oldest)
  kept.set(id, { file, checkedMs: Date.now(), isGrowing })
  return file
}

async function openOrMake(version: WrittenVersion): Promise<RowFile | undefined> {
  const name = nameOf(version.id)
  const place = await findDerived(name)
  if (!place) {
    void make(version, name)
    return undefined
  }
  return openRowFile(place).catch(async (error: unknown) => {
    await dropStoredRows(version.id, error)
    return undefined
  })
}

async function make(version: WrittenVersion, name: string): Promise<void> {
  const { id, rows, originalBytes } = version
  const blockRows = Math.min(BLOCK_ROWS, rowsWithin(BLOCK_BYTES, version))
  let growing: RowFile | undefined
  const begun = (file: RowFile) => void keep(id, Promise.resolve((growing = file)), true)
  const signal = engineSignal()
  const isMade = await makeDerived(name, originalBytes, signal, async (unfinished) =>
    writeRowFile(unfinished, { blockRows, rows }, blocksOf(version, blockRows, signal), begun),
  )
  if (growing && (await kept.get(id)?.file) === growing) kept.delete(id)
  if (isMade) await keep(id, openOrMake(version))
}

/** The texts of the blocks, from one query for several of them. */
async function* blocksOf(version: WrittenVersion, blockRows: number, signal: AbortSignal): AsyncGenerator<string> {
  const source = await sourceOf(version)
  const step = blockRows * Math.max(1, Math.floor(rowsWithin(PIECE_BYTES, version) / blockRows))
  for (let from = 0; from < version.rows; from += step) {
    const rows = `SELECT *, ${PLACE} FROM ${source.from} WHERE ${PLACE} >= ${from} AND ${PLACE} < ${from + step}`
    const sql = `SELECT ${PLACE} // ${blockRows} AS block, string_agg(${rowAsJson(source.columns)}, ${literal(SEPARATOR)} ORDER BY ${PLACE}) AS text
      FROM (${rows}) GROUP BY 1 ORDER BY 1`
    for (const { text } of await queryDuckdb(sql, [], { queue: 'work', signal })) yield String(text)
  }
}

/** The files of earlier releases have other blocks. They are not used, so they are the first to make room. */
function nameOf(versionId: string): string {
  return `${versionId}-rows-2`
}
