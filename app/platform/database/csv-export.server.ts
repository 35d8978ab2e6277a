import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { env } from '#app/platform/env.server.ts'
import { copyStatement } from './copy-statement.server.ts'
import { CsvLines, headLine, type CsvPosition } from './csv-lines.ts'
import { copyBehind } from './replica.server.ts'

/** Rows of the first batch. */
const BATCH = 2_000
/**
 * Each batch costs the database a new query, so batches of short rows are larger. The embedded database reads a whole batch at once, while
 * requests wait.
 */
const LARGEST_BATCH = env.DATABASE_URL ? 20_000 : BATCH
/**
 * On PostgreSQL, a batch is cut after this many bytes, and the next one is smaller: a slow client leaves as much in memory. The embedded
 * database has read the whole batch by then, so its largest batch bounds the memory.
 */
const BATCH_BYTES = 6 * 1_048_576
/** In bytes. While more than this is unsent, no further batch is read. */
const READ_AHEAD = 1_048_576
const BOM = '\uFEFF'

type CsvFile = {
  head: string[]
  /** A query for at most `limit` rows that meet the condition, sorted by `created_at` and `id`, newest first. It selects `csvColumns`. */
  rows: (condition: RawBuilder<boolean>, limit: number) => RawBuilder<unknown>
  /** Whether a byte order mark comes first. */
  bom?: boolean
}

/** The columns of a row: these as texts, then its creation time and its id. */
export function csvColumns(names: string[]): RawBuilder<unknown> {
  return sql`${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}, created_at, id`
}

/** All rows as a CSV file, read in batches while it is sent. Each batch begins after the last row of the one before. */
export class CsvExport extends Readable {
  readonly #rows: CsvFile['rows']
  readonly #lines = new CsvLines((lines) => void this.push(lines))
  #size = BATCH
  #isReading = false

  constructor({ head, rows, bom }: CsvFile) {
    super({ highWaterMark: READ_AHEAD })
    this.#rows = rows
    this.push((bom ? BOM : '') + headLine(head))
  }

  override _read() {
    if (this.#isReading) return
    this.#readBatches().catch((error: Error) => this.destroy(error))
  }

  /** Reads until much is unsent, or until nothing is left. */
  async #readBatches() {
    this.#isReading = true
    do {
      if (!(await this.#readBatch())) continue
      this.#lines.flush()
      this.push(null)
      return
    } while (this.readableLength < READ_AHEAD && !this.destroyed)
    this.#isReading = false
  }

  /** Returns whether it was the last one. */
  async #readBatch(): Promise<boolean> {
    const lines = this.#lines
    const { count, bytes } = lines
    const size = this.#size
    let isCut = false
    // A replica that fails after some rows leaves the rest to the database.
    const statement = () => copyStatement(this.#rows(isAfter(lines.last), size - (lines.count - count)))
    await copyBehind(statement, (row) => {
      isCut ||= this.destroyed || lines.bytes - bytes >= BATCH_BYTES
      if (!isCut) lines.take(row)
    })
    const taken = lines.count - count
    if (taken < size && !isCut) return true
    const rowBytes = (lines.bytes - bytes) / taken
    this.#size = Math.min(LARGEST_BATCH, Math.max(1, Math.floor(BATCH_BYTES / rowBytes)))
    return false
  }
}

function isAfter(position: CsvPosition | undefined): RawBuilder<boolean> {
  return position ? sql`(created_at, id) < (${position.at}::timestamptz, ${position.id}::uuid)` : sql`true`
}
