import { sql } from 'kysely'
import { db, newId } from '#app/platform/db.server.ts'
import { log } from '#app/platform/log.server.ts'
import { stop } from '#app/platform/stop.ts'

const TURN = sql<Date>`now() + interval '30 seconds'`
const RENEW_MS = 10_000
const RETRY_SECONDS = 10

/**
 * The turn of one import in all processes. It ends after 30 seconds in which no file was worked on, so neither a crash
 * nor a client that stops reading keeps others out.
 */
export type ImportTurn = {
  /** Works on one file. Stops where the turn has passed to another import. */
  hold: <T>(work: () => Promise<T>) => Promise<T>
  end: () => Promise<void>
}

export async function takeImportTurn(): Promise<ImportTurn> {
  const holder = newId()
  const taken = await db
    .updateTable('installation')
    .set({ importHolder: holder, importUntil: TURN })
    .where((or) => or.or([or('importUntil', 'is', null), or('importUntil', '<', sql<Date>`now()`)]))
    .returning('importHolder')
    .executeTakeFirst()
  if (!taken)
    stop('conflict', 'Another import is running. Try again when it is done.', { code: 'import_running', retryAfter: RETRY_SECONDS })
  const renew = async () =>
    db
      .updateTable('installation')
      .set({ importUntil: TURN })
      .where('importHolder', '=', holder)
      .returning('importHolder')
      .executeTakeFirst()
  return {
    async hold(work) {
      if (!(await renew())) stop('conflict', 'Another import has started meanwhile. Import this file again.')
      const timer = setInterval(() => {
        renew().catch((error: unknown) => log.warn({ err: error }, 'the turn of an import cannot be renewed now'))
      }, RENEW_MS)
      try {
        return await work()
      } finally {
        clearInterval(timer)
      }
    },
    end: async () =>
      void (await db
        .updateTable('installation')
        .set({ importHolder: null, importUntil: null })
        .where('importHolder', '=', holder)
        .execute()),
  }
}
