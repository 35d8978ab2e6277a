import { propertyOf } from '#app/platform/errors/property.ts'
import { log } from '#app/platform/process/log.server.ts'
import { dropDerived, findDerived, listDerived, makeDerived, removeDerived } from '#app/platform/storage/derived-file.server.ts'
import { engineSignal, literal, queryDuckdb } from './engine.server.ts'
import { PLACE } from './layout.ts'
import { sourceOf } from './parquet-file.server.ts'
import { rowsWithin, type WrittenVersion } from './pieces.server.ts'
import { openRowFile, type RowFile, type RowFileShape, writeRowFile } from './row-file.server.ts'
import { rowAsJson } from './written-value.server.ts'

/** A block has the rows of a usual page, or fewer if they are very long. */
const BLOCK_ROWS = 100
const BLOCK_BYTES = 256 * 1024
/** The rows that one query writes: the texts of a piece are in memory. */
const PIECE_BYTES = 4 * 2 ** 20
/** Files of earlier releases, which are no longer read. */
const EARLIER = /-rows(-2)?$/

/**
 * Reads from the file of a version's rows, without a query. Undefined while there is none, or if it is damaged: rows are read from the
 * Parquet file then. The first request begins to make the file in the background.
 */
export async function readStored<T>(version: WrittenVersion, read: (file: RowFile) => Promise<T>): Promise<T | undefined> {
  try {
    const place = await findDerived(nameOf(version.id))
    if (place) {
      await using file = await openRowFile(place, shapeOf(version))
      return await read(file)
    }
    void make(version)
  } catch (error) {
    await drop(version.id, error)
  }
  return undefined
}

/** A file that has just made room for others is only made again, and one that the system cannot open now, such as with too many open files, stays. */
async function drop(versionId: string, error: unknown): Promise<void> {
  if (/^(ENOENT|EMFILE|ENFILE|ENOMEM)$/.test(propertyOf(error, 'code'))) return
  log.warn({ err: error, versionId }, 'the file of rows of a dataset is unusable')
  await dropDerived(nameOf(versionId))
}

async function make(version: WrittenVersion): Promise<void> {
  const signal = engineSignal()
  await makeDerived(nameOf(version.id), version.originalBytes, signal, async (unfinished) => {
    for (const name of await listDerived('')) if (EARLIER.test(name)) await removeDerived(name)
    await writeRowFile(unfinished, shapeOf(version), blocksOf(version, signal))
  })
}

/** The texts of the blocks, from one query for several of them. */
async function* blocksOf(version: WrittenVersion, signal: AbortSignal): AsyncGenerator<string> {
  const { blockRows } = shapeOf(version)
  const source = await sourceOf(version)
  const step = blockRows * Math.max(1, Math.floor(rowsWithin(PIECE_BYTES, version) / blockRows))
  for (let from = 0; from < version.rows; from += step) {
    const rows = `SELECT *, ${PLACE} FROM ${source.from} WHERE ${PLACE} >= ${from} AND ${PLACE} < ${from + step}`
    const sql = `SELECT ${PLACE} // ${blockRows} AS block, string_agg(${rowAsJson(source.columns)}, ${literal('\n')} ORDER BY ${PLACE}) AS text
      FROM (${rows}) GROUP BY 1 ORDER BY 1`
    for (const { text } of await queryDuckdb(sql, [], { queue: 'work', signal })) yield `${String(text)}\n`
  }
}

function shapeOf(version: WrittenVersion): RowFileShape {
  return { rows: version.rows, blockRows: Math.min(BLOCK_ROWS, rowsWithin(BLOCK_BYTES, version)) }
}

function nameOf(versionId: string): string {
  return `${versionId}-rows-3`
}
