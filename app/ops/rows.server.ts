import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { CatalogTable } from './catalog.server.ts'

const BATCH = 1000

/**
 * The rows of a table in key order, in batches. A row is a line: a JSON array of its columns in PostgreSQL's text format, which is
 * lossless between engines and versions.
 */
export async function* linesOf(trx: Trx, table: CatalogTable): AsyncGenerator<string[]> {
  const columns = sql.join(table.columns.map(({ name }) => sql`${sql.id(name)}::text`))
  // Byte order is the same on every server. Ids already have it, so their index serves.
  const isId = (name: string) => table.columns.some((column) => column.name === name && column.type === 'uuid')
  const order = sql.join(table.key.map((name) => (isId(name) ? sql.id(name) : sql`${sql.id(name)}::text COLLATE "C"`)))
  await sql`DECLARE lines CURSOR FOR SELECT json_build_array(${columns})::text AS line FROM ${sql.id(table.name)} ORDER BY ${order}`.execute(
    trx,
  )
  for (;;) {
    const rows = await queryRows(trx, { line: z.string() }, sql`FETCH ${sql.lit(BATCH)} FROM lines`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
  }
  await sql`CLOSE lines`.execute(trx)
}

/** Inserts rows that `linesOf` wrote for the same columns. */
export async function insertLines(trx: Trx, table: CatalogTable, lines: string[]): Promise<void> {
  const columns = sql.join(table.columns.map(({ name }) => sql.id(name)))
  const values = sql.join(table.columns.map(({ type }, at) => sql`(line ->> ${sql.lit(at)})::${sql.raw(type)}`))
  // `json` would parse each line once per column. All values are strings, which `jsonb` preserves.
  await sql`
    INSERT INTO ${sql.id(table.name)} (${columns})
    SELECT ${values} FROM jsonb_array_elements(${`[${lines.join(',')}]`}::jsonb) AS line`.execute(trx)
}

/** Removes the statement timeout for this transaction. */
export async function takeYourTime(trx: Trx): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`.execute(trx)
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
}
