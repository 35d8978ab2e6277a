import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { env } from '#app/platform/env.server.ts'
import { copyStatement } from './copy-statement.server.ts'
import { CsvLines, type CsvPosition, headLine } from './csv-lines.ts'
import { copyBehind } from './replica.server.ts'

const FIRST_BATCH_ROWS = 2_000
/**
 * Each batch costs the database a new query, so batches of short rows are larger. The embedded database runs a batch without a pause, and
 * requests wait meanwhile, so its batches stay small.
 */
const LARGEST_BATCH_ROWS = env.DATABASE_URL ? 20_000 : FIRST_BATCH_ROWS
/**
 * A batch is cut after this many bytes, which bounds the memory of a slow client. The database still sends the rest of the batch, which is
 * discarded; the next batch reads it again.
 */
const BATCH_BYTES = 6 * 1_048_576
/** Of a batch to the next one, because a few short rows do not tell that the others are short. */
const MOST_GROWTH = 4
/** While more than this is unsent, no further batch is read. */
const READ_AHEAD_BYTES = 1_048_576
const BOM = '\uFEFF'

type CsvSource = {
  head: string[]
  /** A query for at most `limit` rows that meet the condition, sorted by `created_at` and `id`, newest first. It selects `csvColumns`. */
  queryFor: (condition: RawBuilder<boolean>, limit: number) => RawBuilder<unknown>
  /** Whether a byte order mark comes first. */
  bom?: boolean
}

/** The columns of a row: the named ones as text, then its creation time and id. */
export function csvColumns(names: string[]): RawBuilder<unknown> {
  return sql`${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}, created_at, id`
}

/**
 * A CSV file, read in batches while it is sent; nothing is read before the first byte is asked for. Each batch begins after the last row of
 * the previous one.
 */
export class CsvExport extends Readable {
  readonly #queryFor: CsvSource['queryFor']
  readonly #lines: CsvLines
  #batchRows = FIRST_BATCH_ROWS
  #isReading = false

  constructor({ head, queryFor, bom }: CsvSource) {
    super({ highWaterMark: READ_AHEAD_BYTES })
    this.#queryFor = queryFor
    // The head waits for the first rows, so that a query that fails can still be answered with an error.
    this.#lines = new CsvLines((bom ? BOM : '') + headLine(head), (lines) => void this.push(lines))
  }

  override _read() {
    if (this.#isReading) return
    this.#readBatches().catch((error: Error) => this.destroy(error))
  }

  /**
   * Reads batches until much is unsent, or no rows are left. The stream asks again only after something was pushed, so short
   * batches, whose lines are still gathered, follow each other.
   */
  async #readBatches() {
    this.#isReading = true
    let isLast: boolean
    do isLast = await this.#readBatch()
    while (!isLast && this.readableLength < this.readableHighWaterMark && !this.destroyed)
    this.#isReading = false
    if (!isLast) return
    this.#lines.flush()
    this.push(null)
  }

  /** Returns whether this batch was the last. */
  async #readBatch(): Promise<boolean> {
    const lines = this.#lines
    const { count, bytes } = lines
    const batchRows = this.#batchRows
    let isCut = false
    // A replica that fails after some rows leaves the rest to the database.
    const newStatement = () => {
      const rowsLeft = isCut || this.destroyed ? 0 : batchRows - (lines.count - count)
      return rowsLeft > 0 ? copyStatement(this.#queryFor(after(lines.last), rowsLeft)) : undefined
    }
    await copyBehind(newStatement, (row) => {
      isCut ||= this.destroyed || lines.bytes - bytes >= BATCH_BYTES
      if (!isCut) lines.take(row)
    })
    if (this.destroyed) return false
    const taken = lines.count - count
    if (taken < batchRows && !isCut) return true
    const rowBytes = (lines.bytes - bytes) / taken
    this.#batchRows = Math.min(LARGEST_BATCH_ROWS, MOST_GROWTH * batchRows, Math.max(1, Math.floor(BATCH_BYTES / rowBytes)))
    return false
  }
}

function after(position: CsvPosition | undefined): RawBuilder<boolean> {
  return position ? sql`(created_at, id) < (${position.createdAt}::timestamptz, ${position.id}::uuid)` : sql`true`
}
