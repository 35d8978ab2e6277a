import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'
import { signalWith } from '#app/platform/signals.server.ts'

export const REDIRECTS_CHANGED = 'redirects.changed'

/** Whoever changes the list holds this advisory lock, so that two changes at once come one after the other. */
const LIST_LOCK = 1_467_511_416

/**
 * Call it before anything of the list is read or written in a transaction: nobody else changes it until that ends, and every process reads the list again
 * when it is kept. `from` names a process that does so by itself.
 */
export async function takeRedirects(trx: Trx, from: string | null = null): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LIST_LOCK})`.execute(trx)
  await signalWith(trx, REDIRECTS_CHANGED, from)
}
