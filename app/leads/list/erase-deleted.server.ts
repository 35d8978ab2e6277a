import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { condition, daysAgo } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

/** A deleted lead can be restored by hand for this time. */
const KEPT_DAYS = 30
const BATCH = 1_000

// Erases leads that were deleted long ago, with their notes, tasks and timeline. Their calls stay.
defineJob('leads-erase', z.unknown(), eraseDeleted, { every: 'day' })

async function eraseDeleted(): Promise<{ erased: number }> {
  let erased = 0
  for (;;) {
    const count = await transaction(async (trx) => {
      const rows = await trx
        .selectFrom('contacts')
        .select('id')
        .where('deletedAt', '<', daysAgo(KEPT_DAYS))
        .limit(BATCH)
        .forUpdate()
        .execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      for (const table of ['consultations', 'bookings'] as const)
        await trx.updateTable(table).set({ contactId: null }).where('contactId', 'in', ids).execute()
      for (const table of ['webhookDeliveries', 'notifications'] as const)
        await trx
          .deleteFrom(table)
          .where(condition`subject_id = ANY(${ids}::uuid[])`)
          .execute()
      await trx
        .deleteFrom('contacts')
        .where(condition`id = ANY(${ids}::uuid[])`)
        .execute()
      await audit(trx, 'leads_erased', { detail: { leads: ids.length } })
      return ids.length
    })
    erased += count
    if (count < BATCH) return { erased }
  }
}
