import type { Trx } from '#app/platform/database/db.server.ts'

/**
 * Deletes an account's API keys, entitlements, access requests, downloads and queries, and its hours for calls. Its keys stop working immediately. It
 * leaves its organizations, which keep what was granted to them, their orders and their service keys.
 */
export async function removeDataAccess(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('apiKeys').where('userId', '=', userId).where('isService', '=', false).execute()
  await trx.deleteFrom('entitlements').where('organizationId', '=', userId).execute()
  await trx.updateTable('entitlements').set({ userId: null }).where('userId', '=', userId).execute()
  // Orders must be kept, without the person who ordered.
  for (const table of ['orders', 'subscriptions'] as const) {
    await trx.updateTable(table).set({ userId: null }).where('userId', '=', userId).execute()
  }
  for (const table of ['productRequests', 'downloads', 'savedQueries', 'pastQueries', 'organizationJoinRequests'] as const) {
    await trx.deleteFrom(table).where('userId', '=', userId).execute()
  }
  // Its organization of one goes with the row of the account.
  await trx.deleteFrom('organizationMembers').where('userId', '=', userId).where('organizationId', '!=', userId).execute()
  // Colleagues use shared views.
  await trx.deleteFrom('leadViews').where('userId', '=', userId).where('isShared', '=', false).execute()
  await trx.deleteFrom('bookingHosts').where('userId', '=', userId).execute()
  for (const table of ['bookingOverrides', 'bookingBusy', 'bookingFeeds'] as const) {
    await trx.deleteFrom(table).where('hostId', '=', userId).execute()
  }
}
