import { ownerEmail } from '#app/identity/business-address.server.ts'
import { db, transaction } from '#app/platform/db.server.ts'
import type { Quarantined } from './contact.ts'
import { announceLeads } from './lead-signal.server.ts'
import { postLetters } from './lead-letters.server.ts'

/** Enquiries kept aside, newest first. `before` is the id of the last one already seen. */
export async function listQuarantine({ limit, before }: { limit: number; before?: string | undefined }): Promise<Quarantined[]> {
  const rows = await db
    .selectFrom('contacts')
    .selectAll()
    .where('quarantinedAt', 'is not', null)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/**
 * Makes a quarantined enquiry a lead like any other: its letters leave now. Answers `undefined` when it is not, or no longer, in quarantine, so two
 * people who press at once send one letter.
 */
export async function releaseEnquiry(id: string) {
  const released = await transaction(async (trx) => {
    const found = await trx
      .updateTable('contacts')
      .set({ quarantinedAt: null, releasedAt: new Date() })
      .where('id', '=', id)
      .where('quarantinedAt', 'is not', null)
      .returningAll()
      .returning(ownerEmail().as('ownerEmail'))
      .executeTakeFirst()
    if (!found) return undefined
    const { ownerEmail: owner, ...contact } = found
    await postLetters(trx, contact, owner)
    return contact
  })
  if (released) announceLeads()
  return released
}
