import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { Redirect } from './redirect.ts'
import { lockRedirects } from './redirect-lock.server.ts'
import { readRules, processId } from './rules.server.ts'

/** The engine stays fast up to this number; a longer list needs another data structure. */
export const MOST_REDIRECTS = 20_000

/** All redirects in matching order. */
export async function listRedirects(connection: Database | Trx = db): Promise<Redirect[]> {
  const rows = await connection.selectFrom('redirects').selectAll().orderBy('position').limit(MOST_REDIRECTS).execute()
  return rows.map(toRedirect)
}

/** Runs one change of the list under its lock and notifies every process. In this process it applies on return. */
export async function changeRedirects<T>(change: (trx: Trx) => Promise<T>): Promise<T> {
  const answer = await transaction(async (trx) => {
    await lockRedirects(trx, processId)
    return change(trx)
  })
  await readRules()
  return answer
}

export function toRedirect({ createdAt, lastHitAt, ...row }: Row<'redirects'>): Redirect {
  return { ...row, lastHitAt: lastHitAt?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}
