import { type RawBuilder, sql } from 'kysely'
import { env } from '#app/platform/env.server.ts'
import { copyBehind } from '#app/platform/database/replica.server.ts'
import { copyStatement } from '#app/platform/database/copy-statement.server.ts'
import { csvColumns, CsvLines, headLine, isAfter, type RowPosition } from '#app/platform/database/csv-lines.ts'
import { leadFieldNames, leadFields } from '#app/leads/lead-fields.ts'
import { matching } from '#app/platform/search-words.server.ts'
import { all } from './lead-count.server.ts'
import { filteredLeads } from './lead-list.server.ts'
import type { ContactQuery } from './lead-query.ts'
import { consultationTable, contactTable, type LeadExportTable } from './lead-table.server.ts'

/** Rows of the first batch. */
const BATCH = 2_000
/**
 * Each batch costs the database a new query, so batches of short rows are larger. The embedded database reads a whole batch at once, while
 * requests wait.
 */
const LARGEST_BATCH = env.DATABASE_URL ? 20_000 : 6_000
/**
 * On PostgreSQL, a batch is cut after this many bytes, and the next one is smaller: two batches are in memory. The embedded database has read
 * the whole batch by then, so its largest batch bounds the memory.
 */
const BATCH_BYTES = 6 * 1_048_576
const BOM = '\uFEFF'

type Export = { table: LeadExportTable<'createdAt'>; head: string[]; columns: string[]; conditions: RawBuilder<boolean>[] }
type Choice = Pick<ContactQuery, 'q' | 'filter' | 'service'>

/** All matching enquiries, newest first, as a CSV file in pieces. */
export function exportContacts({ q, ...choice }: Choice, bom: boolean): AsyncGenerator<string | Buffer> {
  const fields = leadFieldNames.flatMap((name) => {
    const { csvHead } = leadFields[name]
    return csvHead === null ? [] : [{ csvHead, column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }]
  })
  const head = [...fields.map(({ csvHead }) => csvHead), 'Created At']
  const columns = fields.map(({ column }) => column)
  return writeCsv({ table: contactTable, head, columns, conditions: [...matching(q), ...filteredLeads(choice)] }, bom)
}

/** All matching consultations, newest first, as a CSV file in pieces. */
export function exportConsultations({ q }: Pick<Choice, 'q'>, bom: boolean): AsyncGenerator<string | Buffer> {
  const columns = ['name', 'email', 'company', 'phone', 'project_description']
  const head = ['Name', 'Email', 'Company', 'Phone', 'Project Description', 'Created At']
  return writeCsv({ table: consultationTable, head, columns, conditions: matching(q) }, bom)
}

/** While one batch is sent, the next is read. */
async function* writeCsv(wanted: Export, bom: boolean): AsyncGenerator<string | Buffer> {
  yield (bom ? BOM : '') + headLine(wanted.head)
  let size = BATCH
  let reading = readBatch(wanted, size)
  for (;;) {
    const { pieces, bytes, count, isCut, last } = await reading
    const isLast = count < size && !isCut
    if (!isLast) {
      size = nextSize(bytes / count)
      reading = readBatch(wanted, size, last)
    }
    // When the client disconnects, nothing awaits the running batch: its failure must not end the process.
    reading.catch(() => undefined)
    yield* pieces
    if (isLast) return
  }
}

/** Rows of the next batch, given the bytes of a row so far. */
function nextSize(rowBytes: number): number {
  return Math.min(LARGEST_BATCH, Math.max(1, Math.floor(BATCH_BYTES / rowBytes)))
}

async function readBatch({ table, columns, conditions }: Export, size: number, after?: RowPosition): Promise<CsvLines> {
  const rows = sql`
    SELECT ${csvColumns(columns)} FROM ${sql.table(table.name)}
    WHERE ${table.listed} AND ${all(conditions)} AND ${isAfter(after)}
    ORDER BY created_at DESC, id DESC LIMIT ${size}`
  return copyBehind(copyStatement(rows), () => new CsvLines(BATCH_BYTES))
}
