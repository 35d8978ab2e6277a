import type { Trx } from '#app/platform/db.server.ts'

/** Everything of the data marketplace that belongs to an account: keys, which end at once, what it was given, what it asked for and what it took. */
export async function removeDataAccess(trx: Trx, userId: string): Promise<void> {
  for (const table of ['apiKeys', 'entitlements', 'productRequests', 'downloads'] as const) {
    await trx.deleteFrom(table).where('userId', '=', userId).execute()
  }
}
