import { type RawBuilder, sql } from 'kysely'
import { copyStatement } from '#app/platform/database/copy-statement.server.ts'
import { copyBehind } from '#app/platform/database/replica.server.ts'
import { cell, CsvLines, headLine, lineEnd, type LeadCursor } from '#app/leads/inbox/csv.ts'
import { filteredEvents } from './audit-choice.server.ts'
import type { AuditChoice } from './audit-log.ts'

/** Rows per batch. */
const BATCH = 2000

const columns = ['action', 'by', 'about', 'address', 'detail']

/** All matching events, newest first, as a CSV file in pieces. */
export async function* exportEvents(choice: AuditChoice): AsyncGenerator<string | Buffer> {
  const condition = await filteredEvents(choice)
  yield headLine(['Action', 'By', 'About', 'Address', 'Detail', 'At'])
  let after: LeadCursor | undefined
  for (;;) {
    const { bytes, count, last } = await readBatch(condition, after)
    yield bytes
    if (count < BATCH) return
    after = last
  }
}

/** A deleted account is named by its id. */
async function readBatch(condition: RawBuilder<unknown>, after: LeadCursor | undefined): Promise<CsvLines> {
  const rest = after ? sql`(created_at, id) < (${`${after.at}+00`}::timestamptz, ${after.id}::uuid)` : sql`true`
  const nameOf = (id: RawBuilder<unknown>) => sql`coalesce(
    (SELECT email::text FROM users WHERE users.id = ${id}), (SELECT email::text FROM hosted_accounts WHERE hosted_accounts.id = ${id}), ${id}::text)`
  const rows = sql`
    SELECT ${sql.join(columns.map(cell))}, ${lineEnd} FROM (
      SELECT id, action, address, detail, created_at, ${nameOf(sql`actor_id`)} AS by, ${nameOf(sql`subject_id`)} AS about
      FROM audit_events WHERE ${condition} AND ${rest} ORDER BY created_at DESC, id DESC LIMIT ${BATCH}
    ) AS listed ORDER BY created_at DESC, id DESC`
  return copyBehind(copyStatement(rows, columns), () => new CsvLines())
}
