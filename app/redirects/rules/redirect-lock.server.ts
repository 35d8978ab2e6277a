import { sql } from 'kysely'
import type { Trx } from '#app/platform/database/db.server.ts'
import { signalWith } from '#app/platform/database/signals.server.ts'

export const REDIRECTS_CHANGED = 'redirects.changed'

/** The advisory lock that serializes changes of the list. */
const LIST_LOCK = 1_467_511_416

/**
 * Call it before the transaction reads or writes the list. It locks the list until the end of the transaction; on commit every process
 * rereads it. `from` names a process that rereads it without this signal.
 */
export async function lockRedirects(trx: Trx, from: string | null = null): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LIST_LOCK})`.execute(trx)
  await signalWith(trx, REDIRECTS_CHANGED, from)
}
