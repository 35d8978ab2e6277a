import { db, newId } from '#app/platform/database/db.server.ts'
import { now, secondsFromNow } from '#app/platform/database/sql.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

const TURN = secondsFromNow(30)
const RENEW_MS = 10_000
const RETRY_SECONDS = 10

/**
 * The lock of a running import, across all processes. It expires 30 seconds after the last file, so a crash or a stalled client cannot
 * block others.
 */
export type ImportLock = {
  /** Works on one file. Stops when another import has taken over. */
  hold: <T>(work: () => Promise<T>) => Promise<T>
  end: () => Promise<void>
}

export async function acquireImportLock(): Promise<ImportLock> {
  const holder = newId()
  const taken = await db
    .updateTable('installation')
    .set({ importHolder: holder, importUntil: TURN })
    .where((or) => or.or([or('importUntil', 'is', null), or('importUntil', '<', now)]))
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
      if (!(await renew())) stop('conflict', 'Another import has started. Import this file again.')
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
