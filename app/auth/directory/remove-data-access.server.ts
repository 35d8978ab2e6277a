import type { Trx } from '#app/platform/database/db.server.ts'

/** Deletes an account's API keys, entitlements, access requests, downloads and queries, and its hours for calls. Its keys stop working immediately. */
export async function removeDataAccess(trx: Trx, userId: string): Promise<void> {
  for (const table of ['apiKeys', 'entitlements', 'productRequests', 'downloads', 'savedQueries', 'pastQueries'] as const) {
    await trx.deleteFrom(table).where('userId', '=', userId).execute()
  }
  await trx.deleteFrom('bookingHosts').where('userId', '=', userId).execute()
  for (const table of ['bookingOverrides', 'bookingBusy', 'bookingFeeds'] as const) {
    await trx.deleteFrom(table).where('hostId', '=', userId).execute()
  }
}
