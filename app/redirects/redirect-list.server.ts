import { type Database, db, transaction, type Trx } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { Redirect } from './redirect.ts'
import { takeRedirects } from './redirect-lock.server.ts'
import { readRules, self } from './rules.server.ts'

/** The engine answers fast with as many, and a list of more is a matter for a map of its own. */
export const MOST_REDIRECTS = 20_000

/** All of them in the order in which they are tried. */
export async function listRedirects(connection: Database | Trx = db): Promise<Redirect[]> {
  const rows = await connection.selectFrom('redirects').selectAll().orderBy('position').limit(MOST_REDIRECTS).execute()
  return rows.map(toRedirect)
}

/** Runs one change of the list, alone, and has every process know of it. In this one it holds when this answers. */
export async function changing<T>(change: (trx: Trx) => Promise<T>): Promise<T> {
  const answer = await transaction(async (trx) => {
    await takeRedirects(trx, self)
    return change(trx)
  })
  await readRules()
  return answer
}

export function toRedirect({ createdAt, lastHitAt, ...row }: Row<'redirects'>): Redirect {
  return { ...row, lastHitAt: lastHitAt?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}
